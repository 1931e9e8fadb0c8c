package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/config"
)

// ErrNearIntents is returned by Near for files with too few intents that both have.
var ErrNearIntents = errors.New("too few intents with enough examples to draw agents from and to leave some out")

// Taken is how an agent takes a first message.
type Taken struct {
	Intent  string   // the task that it begins, or the answer that it gives; "": none
	Offered []string // the tasks that it asks about instead
}

// NearOptions says what Near draws; the zero value but for Take is right.
type NearOptions struct {
	Draws    int              // agents; default 100
	Least    int              // intents of an agent, at least and at most; default 6
	Most     int              // default 10
	Examples int              // of each; default 8
	Listed   int              // intents of the file that the agent lists as not served, as many examples of each
	Messages int              // that the agent does not serve, of each kind, for one agent; default 200
	Seed     uint64           // of the drawing; default 1
	Cascade  *cascade.Options // of every classifier that is trained
	Step     func()           // told after each agent; nil: nobody

	// Take lets an agent take a first message, the way it is served.
	Take func(context.Context, *config.Agent, classifier.Classifier, string) (Taken, error)
}

func (o NearOptions) withDefaults() NearOptions {
	for _, v := range []struct {
		of *int
		is int
	}{{&o.Draws, 100}, {&o.Least, 6}, {&o.Most, 10}, {&o.Examples, 8}, {&o.Messages, 200}} {
		if *v.of <= 0 {
			*v.of = v.is
		}
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Step == nil {
		o.Step = func() {}
	}
	return o
}

// NearFigures is what small agents make of what they serve and of what they do not. Shares
// are in [0,1]; a nil share means that there were no such messages.
type NearFigures struct {
	Agents   int `json:"agents"`
	Messages int `json:"messages"` // of what the agents serve

	Rightly      float64 `json:"acted_rightly"`
	Wrongly      float64 `json:"acted_wrongly"`
	Offered      float64 `json:"offered"`       // asked back about one task or more
	OfferedRight float64 `json:"offered_right"` // of those, with the right one among them
	FirstGuess   float64 `json:"first_guess"`   // the best task is the right one, whatever its confidence

	// By the classifier alone: its confidences in tasks, the threshold and the ambiguity.
	RankedRightly float64 `json:"ranked_rightly"`
	RankedWrongly float64 `json:"ranked_wrongly"`

	Near    *Refused `json:"near"`    // the other intents of the file
	Listed  *Refused `json:"listed"`  // the intents that the agents list as not served
	Far     *Refused `json:"far"`     // messages labelled OutOfScope
	ECE     float64  `json:"ece"`     // expected calibration error of the best task, on what the agents serve
	Buckets []Bucket `json:"buckets"` // that it is made of
}

// Refused is what agents do with messages that they do not serve.
type Refused struct {
	Messages int     `json:"messages"`
	Acted    float64 `json:"acted"`    // taken for a task
	Ranked   float64 `json:"ranked"`   // the same by the classifier alone
	Offered  float64 `json:"offered"`  // asked back about
	Answered float64 `json:"answered"` // told that it is not served
}

// Bucket is the messages of a tenth of the confidences.
type Bucket struct {
	Messages int     `json:"messages"`
	Said     float64 `json:"said"`  // mean confidence
	Right    float64 `json:"right"` // share whose best task is right
}

// buckets of the expected calibration error.
const buckets = 10

// Near draws small agents from a file of examples and tries each on messages of another
// file: on those of its own intents, on those of intents that it does not have, and on those
// that are out of scope. What a message leads to is asked of Take, so that it is what a
// person would see.
func Near(ctx context.Context, train, test []Row, opts NearOptions) (*NearFigures, error) {
	o := opts.withDefaults()
	n := &nearRun{NearOptions: o, byIntent: map[string][]Row{}}
	for _, r := range inScope(train) {
		n.byIntent[r.Intent] = append(n.byIntent[r.Intent], r)
	}
	for intent, rows := range n.byIntent {
		if len(rows) >= o.Examples {
			n.names = append(n.names, intent)
		}
	}
	slices.Sort(n.names)
	if len(n.names) <= o.Most+o.Listed {
		return nil, ErrNearIntents
	}
	for d := range o.Draws {
		if err := n.draw(ctx, rand.New(rand.NewPCG(o.Seed, uint64(d))), test); err != nil {
			return nil, err
		}
		o.Step()
	}
	return n.figures(), nil
}

// nearRun is one measurement under way.
type nearRun struct {
	NearOptions
	byIntent map[string][]Row
	names    []string

	served                                  int
	right, wrong, offered, offeredIt, first int
	rankedRight, rankedWrong                int
	near, listed, far                       refusals
	bins                                    [buckets]struct {
		n, right int
		said     float64
	}
}

// refusals counts what Refused gives shares of.
type refusals struct{ n, acted, ranked, offered, answered int }

// draw makes one agent and tries it.
func (n *nearRun) draw(ctx context.Context, rng *rand.Rand, test []Row) error {
	order := rng.Perm(len(n.names))
	tasks := order[:n.Least+rng.IntN(n.Most-n.Least+1)]
	listed := order[len(tasks):][:n.Listed]
	agent, err := n.agent(rng, tasks, listed)
	if err != nil {
		return err
	}
	c, err := cascade.New(agent, n.Cascade)
	if err != nil {
		return fmt.Errorf("train on %d intents: %w", len(tasks), err)
	}
	t := &nearTrial{nearRun: n, agent: agent, c: c, kind: map[string]*refusals{}}
	for i := range n.names {
		t.kind[n.names[i]] = &n.near
	}
	for _, i := range listed {
		t.kind[n.names[i]] = &n.listed
	}
	for _, i := range tasks {
		t.kind[n.names[i]] = nil
	}
	t.kind[OutOfScope] = &n.far
	left := map[*refusals]int{&n.near: n.Messages, &n.listed: n.Messages, &n.far: n.Messages}
	for _, i := range rng.Perm(len(test)) {
		r := &test[i]
		kind, known := t.kind[r.Intent]
		if !known || kind != nil && left[kind] == 0 {
			continue
		}
		if kind != nil {
			left[kind]--
		}
		if err := t.try(ctx, r, kind); err != nil {
			return err
		}
	}
	return nil
}

// nearID is the id of an intent of an agent: names of files may hold what ids may not, or be
// those of built-in intents.
func nearID(label string) string {
	if slices.Contains(config.SystemIntents, label) {
		return label + "_it"
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, label)
}

// agent writes an agent's file and reads it, as an author would have it.
func (n *nearRun) agent(rng *rand.Rand, tasks, listed []int) (*config.Agent, error) {
	examples := func(i int) []string {
		rows := n.byIntent[n.names[i]]
		var out []string
		for _, k := range rng.Perm(len(rows))[:n.Examples] {
			out = append(out, strings.NewReplacer("[", "(", "]", ")").Replace(rows[k].Text))
		}
		return out
	}
	var intents, refused []any
	for _, i := range tasks {
		id := nearID(n.names[i])
		intents = append(intents, map[string]any{
			"id": id, "title": strings.ReplaceAll(id, "_", " "), "examples": examples(i), "plan": []any{map[string]any{"respond": "done"}},
		})
	}
	for _, i := range listed {
		refused = append(refused, map[string]any{"name": nearID(n.names[i]), "examples": examples(i)})
	}
	file := map[string]any{"version": 1, "intents": intents, "responses": map[string]any{"done": "Done."}}
	if len(refused) > 0 {
		file["not_served"] = refused
	}
	data, err := json.Marshal(file) // JSON is YAML
	if err != nil {
		return nil, fmt.Errorf("write an agent: %w", err)
	}
	agent, err := config.Parse("drawn.yaml", data, "")
	if err != nil {
		return nil, fmt.Errorf("read the drawn agent: %w", err)
	}
	return agent, nil
}
