package planner

import (
	"maps"
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// declinedConfirm is a task whose confirmation the user has declined, while the no can be taken
// back.
type declinedConfirm struct {
	Frame *frame                `json:"frame"`
	Kept  map[string]*paramCell `json:"kept,omitempty"` // the session params that it was about
	Turn  int64                 `json:"turn"`           // of the no
}

// declining returns the task under way as it is kept when the user declines it. The sub-task under way
// leads to its callers.
func (st *Turn) declining() *declinedConfirm {
	d := &declinedConfirm{Frame: st.Active, Turn: st.Number, Kept: map[string]*paramCell{}}
	st.Active.eachCaller(func(f *frame) { maps.Copy(d.Kept, st.sessionOf(st.def.Intent(f.Intent))) })
	return d
}

// proposeTakenBack reads "actually yes" after a no: it asks the same confirmation again. It runs
// nothing itself.
func (r *interpreter) proposeTakenBack() []reading {
	d := r.st.Declined
	if d == nil || r.st.Number-d.Turn > declinedFor || r.st.Active != nil || r.st.Open != nil || r.def.Intent(d.Frame.Intent) == nil {
		return nil
	}
	if x := r.asksAfterAll(d); x != nil {
		return []reading{*x}
	}
	x := reading{Rule: "taken back", Intent: "affirm", kind: kindTask}
	for i := range r.clauses {
		c := &r.clauses[i]
		switch {
		case c.p(message.ActYes) >= likely || c.Stock == "affirm" || len(c.words) <= 4 && slices.Contains(c.words, "yes"):
			x.evidence = max(x.evidence, c.p(message.ActYes), 0.8)
			x.clauses |= only(i)
		case c.courteous() || c.any(message.ActHold, message.ActCorrect):
			x.clauses |= only(i)
		case c.any(message.ActNo, message.ActQuestion, message.ActRequest):
			return nil
		}
	}
	x.perform = func(r *interpreter) { r.takeUp(d) }
	return []reading{x}
}

// takeUp makes a declined task the active one again.
func (r *interpreter) takeUp(d *declinedConfirm) {
	maps.Copy(r.st.Session, d.Kept)
	r.st.Active, r.st.Declined = d.Frame, nil
	r.in = r.st.intent(r.def)
	r.spoke = true
}

// asksAfterAll reads a request for the declined task that refers back to it: "actually, book it for
// Wednesday". The task goes on with what it knew and with the values of the message.
func (r *interpreter) asksAfterAll(d *declinedConfirm) *reading {
	task := d.Frame.task(r.def)
	for _, q := range r.requests() {
		of := q.clauses
		if q.in != task || q.asks || q.close || q.sure < r.def.Classifier.Threshold && !r.changes(task, of) {
			continue
		}
		if !slices.ContainsFunc(of.members(), func(i int) bool { return r.clauses[i].hasAny(backReferences) }) {
			continue
		}
		return &reading{
			Rule: "taken back", Intent: q.in.ID, kind: kindTask, evidence: max(q.sure, 0.95), clauses: of | r.leading(),
			perform: func(r *interpreter) {
				r.takeUp(d)
				r.takeThrough(r.allValues())
			},
		}
	}
	return nil
}

// changes reports whether clauses correct a value that a task takes: "actually, make it the harbour".
func (r *interpreter) changes(task *config.Intent, clauses set) bool {
	return slices.ContainsFunc(clauses.members(), func(i int) bool {
		c := &r.clauses[i]
		return c.p(message.ActCorrect) >= likely && slices.ContainsFunc(r.valuesOf(c.values), func(v message.Value) bool { return task.Param(v.Param) != nil })
	})
}

// backReferences are words about what was just talked about.
var backReferences = wordSet("back_references")
