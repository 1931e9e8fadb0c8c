package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// mistaken reports whether the message objects to the task under way, which the last question
// named, or says that something else was meant. A task that it asks for then replaces the one under
// way.
func (r *interpreter) mistaken() bool {
	f, q := r.st.Active, r.st.Open
	if f == nil || q == nil || q.Kind != askParam && q.Kind != askChoice || f.wrote() {
		return false
	}
	return slices.ContainsFunc(r.clauses, func(c clause) bool {
		return c.hasAny(meaning) || f.Led == r.st.Number-1 && f.Led > 0 && r.objects(&c)
	})
}

var meaning = wordSet("meaning")

// objects reports whether a clause says that something is not wanted. If any text may be the
// answer, the clause must refer to what was said: "no hot water" is an answer.
func (r *interpreter) objects(c *clause) bool {
	switch {
	case c.values != 0 && !r.freeText(), r.asked != nil && r.asked.Type.Builtin == "boolean":
		return false
	case c.Stock == "deny" || c.hasAny(meaning):
		return true
	case r.freeText() && !c.hasAny(pointing):
		return false
	}
	return c.is(message.ActNo) || c.is(message.ActCorrect)
}

var pointing = wordSet("pointing")

// proposeObjection reads an objection without another request: it ends the task and asks for other
// words.
func (r *interpreter) proposeObjection() []reading {
	if !r.mistaken() || r.st.Active.Led != r.st.Number-1 || r.takesNo(r.st.Open) && len(r.words) <= brief {
		return nil
	}
	if slices.ContainsFunc(r.requests(), func(q request) bool { return q.in != r.in && q.sure >= r.def.Classifier.Threshold }) {
		return nil // that takes its place
	}
	x := reading{Rule: "objection", Intent: "deny", kind: kindStop, evidence: 0.95, perform: func(r *interpreter) {
		r.stopActive()
		if r.st.Active == nil && len(r.st.Suspended) == 0 {
			r.say("rephrase", nil)
		}
	}}
	for i := range r.clauses {
		switch c := &r.clauses[i]; {
		case r.objects(c):
			x.clauses |= only(i)
		case c.courteous() || c.filler():
			x.clauses |= only(i)
			x.around |= only(i)
		}
	}
	return []reading{x}
}
