package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/scripts/lab/measure"
)

// smallMessages is the number of messages of each intent that a small agent gets.
const smallMessages = 6

// smallFigures say what many small agents do with messages that they were not made from.
// Shares are in [0,1] of the messages of their kind.
type smallFigures struct {
	Agents int          `json:"agents"`
	Shots  int          `json:"shots"`  // examples of an intent
	Served smallOutcome `json:"served"` // messages of the agent's own intents
	Near   smallOutcome `json:"near"`   // messages of the file's other intents
	Far    smallOutcome `json:"far"`    // messages labelled [eval.OutOfScope]
}

// servedFigures say what one agent does with messages that its examples do not hold.
type servedFigures struct {
	Language string       `json:"language"`
	Served   smallOutcome `json:"served"` // messages of the agent's own intents
	Near     smallOutcome `json:"near"`   // messages of intents that it does not have
	Far      smallOutcome `json:"far"`    // messages labelled OutOfScope
}

// smallOutcome counts the outcomes of messages.
type smallOutcome struct {
	Messages int     `json:"messages"`
	Right    float64 `json:"right"`   // the right task is begun
	Wrong    float64 `json:"wrong"`   // another task is begun
	System   float64 `json:"system"`  // a system intent is taken
	Offered  float64 `json:"offered"` // the two best are offered
	Helped   float64 `json:"helped"`  // of those offered, the right one is among them
	Refused  float64 `json:"refused"` // neither acted on nor offered
	First    float64 `json:"first"`   // the best task is the right one, whatever comes of it

	right, wrong, system, offered, helped, first int
}

// smallOptions says what small draws.
type smallOptions struct {
	agents  int
	shots   int // examples of an intent; 0: fewExamples
	noise   noise
	seed    uint64 // of the draws
	cascade *cascade.Options
}

// small draws agents as near does and asks each about messages of test: its own, as many of the
// other intents, and as many out of scope. It is the classifier alone that answers.
func small(ctx context.Context, examples, test []eval.Row, o smallOptions) (*smallFigures, error) {
	f := &smallFigures{Agents: o.agents, Shots: cmp.Or(o.shots, fewExamples)}
	asked := map[string]bool{}
	for _, r := range test {
		asked[r.Intent] = true
	}
	d := drawing{least: leastTasks, most: mostTasks, examples: f.Shots}
	if err := d.from(examples, func(intent string) bool { return asked[intent] }); err != nil {
		return nil, err
	}
	for i := range o.agents {
		rng := rand.New(rand.NewPCG(o.seed, uint64(i)))
		a, err := d.next(rng)
		if err != nil {
			return nil, err
		}
		c, err := cascade.New(a.agent, o.cascade)
		if err != nil {
			return nil, fmt.Errorf("train on %d intents: %w", len(a.tasks), err)
		}
		if err := f.ask(ctx, c, a.agent, smallTest(test, a.tasks, o.noise, rng)); err != nil {
			return nil, err
		}
	}
	f.shares()
	return f, nil
}

// served asks an agent, as it is, about the messages of a file.
func served(ctx context.Context, agent *config.Agent, test []eval.Row, learn *cascade.Options) (*servedFigures, error) {
	c, err := cascade.New(agent, learn)
	if err != nil {
		return nil, fmt.Errorf("train agent %s: %w", agent.ID, err)
	}
	var f smallFigures
	if err := f.ask(ctx, c, agent, test); err != nil {
		return nil, err
	}
	f.shares()
	return &servedFigures{Language: agent.Language, Served: f.Served, Near: f.Near, Far: f.Far}, nil
}

// smallTest draws messages: some of each of the agent's intents, as many of others, and as
// many out of scope as there are.
func smallTest(test []eval.Row, own []string, ns noise, rng *rand.Rand) []eval.Row {
	var near, far, out []eval.Row
	served := map[string][]eval.Row{}
	for _, r := range test {
		switch {
		case r.Intent == eval.OutOfScope:
			far = append(far, r)
		case slices.Contains(own, r.Intent):
			served[r.Intent] = append(served[r.Intent], r)
		default:
			near = append(near, r)
		}
	}
	for _, intent := range own {
		out = append(out, draw(served[intent], smallMessages, rng)...)
	}
	n := len(out)
	out = append(out, draw(near, n, rng)...)
	return ns.on(append(out, draw(far, n, rng)...))
}

// ask tells an agent messages and counts what it does with them.
func (f *smallFigures) ask(ctx context.Context, c classifier.Classifier, a *config.Agent, rows []eval.Row) error {
	for i := range rows {
		r, err := c.Classify(ctx, classifier.Input{Text: rows[i].Text, Now: measure.Now})
		if err != nil {
			return fmt.Errorf("classify %s: %w", rows[i].Pos, err)
		}
		s := &f.Near
		switch {
		case rows[i].Intent == eval.OutOfScope:
			s = &f.Far
		case a.Intent(drawnID(rows[i].Intent)) != nil:
			s = &f.Served
		}
		s.count(a, &r, drawnID(rows[i].Intent))
	}
	return nil
}

// count judges one result as the dialogue takes it: tasks by themselves, the whole message
// first, then its surest clause.
func (s *smallOutcome) count(a *config.Agent, r *message.Result, want string) {
	s.Messages++
	policy := a.Classifier
	best, second := firstTwo(a, r.Ranking)
	if best.Intent == want {
		s.first++
	}
	top := a.Intent(r.Intent)
	switch {
	case top != nil && top.System && (r.Exact || r.Confidence >= policy.Threshold):
		s.system++
	case r.Exact || suffices(policy, best, second):
		if best.Intent == want {
			s.right++
		} else {
			s.wrong++
		}
	case best.Confidence >= policy.Reject:
		s.offered++
		if best.Intent == want || second.Intent == want {
			s.helped++
		}
	}
}

// refused is the share of what is neither acted on nor offered.
func (s *smallOutcome) refused() float64 {
	return max(0, 1-s.Right-s.Wrong-s.System-s.Offered)
}

func (f *smallFigures) shares() {
	for _, s := range []*smallOutcome{&f.Served, &f.Near, &f.Far} {
		s.Right, s.Wrong, s.System = measure.Share(s.right, s.Messages), measure.Share(s.wrong, s.Messages), measure.Share(s.system, s.Messages)
		s.Offered, s.Helped, s.First = measure.Share(s.offered, s.Messages), measure.Share(s.helped, s.offered), measure.Share(s.first, s.Messages)
		s.Refused = s.refused()
	}
}
