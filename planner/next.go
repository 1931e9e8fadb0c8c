package planner

import (
	"maps"
	"slices"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
)

// Next records that the step which it returned last was carried out, and returns the next one.
// outcome is the result of that step's tool call; Next ignores it after any other step.
func (st *Turn) Next(outcome Outcome) Step {
	st.record(outcome)
	st.step = st.next()
	if st.passed != nil {
		st.pass()
	}
	return st.step
}

// Rest records the question that the turn ends with: the step which Next returned last.
func (st *Turn) Rest() { st.record(Outcome{}) }

// Abandon replaces the step which Next returned last by one that ends the task, for a plan that
// takes too many steps.
func (st *Turn) Abandon() Step {
	st.Agenda, st.Suspended = nil, nil
	r := say(st, "tool_failed", nil)
	r.Ends, r.whole = true, true
	st.step = r
	return r
}

func (st *Turn) record(outcome Outcome) {
	step := st.step
	st.step = nil
	switch s := step.(type) {
	case nil:
	case ToolCall:
		st.called(s, outcome)
	default:
		st.performed(s)
	}
}

// next finds the step to perform now. It changes nothing.
func (st *Turn) next() Step {
	if len(st.Agenda) > 0 {
		return st.Agenda[0]
	}
	if st.Open != nil || st.Active == nil || st.Active.Failed != "" {
		return End{}
	}
	in := st.def.Intent(st.Active.Intent)
	pl := &planning{def: st.def, st: st, in: in, frame: st.Active, env: st.env(in)}
	for _, stage := range stages {
		if step := stage(pl); step != nil {
			return step
		}
	}
	return End{position{Ends: true, marks: pl.marks}}
}

// stages are the parts of a task, in order.
var stages = []func(*planning) Step{
	(*planning).check,
	(*planning).required,
	(*planning).oneOf,
	(*planning).optional,
	func(pl *planning) Step { return pl.walk(pl.in.Plan) },
}

// planning is one call of next.
type planning struct {
	def   *config.Agent
	st    *Turn
	in    *config.Intent
	frame *frame
	env   map[string]any
	marks map[string]mark
}

func (pl *planning) mark(id string, m mark) {
	if pl.marks == nil {
		pl.marks = map[string]mark{}
	}
	pl.marks[id] = m
}

func (pl *planning) has(p *config.Param) bool {
	if p.Objects != nil {
		return pl.listed(p)
	}
	return pl.st.cell(p) != nil
}

// check validates a value that its validation tool has not accepted yet.
func (pl *planning) check() Step {
	for p := range pl.in.EachParam {
		c := pl.st.cell(p)
		if c == nil || c.Checked || p.Validation.Tool == "" || !pl.wanted(p) {
			continue
		}
		var args map[string]any
		if p.Validation.With != nil {
			args = resolve(p.Validation.With, with(pl.env, "value", c.Value))
		} else {
			args = map[string]any{p.Name: c.Value}
		}
		return ToolCall{Tool: p.Validation.Tool, Args: args, Effect: config.EffectRead, Validates: p.Name}
	}
	return nil
}

// required asks for the first required param that is empty (RULES.md, rule 1).
func (pl *planning) required() Step { return pl.firstMissing(pl.in.Required) }

func (pl *planning) firstMissing(params []*config.Param) Step {
	for _, p := range params {
		if !pl.has(p) && !pl.frame.skipped(p.Name) && pl.wanted(p) {
			return pl.ask(p)
		}
	}
	return nil
}

// wanted reports whether the param's own condition holds. A condition that cannot be evaluated
// counts as true: a question too many does less harm than one too few.
func (pl *planning) wanted(p *config.Param) bool {
	holds, err := p.When.True(pl.env)
	return holds || err != nil
}

