package planner

import (
	"maps"
	"slices"
)

// declinedConfirm is a task whose confirmation the user has declined, while the no can be taken
// back.
type declinedConfirm struct {
	Frame *frame                `json:"frame"`
	Kept  map[string]*paramCell `json:"kept,omitempty"` // the session params that it was about
	Turn  int64                 `json:"turn"`           // of the no
}

// proposeTakenBack reads "actually yes" after a no: it asks the same confirmation again. It runs
// nothing itself.
func (r *interpreter) proposeTakenBack() []reading {
	d := r.st.Declined
	if d == nil || r.st.Number-d.Turn > declinedFor || r.st.Active != nil || r.st.Open != nil || r.def.Intent(d.Frame.Intent) == nil {
		return nil
	}
	x := reading{Rule: "taken back", Intent: "affirm", kind: kindTask}
	for i := range r.clauses {
		c := &r.clauses[i]
		switch {
		case c.p(actYes) >= likely || c.Stock == "affirm" || len(c.words) <= 4 && slices.Contains(c.words, "yes"):
			x.evidence = max(x.evidence, c.p(actYes), 0.8)
			x.clauses |= only(i)
		case c.courteous() || c.any(actHold, actCorrect):
			x.clauses |= only(i)
		case c.any(actNo, actQuestion, actRequest):
			return nil
		}
	}
	x.perform = func(r *interpreter) {
		maps.Copy(r.st.Session, d.Kept)
		r.st.Active, r.st.Declined = d.Frame, nil
		r.in = r.st.intent(r.def)
		r.spoke = true
	}
	return []reading{x}
}
