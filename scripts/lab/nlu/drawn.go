package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/eval"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// errFewIntents is returned for files with too few intents that agents could
// be drawn from.
var errFewIntents = errors.New("too few intents with enough examples to draw agents from and to leave some out")

// What a small agent is: what somebody writes in the first hour.
const (
	leastTasks, mostTasks = 6, 10 // intents
	fewExamples           = 8     // of each
)

// drawing makes small agents of the intents of a file.
type drawing struct {
	least, most int // intents of an agent
	examples    int // of each
	listed      int // intents that it lists as not served

	byIntent map[string][]eval.Row
	names    []string // of the intents that have enough examples
}

// from takes the examples of a file, of the intents that may reports; a nil may reports all.
func (d *drawing) from(rows []eval.Row, may func(intent string) bool) error {
	d.byIntent = map[string][]eval.Row{}
	for _, r := range inScope(rows) {
		d.byIntent[r.Intent] = append(d.byIntent[r.Intent], r)
	}
	for intent, rows := range d.byIntent {
		if len(rows) >= d.examples && (may == nil || may(intent)) {
			d.names = append(d.names, intent)
		}
	}
	slices.Sort(d.names)
	if len(d.names) <= d.most+d.listed {
		return errFewIntents
	}
	return nil
}

// drawn is one small agent, and the labels of the file that it serves or says it does not.
type drawn struct {
	agent         *config.Agent
	tasks, listed []string
}

// next draws an agent.
func (d *drawing) next(rng *rand.Rand) (*drawn, error) {
	order := make([]string, len(d.names))
	for i, n := range rng.Perm(len(d.names)) {
		order[i] = d.names[n]
	}
	tasks := order[:d.least+rng.IntN(d.most-d.least+1)]
	out := &drawn{tasks: tasks, listed: order[len(tasks):][:d.listed]}
	var err error
	out.agent, err = d.agent(rng, out)
	return out, err
}

// agent writes an agent's file and reads it, as an author would have it.
func (d *drawing) agent(rng *rand.Rand, of *drawn) (*config.Agent, error) {
	examples := func(intent string) []string {
		rows := d.byIntent[intent]
		var out []string
		for _, k := range rng.Perm(len(rows))[:d.examples] {
			out = append(out, strings.NewReplacer("[", "(", "]", ")").Replace(rows[k].Text))
		}
		return out
	}
	var intents, refused []any
	for _, label := range of.tasks {
		id := drawnID(label)
		intents = append(intents, map[string]any{
			"id": id, "title": strings.ReplaceAll(id, "_", " "), "examples": examples(label), "plan": []any{map[string]any{"respond": "done"}},
		})
	}
	for _, label := range of.listed {
		refused = append(refused, map[string]any{"name": drawnID(label), "examples": examples(label)})
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

// drawnID is the id of an intent of an agent: names of files may hold what ids may not, or be
// those of built-in intents.
func drawnID(label string) string {
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

// firstTwo returns the best two of a ranking that are no system intents, empty where there are
// fewer.
func firstTwo(a *config.Agent, ranking []message.Score) (best, second message.Score) {
	tasks := slices.DeleteFunc(slices.Clone(ranking), func(s message.Score) bool {
		in := a.Intent(s.Intent)
		return in == nil || in.System
	})
	tasks = append(tasks, message.Score{}, message.Score{})
	return tasks[0], tasks[1]
}

// suffices reports whether the best of a ranking is so sure, and so far before the next, that
// an agent acts on it.
func suffices(policy config.ClassifierPolicy, best, second message.Score) bool {
	return best.Confidence >= policy.Threshold && best.Confidence-second.Confidence >= policy.Ambiguity
}
