package planner

import (
	"maps"

	"github.com/slotway/slotway/config"
)

// performed records that a step other than a call was carried out.
func (st *Turn) performed(step Step) {
	place := step.place()
	if place.agenda && len(st.Agenda) > 0 {
		st.Agenda = st.Agenda[1:]
	}
	st.leave(place)
	st.named(step)
	switch s := step.(type) {
	case AskUser:
		st.Open = &openQuestion{Kind: askParam, Param: s.Param, Since: st.Now}
		delete(st.notes, s.Param)
		delete(st.wrong, s.Param)
	case Choose:
		st.Open = &openQuestion{Kind: s.kind, Param: s.Param, Step: s.ID, Options: s.Options, Behind: s.behind, Said: s.said, Brought: s.brought, Since: st.Now}
	case Confirm:
		// A new confirmation voids earlier ones whose calls were not made: "to Rome", confirmed
		// and refused, then "to Oslo", then "to Rome" again needs three confirmations (rule 13).
		st.Active.Confirmed = nil
		st.Open = &openQuestion{Kind: askConfirm, Step: s.ID, Tool: s.Tool, Hash: s.Hash, Unseen: st.unseen, Since: st.Now}
	case Offer:
		st.Open = &openQuestion{Kind: s.kind, Options: s.Options, Correct: s.correct, Since: st.Now}
	case Respond:
		st.count(s)
		st.done(place)
	case Generate:
		st.done(place)
	case Set:
		st.set(s)
		st.done(place)
	case Run:
		st.beginRun(s)
	case Handoff:
		st.want()
		st.done(place)
	case End, Fault:
		st.done(place)
	}
	_, fault := step.(Fault)
	switch {
	case !place.Ends:
	case fault:
		task := st.Active
		st.fail(config.RunFailed)
		st.noteFault(task)
	case place.whole:
		st.finishTask()
	default:
		st.finish()
	}
}

func (st *Turn) count(r Respond) {
	if !r.counts {
		return
	}
	if st.Said == nil {
		st.Said = map[string]int{}
	}
	st.Said[r.Response]++
}

// leave stores the marks of the steps that were passed over.
func (st *Turn) leave(p position) {
	if st.Active == nil || len(p.marks) == 0 {
		return
	}
	if st.Active.Done == nil {
		st.Active.Done = map[string]mark{}
	}
	maps.Copy(st.Active.Done, p.marks)
}

func (st *Turn) done(p position) {
	if st.Active == nil || p.ID == "" {
		return
	}
	if st.Active.Done == nil {
		st.Active.Done = map[string]mark{}
	}
	if st.Active.Done[p.ID] == "" {
		st.Active.Done[p.ID] = markDone
	}
}

// set writes values: to the param of that name in the intent or the session, else to a result. A
// session param that the intent does not list is also a result of the task, so that the plan can
// use it.
func (st *Turn) set(s Set) {
	in := st.intent(st.def)
	if s.skip != "" {
		st.Active.Skipped = append(st.Active.Skipped, s.skip)
		return
	}
	for name, v := range s.Values {
		p := in.Param(name)
		if p == nil {
			st.Active.save(name, v)
			if p = st.def.Params[name]; p != nil && p.Scope != config.ScopeSession {
				p = nil
			}
		}
		switch {
		case p == nil:
		case v == nil:
			st.setCell(p, nil)
		default:
			st.setCell(p, &paramCell{Value: v, Turn: st.Number, At: st.Now, Source: sourceTool, Checked: true})
		}
	}
	if s.narrow != "" {
		st.Active.save(s.narrow, []any{s.chosen})
	}
}

func (f *frame) save(name string, v any) {
	if f.Results == nil {
		f.Results = map[string]any{}
	}
	f.Results[name] = v
}

// finishTask ends the task under way, with the callers of a sub-task, and resumes the task that it
// interrupted.
func (st *Turn) finishTask() {
	for st.Active != nil && st.Active.Caller != nil {
		st.backToCaller()
	}
	ended := st.Active
	st.unpark(ended)
	st.Active, st.Open = nil, nil
	st.ended(ended)
	if ended != nil && !ended.Answer {
		st.Last = ended.Intent
	}
	if ended == nil || len(st.Suspended) == 0 {
		return
	}
	last := len(st.Suspended) - 1
	next := st.Suspended[last]
	in := next.task(st.def)
	if ended.Answer && ended.Standalone && !next.Queued {
		st.offerResume() // the answer in passing came instead of an answer to this offer
		return
	}
	if ended.Answer || next.Queued || in == nil {
		st.Active, st.Suspended = next, st.Suspended[:last]
		st.restore()
		st.unqueue(in)
		return
	}
	if in.Policy.Digression == config.DigressionAsk {
		st.offerResume()
		return
	}
	st.resume()
}

// unqueue begins a frame that waited, with the values that were said for it.
func (st *Turn) unqueue(in *config.Intent) {
	f := st.Active
	if !f.Queued || in == nil {
		return
	}
	f.Queued = false
	given := f.Params
	f.Params = nil
	for p := range in.EachParam {
		if c := given[p.Name]; c != nil {
			st.setCell(p, c)
		}
	}
}

// resume makes the last suspended frame the active one and says so.
func (st *Turn) resume() {
	last := len(st.Suspended) - 1
	st.Active, st.Suspended = st.Suspended[last], st.Suspended[:last]
	st.restore()
	st.Active.Failed = ""                                      // what failed is tried again
	st.Active.eachCaller(func(f *frame) { f.Confirmed = nil }) // but a write is confirmed again: its yes came before the other task (rule 13)
	in := st.Active.task(st.def)
	switch {
	case in == nil:
	case st.Active.Queued: // not begun yet: no "back to"
		st.unqueue(in)
	default:
		st.later("resume", map[string]any{"intent": title(in)})
	}
}

// offerResume asks which suspended task to go on with.
func (st *Turn) offerResume() {
	var options []Option
	for i := len(st.Suspended) - 1; i >= 0; i-- {
		if in := st.Suspended[i].task(st.def); in != nil {
			options = append(options, Option{Value: st.Suspended[i].ID, Label: title(in)})
		}
	}
	if len(options) == 0 {
		return
	}
	st.Agenda = append(st.Agenda, Offer{
		position: position{agenda: true},
		Prompt:   render(st, "resume_offer", map[string]any{"options": labels(options)}),
		Options:  options, kind: askResumeOne,
	})
}
