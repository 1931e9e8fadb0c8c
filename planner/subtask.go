package planner

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
)

// A run step carries out another task as a part of its own. The sub-task is a frame with a caller:
// it is the active one, the caller waits within it, and both are suspended, resumed and stopped
// together. Its params and results are its own; `with` and `save` say what goes in and comes out.

// root returns the task that a frame is a part of: the one that the user asked for.
func (f *frame) root() *frame {
	for f.Caller != nil {
		f = f.Caller
	}
	return f
}

// task returns the intent that the user asked for: that of the outermost caller.
func (f *frame) task(def *config.Agent) *config.Intent { return def.Intent(f.root().Intent) }

// under reports whether an intent is that of a frame or of one of its callers.
func (f *frame) under(in *config.Intent) bool {
	for ; f != nil; f = f.Caller {
		if f.Intent == in.ID {
			return true
		}
	}
	return false
}

// eachFrame calls visit for every frame of the state, and for their callers.
func (st *State) eachFrame(visit func(*frame)) {
	st.Active.eachCaller(visit)
	for _, f := range st.Suspended {
		f.eachCaller(visit)
	}
}

// eachCaller calls visit for a frame, which may be nil, and for its callers.
func (f *frame) eachCaller(visit func(*frame)) {
	for ; f != nil; f = f.Caller {
		visit(f)
	}
}

// runStep returns the step of the caller that runs a sub-task, nil if the definition has it no more.
func (f *frame) runStep(def *config.Agent) *config.Step {
	in := def.Intent(f.Caller.Intent)
	if in == nil {
		return nil
	}
	s := findStep(in.Plan, f.RunBy)
	if s == nil || s.Kind != config.StepRun || s.Run != f.Intent {
		return nil
	}
	return s
}

func (pl *planning) stepRun(s *config.Step) Step {
	place := pl.at(s)
	place.Ends = false // the plan ends when the sub-task has
	return Run{position: place, Intent: s.Run, values: resolve(s.With, pl.env)}
}

// beginRun begins a sub-task with the values of its run step. Its name is made from that of the
// caller, so a crashed turn that runs again gives it the same one.
func (st *Turn) beginRun(s Run) {
	if s.list != "" {
		st.beginElement(s)
		return
	}
	caller, in := st.Active, st.def.Intent(s.Intent)
	if caller.Runs == nil {
		caller.Runs = map[string]int{}
	}
	caller.Runs[s.ID]++
	st.keepSession(caller)
	st.Active = &frame{
		ID: caller.ID + "/" + s.ID + "/" + strconv.Itoa(caller.Runs[s.ID]), Intent: s.Intent, Version: st.def.Hash,
		Caller: caller, RunBy: s.ID, Doubtful: caller.Doubtful,
	}
	caller.Doubtful = false
	st.known(in)
	step := st.Active.runStep(st.def)
	for p := range in.EachParam {
		if v := s.values[p.Name]; v != nil {
			st.give(in, p, v, caller.handedOn(st.def, step, p.Name) != nil)
		} else if c := caller.takeEarly(p); c != nil && st.cell(p) == nil {
			st.setCell(p, c)
			st.prefilled(in, p, c)
		}
	}
}

// give sets a param of a new sub-task to a value of its run step. A value that is none of the
// param's type is reported, and the sub-task asks.
func (st *Turn) give(in *config.Intent, p *config.Param, value any, fromParam bool) {
	source := sourceTool
	if fromParam {
		source = "context"
	} else if v, ok := derived(p, value); ok {
		value = v
	} else {
		st.RejectedParams = append(st.RejectedParams, p.Name)
		return
	}
	c := &paramCell{Value: value, Turn: st.Number, At: st.Now, Source: source}
	st.setCell(p, c)
	st.prefilled(in, p, c)
}

// handedOn returns the param of the caller whose value a run step hands on as it is under a name of
// the sub-task, nil if it is none.
func (f *frame) handedOn(def *config.Agent, step *config.Step, name string) *config.Param {
	if step == nil || len(step.With[name].Ref) != 1 {
		return nil
	}
	return def.Intent(f.Intent).Param(step.With[name].Ref[0])
}

// keepSession keeps the session params of a caller, to see later what its sub-task has changed.
func (st *Turn) keepSession(caller *frame) {
	caller.Kept = st.sessionOf(st.def.Intent(caller.Intent))
}

// finish ends the active frame. A sub-task returns to its caller; any other task is over.
func (st *Turn) finish() {
	if st.Active == nil || st.Active.Caller == nil {
		st.finishTask()
		return
	}
	child := st.Active
	if list := child.list(st.def); list != nil {
		st.finishElement(list)
		return
	}
	step := child.runStep(st.def)
	if step == nil {
		st.finishTask()
		return
	}
	values, corrected := st.outOf(child, step)
	st.backToCaller()
	for name := range corrected {
		st.setCell(st.intent(st.def).Param(name), corrected[name])
		st.undo(st.intent(st.def), name)
	}
	st.Active.runDone(child)
	st.receive(values)
	if step.End {
		st.finish()
	}
}

// runDone marks the run step of a sub-task as carried out. If the sub-task has written something,
// it is not run again.
func (f *frame) runDone(child *frame) {
	if f.Done == nil {
		f.Done = map[string]mark{}
	}
	if f.Done[child.RunBy] != markWrote {
		f.Done[child.RunBy] = markDone
	}
}

