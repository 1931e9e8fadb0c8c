package eval

import (
	"slices"

	"github.com/slotway/slotway/config"
)

// corpus holds the messages that cross-validation deals out, and makes the agent of some of them.
type corpus struct {
	rows      []Row
	threshold float64
	params    bool // spans are judged
	single    bool // examples are left out one by one, not in blocks of neighbours
	agent     func(keep func(row int) bool) *config.Agent
}

// corpusOf is a file of rows.
func corpusOf(rows []Row, params bool) *corpus {
	return &corpus{rows: rows, threshold: policy.Threshold, params: params, agent: func(keep func(int) bool) *config.Agent {
		var kept []Row
		for i, r := range rows {
			if keep(i) {
				kept = append(kept, r)
			}
		}
		return AgentOf(kept, params)
	}}
}

// corpusOfAgent makes a corpus of the examples of an agent's tasks and answers. System intents are
// rivals, but their examples are not judged: "abort" cannot be learned from other examples, and
// need not be, because stock phrases are matched to the word.
func corpusOfAgent(agent *config.Agent) *corpus {
	c := &corpus{threshold: agent.Classifier.Threshold, params: true}
	first := make([]int, len(agent.Intents)) // row of each intent's first example
	for n, in := range agent.Intents {
		first[n] = len(c.rows)
		for _, e := range in.Examples {
			c.rows = append(c.rows, Row{Text: e.Text, Intent: in.ID, Spans: e.Spans, Asked: e.Asked, Pos: e.Pos})
		}
	}
	c.agent = func(keep func(int) bool) *config.Agent {
		a := *agent
		a.Intents = make([]*config.Intent, len(agent.Intents))
		for n, in := range agent.Intents {
			reduced := *in
			reduced.Examples = nil
			for i, e := range in.Examples {
				if keep(first[n] + i) {
					reduced.Examples = append(reduced.Examples, e)
				}
			}
			a.Intents[n] = &reduced
		}
		return &a
	}
	return c
}

// folds deals the rows out, or returns ErrFolds.
func (c *corpus) folds(k int) ([]int, error) {
	if k < 2 || k > len(inScope(c.rows)) {
		return nil, ErrFolds
	}
	return assign(len(c.rows), k, c.single, func(i int) (string, string) { return c.rows[i].Intent, c.rows[i].Text }), nil
}

// without is the agent of all folds but one. OutOfScope rows are never in it.
func (c *corpus) without(folds []int, fold int) *config.Agent {
	return c.agent(func(i int) bool { return folds[i] != fold && c.rows[i].Intent != OutOfScope })
}

// held lists the rows of a fold.
func held(folds []int, fold int) []int {
	var out []int
	for i, f := range folds {
		if f == fold {
			out = append(out, i)
		}
	}
	return out
}

func (c *corpus) pick(which []int) []Row {
	out := make([]Row, len(which))
	for i, n := range which {
		out[i] = c.rows[n]
	}
	return out
}

// size is how many examples an agent's own intents have.
func size(a *config.Agent) int {
	n := 0
	for _, in := range a.Intents {
		n += len(in.Examples)
	}
	return n
}

// labels is how many of an agent's own intents have examples.
func labels(a *config.Agent) int {
	return len(slices.DeleteFunc(slices.Clone(a.Intents), func(in *config.Intent) bool { return len(in.Examples) == 0 }))
}
