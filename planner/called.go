package planner

import (
	"slices"

	"github.com/slotway/slotway/config"
)

// Outcome is the result of a tool call.
type Outcome struct {
	Value     any    // JSON-normal
	Code      string // "" for success, else the tool's error code
	Uncertain bool   // a write that may have had its effect; it is never repeated by itself
}

// made marks a call as carried out.
func (st *Turn) made(call ToolCall) {
	st.done(call.place())
	if call.Effect == config.EffectWrite && call.ID != "" {
		st.Active.Done[call.ID] = markWrote
	}
}

// refusals lists the codes with which a validation tool refuses a value. After any other code the
// value is unchecked, and the plan waits.
var refusals = map[string]bool{"not_found": true, "invalid_input": true, "conflict": true}

// called records the outcome of a call.
func (st *Turn) called(call ToolCall, out Outcome) {
	in := st.intent(st.def)
	st.leave(call.place())
	switch {
	case call.Validates != "":
		st.validated(in, call, out)
	case out.Uncertain:
		st.made(call)
		st.Active.Unknown = true
		st.later("tool_unknown", nil)
		st.finishTask()
	case out.Code == "":
		st.made(call)
		st.Active.save("result", out.Value)
		saved := []string{"result"}
		if call.Save != "" {
			st.Active.save(call.Save, out.Value)
			saved = append(saved, call.Save)
		}
		st.derive(in, saved...)
		if call.Ends {
			st.finish()
		}
	default:
		st.failed(in, call, out.Code)
	}
}

// validated applies the result of a validation tool (rule 8).
func (st *Turn) validated(in *config.Intent, call ToolCall, out Outcome) {
	p := in.Param(call.Validates)
	c := st.cell(p)
	switch {
	case out.Code == "":
		if c.Prior != nil {
			st.tellCorrection(p, c.Value)
		}
		c.Checked, c.Prior = true, nil
	case refusals[out.Code]:
		st.refuse(in, p, c)
	default:
		st.Active.Failed = "validate:" + p.Name
		st.later("tool_failed", nil)
	}
}

// refuse drops a refused value. A refused correction keeps the old value.
func (st *Turn) refuse(in *config.Intent, p *config.Param, c *paramCell) {
	wrong := p.Validation.Invalid.Render(st.env(in))
	if c.Prior != nil {
		st.setCell(p, &paramCell{Value: c.Prior, Turn: st.Number, At: st.Now, Source: c.Source, Checked: true})
		if wrong != "" {
			st.Agenda = append(st.Agenda, Respond{position: position{agenda: true}, Response: "invalid", Text: wrong})
		}
		return
	}
	st.setCell(p, nil)
	st.invalid(p, wrong)
}

// invalid counts a refused value and keeps the reason for the next prompt.
func (st *Turn) invalid(p *config.Param, wrong string) {
	st.Active.attempt(p.Name)
	if !slices.Contains(st.Active.Wanted, p.Name) {
		st.Active.Wanted = append(st.Active.Wanted, p.Name)
	}
	st.refused(p, wrong)
}

// refused keeps the reason for the next prompt of the param.
func (st *Turn) refused(p *config.Param, wrong string) {
	st.note(p.Name, noteInvalid)
	if st.wrong == nil {
		st.wrong = map[string]string{}
	}
	st.wrong[p.Name] = wrong
}

func (f *frame) attempt(what string) {
	if f.Attempts == nil {
		f.Attempts = map[string]int{}
	}
	f.Attempts[what]++
}

// failed follows on_error of the code, that of the call or that of a run step around it. Without one
// the plan waits for "try again" (rule 22).
func (st *Turn) failed(in *config.Intent, call ToolCall, code string) {
	step := findStep(in.Plan, call.ID)
	var on *config.OnError
	if step != nil {
		on = st.onError(step, code)
		st.Active.tried(step, call.Args)
	}
	st.Active.Broken = st.Active.Broken || call.Effect == config.EffectWrite
	if on == nil && st.callerExpects(code) {
		st.fail(code)
		return
	}
	if on == nil {
		st.Active.Failed = call.ID
		st.later("tool_failed", nil)
		return
	}
	switch forgot, ended := st.follow(on, map[string]any{"code": code, "tool": call.Tool}); {
	case ended:
		st.fail(code)
	case !forgot:
		st.done(call.place()) // handled: the plan goes on without the result
	}
}

// follow does what on_error says about a failure: it says the response and forgets the params. It
// reports whether it forgot any, and whether the plan is to end.
func (st *Turn) follow(on *config.OnError, failure map[string]any) (forgot, ended bool) {
	if on.Respond != "" {
		st.laterOwn(on.Respond, map[string]any{"error": failure})
	}
	in := st.intent(st.def)
	made := st.Active.sources(in) // the arguments of a write are not asked for again
	for _, name := range on.Forget {
		p := in.Param(name)
		if p == nil || made[name] {
			continue
		}
		forgot = true
		st.setCell(p, nil)
		st.Active.attempt(name)
		st.undo(in, name)
	}
	return forgot, on.End
}

// tried counts a failure that certainly had no effect. It counts by arguments: a call with other
// arguments is another call, and its failures must not change the key of a call that was made.
func (f *frame) tried(s *config.Step, args map[string]any) {
	if f.Tries == nil {
		f.Tries = map[string]int{}
	}
	f.Tries[callHash(s, args)]++
}

// tries returns how often exactly this call has failed.
func (f *frame) tries(s *config.Step, args map[string]any) int {
	if len(f.Tries) == 0 {
		return 0 // as nearly always: the hash is not needed
	}
	return f.Tries[callHash(s, args)]
}

func findStep(list []*config.Step, id string) *config.Step {
	for _, s := range list {
		if s.ID == id {
			return s
		}
		for _, branch := range [][]*config.Step{s.Then, s.Else} {
			if found := findStep(branch, id); found != nil {
				return found
			}
		}
	}
	return nil
}
