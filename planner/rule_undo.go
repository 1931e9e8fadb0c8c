package planner

import "github.com/slotway/slotway/classifier/message"

// proposeUndo reads "undo that" after a task that wrote: it begins the declared inverse, or says
// that there is none.
func (r *interpreter) proposeUndo() []reading {
	x := reading{Rule: "undo", kind: kindTask, perform: (*interpreter).undoLast}
	for i := range r.clauses {
		c := &r.clauses[i]
		if c.is(message.ActUndo) {
			x.evidence = max(x.evidence, c.p(message.ActUndo))
			x.clauses |= only(i)
		} else if c.courteous() || c.filler() || c.any(message.ActNo, message.ActHold, message.ActCorrect) && c.values == 0 {
			x.clauses |= only(i)
		}
	}
	if x.evidence < likely || !r.mayUndo() {
		return nil
	}
	return []reading{x}
}

// mayUndo reports whether there is a task that can be undone: it was finished a few turns ago, and none is
// under way.
func (r *interpreter) mayUndo() bool {
	e, _ := r.lately()
	return e != nil && r.st.Active == nil
}

// undoLast begins the inverse of the finished task with its values, or says that it has none.
func (r *interpreter) undoLast() {
	e, in := r.lately()
	r.st.Open = nil
	if in.Undo == nil || e.Outcome != outcomeDone {
		r.say("undo_impossible", map[string]any{"title": in.Called()})
		return
	}
	r.interrupt(in.Undo, 0)
	for name, c := range e.Params {
		if p := in.Undo.Param(name); p != nil && r.st.cell(p) == nil {
			kept := *c
			r.st.setCell(p, &kept)
		}
	}
}
