package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// A message may bring values for a sub-task that has not begun, and for the callers of the one under
// way: neither waits until it is asked.

// takeEarly returns what the user has said for a param before its sub-task began, and forgets it.
func (f *frame) takeEarly(p *config.Param) (found *paramCell) {
	f.eachCaller(func(f *frame) {
		if c := f.Early[p.Name]; c != nil && found == nil {
			found = c
			delete(f.Early, p.Name)
		}
	})
	return found
}

// partParam returns the param of a name that a sub-task of an intent, or one of its own sub-tasks,
// asks for; nil if none does.
func partParam(def *config.Agent, in *config.Intent, name string) (found *config.Param) {
	def.WalkAll(in, func(s *config.Step) {
		if s.Kind != config.StepRun || found != nil || len(s.With[name].Ref) > 0 {
			return
		}
		if part := def.Intent(s.Run); part != nil {
			found = part.Param(name)
		}
	})
	return found
}

// callerValues returns the values that correct params of the callers of the task under way, or give
// those that the callers lack; the sub-task itself does not take them. A list of objects reads what
// is said while it is asked for by itself.
func (r *interpreter) callerValues() (of set, evidence float64) {
	part, partIn := r.st.Active, r.in
	defer func() { r.st.Active, r.in = part, partIn }()
	for f := part.Caller; f != nil && part.List == ""; f = f.Caller {
		r.st.Active, r.in = f, r.def.Intent(f.Intent)
		for _, group := range r.groups() {
			v, p := r.choose(r.in, group.values)
			if p == nil || r.in.Param(p.Name) == nil || partIn.Param(p.Name) != nil || p == r.asked || r.unclear(v) {
				continue
			}
			if e, changed := r.worth(p, v); e > 0 && changed {
				of |= group.at
				evidence = max(evidence, e)
			}
		}
	}
	return of, evidence
}

// keepForParts keeps values for the sub-tasks of the task under way that ask for them: "wake me at six,
// my booking is H-2001".
func (r *interpreter) keepForParts(in *config.Intent, from set) {
	f := r.st.Active
	if f == nil || f.Intent != in.ID {
		return
	}
	for _, group := range spans(r.valuesOf(from)) {
		if _, p := r.choose(in, group); p != nil {
			continue
		}
		for _, v := range group {
			p := partParam(r.def, in, v.Param)
			if p == nil || v.Source == sourceText || v.Source == sourceBare || v.Cues.Has(message.CueAsked) || !r.usable(in, p, v) {
				continue
			}
			if f.Early == nil {
				f.Early = map[string]*paramCell{}
			}
			f.Early[p.Name] = &paramCell{Value: v.Value, Turn: r.st.Number, At: r.st.Now, Source: v.Source}
			break
		}
	}
}

// takeThrough fills the params of the task under way with values of the message, and those of its
// callers with the values that it does not take itself. A sub-task that was begun with a value that
// changes begins anew.
func (r *interpreter) takeThrough(left set) {
	goesOn := r.st.Active
	for f := goesOn; f != nil; f = f.Caller {
		in := r.def.Intent(f.Intent)
		var own set
		for _, i := range left.members() {
			if in.Param(r.msg.Values[i].Param) != nil {
				own |= only(i)
			}
		}
		r.st.Active, r.in = f, in
		r.take(in, own)
		left &^= own
		if f.Caller == nil {
			break
		}
		if step := f.runStep(r.def); step != nil && slices.ContainsFunc(left.members(), func(i int) bool { return slices.Contains(step.Reads, r.msg.Values[i].Param) }) {
			goesOn = f.Caller
		}
	}
	r.st.Active = goesOn
	r.in = r.st.intent(r.def)
}