// oneOf asks for the rest of the group that is filled the most and not refused (rule 9). Groups
// that the user cannot fill come last.
func (pl *planning) oneOf() Step {
	if len(pl.in.OneOf) == 0 {
		return nil
	}
	best, bestFilled := -1, -1
	for i, group := range pl.in.OneOf {
		filled := 0
		for _, p := range group {
			if pl.has(p) {
				filled++
			}
		}
		if filled == len(group) {
			return nil
		}
		if !pl.frame.refused(i) && filled > bestFilled {
			best, bestFilled = i, filled
		}
	}
	if best < 0 {
		return pl.exhausted(pl.in.OneOf[0][0])
	}
	return pl.firstMissing(pl.in.OneOf[best])
}

// optional asks for the optional params that are marked `ask` (rule 11).
func (pl *planning) optional() Step {
	for _, p := range pl.in.Optional {
		if pl.asksFor(p) && !pl.has(p) && !pl.frame.skipped(p.Name) && pl.wanted(p) {
			return pl.ask(p)
		}
	}
	return nil
}

// asksFor reports whether an optional param is asked for: because the definition says so, because it
// is a list with elements, because what was said for it was refused (to go on without it would drop a
// wish silently), or because that may belong to another element of a list.
func (pl *planning) asksFor(p *config.Param) bool {
	return p.Ask || slices.Contains(pl.frame.Wanted, p.Name) || p.Objects != nil && pl.frame.Lists[p.Name] != nil ||
		pl.frame.List != "" && pl.frame.Attempts[p.Name] > 0
}

// ask asks for a param, or gives up after its limit (rules 5-7).
func (pl *planning) ask(p *config.Param) Step {
	if p.Objects != nil {
		return pl.element(p)
	}
	attempts := pl.frame.Attempts[p.Name]
	if attempts > p.Policy.MaxRetries {
		return pl.exhausted(p)
	}
	return AskUser{position: position{marks: pl.marks, badPaths: p.Prompt.Astray(pl.env)}, Param: p.Name, Prompt: pl.prompt(p, attempts), Attempt: attempts}
}

// prompt words the question: what was wrong, then the prompt; an unread reply gets the
// reprompt of its count (rule 6).
func (pl *planning) prompt(p *config.Param, attempts int) string {
	plain := p.Prompt.Render(pl.env)
	if question, is := pl.opening(p); is {
		plain = question
	}
	if plain == "" {
		plain = "What is the " + p.Label + "?"
	}
	plain = pl.led(plain)
	again := plain
	if n := len(p.Reprompt); n > 0 && attempts > 0 {
		again = p.Reprompt[min(attempts, n)-1].Render(pl.env)
	}
	switch pl.st.notes[p.Name] {
	case noteInvalid:
		if wrong := pl.st.wrong[p.Name]; wrong != "" {
			return wrong + " " + plain
		}
		return again
	case noteUnread:
		return again
	default:
		return plain
	}
}

// exhausted applies the policy for a param that the user did not give.
func (pl *planning) exhausted(p *config.Param) Step {
	switch policy := p.Policy.OnExhausted; {
	case policy == config.ExhaustedDefault && p.Default != nil:
		return Set{Values: map[string]any{p.Name: p.Default}}
	case policy == config.ExhaustedSkip && p.Skippable:
		return Set{skip: p.Name}
	case policy == config.ExhaustedCancel:
		r := say(pl.st, "cancelled", pl.env)
		r.Ends, r.whole = true, true
		return r
	}
	return Offer{Prompt: render(pl.st, "handoff_offer", pl.env), kind: askHandoff}
}

func (f *frame) skipped(param string) bool {
	return slices.Contains(f.Skipped, param)
}

func (f *frame) refused(group int) bool {
	return slices.Contains(f.Refused, group)
}

// with returns env with one more name.
func with(env map[string]any, name string, value any) map[string]any {
	more := make(map[string]any, len(env)+1)
	maps.Copy(more, env)
	more[name] = value
	return more
}

func resolve(with map[string]expr.Arg, env map[string]any) map[string]any {
	args := make(map[string]any, len(with))
	for name, a := range with {
		args[name] = a.Resolve(env)
	}
	return args
}
