package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// mostOffered is how many tasks a question offers.
const mostOffered = 4

// proposeNote reads a value alone with no task under way: it keeps the value, says so, and offers
// the tasks that take it. The only one begins (rule 17 of the tasks), unless it has ended a moment ago:
// the value may be a late word about it.
func (r *interpreter) proposeNote() []reading {
	if r.st.Active != nil || r.st.Open != nil {
		return nil
	}
	var values, of set
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.values == 0 {
			if c.courteous() || c.filler() || c.tells() {
				of |= only(i)
			}
			continue
		}
		values |= c.values
		of |= only(i)
	}
	v, tasks := r.noted(values)
	if len(tasks) == 0 {
		return nil
	}
	x := reading{Rule: "value", kind: kindTask, evidence: 0.45, clauses: of, values: values}
	if _, last := r.lately(); len(tasks) == 1 && tasks[0] != last {
		x.Intent = tasks[0].ID
		x.perform = func(r *interpreter) {
			r.interrupt(tasks[0], values)
			r.st.doubt(true)
		}
		return []reading{x}
	}
	x.perform = func(r *interpreter) {
		kept := r.bring(tasks)
		r.take(nil, values)
		p := tasks[0].Param(v.Param)
		var options []Option
		var titles []any
		for _, in := range tasks[:min(len(tasks), mostOffered)] {
			options = append(options, Option{Value: in.ID, Label: in.Called()})
			titles = append(titles, in.Called())
		}
		r.st.Unclear, r.spoke = 0, true
		prompt := render(r.st, "value_noted", map[string]any{"label": p.Label, "value": r.def.Show(p, v.Value), "tasks": titles})
		r.st.Agenda = append(r.st.Agenda, Choose{position: position{agenda: true}, Prompt: prompt, Options: options, kind: askIntent, brought: kept})
	}
	return []reading{x}
}

// noted returns the value that the most tasks can begin with, and those tasks.
func (r *interpreter) noted(values set) (message.Value, []*config.Intent) {
	var best message.Value
	var tasks []*config.Intent
	for _, v := range r.valuesOf(values) {
		if v.Source == sourceText || v.Source == sourceBare || v.Confidence <= vague || v.Cues.Any(message.CueAsked|message.CueCondition) {
			continue
		}
		var take []*config.Intent
		for _, in := range r.def.Intents {
			if in.Param(v.Param) != nil && !in.AnswerOnly && r.isTask(in.ID) && !in.Internal {
				take = append(take, in)
			}
		}
		if len(take) > len(tasks) {
			best, tasks = v, slices.Clone(take)
		}
	}
	return best, tasks
}