// outOf returns what a sub-task gives to its caller: the values that `save` names, and the params of
// the caller that `with` hands on and that the user has corrected in the sub-task.
func (st *Turn) outOf(child *frame, step *config.Step) (values map[string]any, corrected map[string]*paramCell) {
	in := st.def.Intent(child.Intent)
	env := st.env(in)
	if in.Param(config.RunDone) == nil {
		env[config.RunDone] = true
	}
	values = map[string]any{}
	for name, path := range step.Saves {
		values[name], _ = expr.Lookup(env, path)
	}
	corrected = map[string]*paramCell{}
	made := child.Caller.sources(st.def.Intent(child.Caller.Intent))
	for name := range step.With {
		from := child.Caller.handedOn(st.def, step, name)
		if from == nil || from.Scope == config.ScopeSession || made[from.Name] {
			continue
		}
		now, before := child.Params[name], child.Caller.Params[from.Name]
		if now != nil && before != nil && now.Source != sourceTool && !same(now.Value, before.Value) {
			kept := *now
			kept.Checked = false
			corrected[from.Name] = &kept
		}
	}
	return values, corrected
}

// receive sets names of the caller to values of its sub-task: params of the intent, else results.
// A value that is none of a param's type is reported and not taken.
func (st *Turn) receive(values map[string]any) {
	in := st.intent(st.def)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value, p := values[name], in.Param(name)
		switch {
		case p == nil:
			st.Active.save(name, value)
			continue
		case value == nil:
			continue
		}
		v, ok := derived(p, value)
		if !ok || !fits(p, v, st.env(in)) {
			st.RejectedParams = append(st.RejectedParams, name)
			continue
		}
		st.setCell(p, &paramCell{Value: v, Turn: st.Number, At: st.Now, Source: sourceTool})
	}
	st.derive(in, slices.Collect(maps.Keys(values))...)
}

// backToCaller makes the caller of a sub-task the active frame, with what the sub-task did.
func (st *Turn) backToCaller() {
	child := st.Active
	caller := child.Caller
	st.Active, st.Open = caller, nil
	st.remember(child)
	caller.Unknown, caller.Broken = caller.Unknown || child.Unknown, caller.Broken || child.Broken
	caller.Doubtful, caller.Led = child.Doubtful, max(caller.Led, child.Led)
	if child.wroteItself() {
		if caller.Done == nil {
			caller.Done = map[string]mark{}
		}
		caller.Done[child.RunBy] = markWrote
	}
	if len(child.Parked) > 0 && caller.Parked == nil {
		caller.Parked = map[string]*paramCell{}
	}
	maps.Copy(caller.Parked, child.Parked)
	st.undoSession(caller)
}

// undoSession drops what a caller derived from session params that its sub-task has changed.
func (st *Turn) undoSession(caller *frame) {
	in := st.def.Intent(caller.Intent)
	if in == nil {
		return
	}
	for p := range in.EachParam {
		if p.Scope != config.ScopeSession {
			continue
		}
		before, now := caller.Kept[p.Name], st.Session[p.Name]
		if (before == nil) != (now == nil) || before != nil && !same(before.Value, now.Value) {
			caller.undo(in, p.Name)
		}
	}
	caller.Kept = nil
}

// fail ends the active frame because of an error. A caller whose run step expects the error goes
// on; fail returns false if none does, and the whole task is over.
func (st *Turn) fail(code string) (goesOn bool) {
	for st.Active != nil && st.Active.Caller != nil {
		child := st.Active
		step := child.runStep(st.def)
		st.backToCaller()
		if step == nil {
			continue
		}
		on := st.onError(step, code)
		if on == nil {
			continue
		}
		return st.expected(step, on, map[string]any{"code": code})
	}
	st.finishTask()
	return false
}

// callerExpects reports whether a run step around the active frame names what follows an error, and
// so that the user hears of it: it says something, or its plan goes on.
func (st *Turn) callerExpects(code string) bool {
	for f := st.Active; f.Caller != nil; f = f.Caller {
		s := f.runStep(st.def)
		if s == nil {
			continue
		}
		on := cmp.Or(s.OnError[code], s.OnError["*"])
		if on != nil {
			return on.Respond != "" || !on.End && !s.End
		}
	}
	return false
}

// expected follows the on_error of a run step whose sub-task has failed.
func (st *Turn) expected(step *config.Step, on *config.OnError, failure map[string]any) (goesOn bool) {
	for name, path := range step.Saves {
		delete(st.Active.Results, name)
		if path[0] == config.RunDone {
			st.Active.save(name, false)
		}
	}
	forgot, ended := st.follow(on, failure)
	if ended {
		return st.fail(config.RunFailed)
	}
	if !forgot {
		st.done(position{ID: step.ID})
		if step.End {
			st.finish()
		}
	}
	return true
}

// onError returns what a step of the task under way does about an error, nil if nothing.
func (st *Turn) onError(s *config.Step, code string) *config.OnError {
	way := code
	if s.OnError[way] == nil {
		way = "*"
	}
	on := s.OnError[way]
	if on != nil {
		st.way(s.ID, way)
	}
	return on
}
