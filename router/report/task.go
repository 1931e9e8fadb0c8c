package report

import (
	"reflect"
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
)

// task is one task of a session.
type task struct {
	intent        string
	fate          Fate
	turns         int
	place         Place // where it stood when it was last under way
	corrections   int
	confirmations Confirmations
	params        map[string]*Param
	failures      map[Failure]int
}

func newTask(intent string) *task {
	return &task{intent: intent, fate: Open, params: map[string]*Param{}, failures: map[Failure]int{}}
}

func (t *task) param(name string) *Param {
	p := t.params[name]
	if p == nil {
		p = &Param{Param: name}
		t.params[name] = p
	}
	return p
}

// detail accounts for what a turn asked, confirmed, corrected and called.
func (s *session) detail(before, p *point, touched map[string]bool) {
	for _, a := range p.Answered {
		if t := s.tasks[a.ID]; t != nil && a.Yes {
			t.confirmations.Yes++
		} else if t != nil {
			t.confirmations.No++
		}
	}
	if p.Active != nil && s.tasks[p.Active.ID] != nil {
		t := s.tasks[p.Active.ID]
		t.place = placeOf(p)
		t.asked(before, p)
		if before.Active != nil && before.Active.ID == p.Active.ID {
			t.corrected(before.Active, p.Active, p.number)
		}
	}
	if e := p.Ended; e != nil && before.Active != nil && before.Active.ID == e.ID && s.tasks[e.ID] != nil {
		s.tasks[e.ID].corrected(before.Active, e, p.number)
	}
	for _, call := range p.reply.ToolCalls {
		f, failed := failureOf(&call)
		if !failed {
			continue
		}
		s.failures[f]++
		if t := s.caller(call.Tool, touched); t != nil {
			t.failures[f]++
		}
	}
}

// placeOf returns where the task under way stands.
func placeOf(p *point) Place {
	q := p.Question
	switch {
	case q != nil:
		return Place{Waiting: q.Kind, Param: q.Param, Step: q.Step, Tool: q.Tool}
	case p.Active.Failed != "":
		return Place{Waiting: retry, Step: p.Active.Failed}
	}
	return Place{}
}

// retry is the place of a task that waits for the user to try a failed call again.
const retry = "retry"

// asked counts the questions that a turn put.
func (t *task) asked(before, p *point) {
	if name := p.reply.Asked; name != nil {
		param := t.param(*name)
		if param.Asked > 0 {
			param.Again++
		}
		param.Asked++
	}
	if q, old := p.Question, before.Question; q != nil && q.Kind == confirm && (old == nil || old.Kind != confirm || !old.Since.Equal(q.Since)) {
		t.confirmations.Asked++
	}
}

// confirm is the kind of a question for a confirmation.
const confirm = "confirm"

// corrected counts the values that the user replaced in a turn. What a tool or the plan replaces is
// no correction, and neither is one more element of a list.
func (t *task) corrected(was, is *planner.TaskAccount, turn int64) {
	changed := false
	for name, value := range is.Params {
		old, known := was.Params[name]
		if !known || value.Turn != turn || value.FromTool || old.Value == nil || value.Value == nil || extends(old.Value, value.Value) {
			continue
		}
		t.param(name).Corrected++
		changed = true
	}
	if changed {
		t.corrections++
	}
}

// extends reports whether a value is the old one, perhaps with more elements.
func extends(old, value any) bool {
	before, isList := old.([]any)
	after, isListToo := value.([]any)
	if !isList || !isListToo {
		return reflect.DeepEqual(old, value)
	}
	for _, e := range before {
		if !slices.ContainsFunc(after, func(o any) bool { return reflect.DeepEqual(e, o) }) {
			return false
		}
	}
	return true
}

func failureOf(call *router.ToolReport) (Failure, bool) {
	if call.Status == "ok" {
		return Failure{}, false
	}
	f := Failure{Tool: call.Tool, Status: call.Status}
	if call.Error != nil {
		f.Code = *call.Error
	}
	return f, true
}

// caller returns the task of a turn whose plan calls a tool; of several the first by name, of none the
// only one there is.
func (s *session) caller(tool string, touched map[string]bool) *task {
	var only *task
	var callers []*task
	for id := range touched {
		t := s.tasks[id]
		if t == nil {
			continue
		}
		only = t
		if calls(s.of.agent, t.intent, tool) {
			callers = append(callers, t)
		}
	}
	slices.SortFunc(callers, func(a, b *task) int { return compare(a.intent, b.intent) })
	switch {
	case len(callers) > 0:
		return callers[0]
	case len(touched) == 1:
		return only
	}
	return nil
}

// calls reports whether the plan of an intent, or the check of one of its params, calls a tool.
func calls(agent *config.Agent, intent, tool string) bool {
	in := agent.Intent(intent)
	if in == nil {
		return false
	}
	found := false
	agent.WalkAll(in, func(step *config.Step) { found = found || step.Kind == config.StepCall && step.Tool == tool })
	for p := range in.EachParam {
		found = found || p.Validation.Tool == tool
	}
	return found
}
