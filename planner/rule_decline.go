package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// proposeDecline reads a polite refusal of a question that needs an answer: "no thank you", "maybe
// another time". It ends the task; a bare "no" does not, since it may be a slip.
func (r *interpreter) proposeDecline() []reading {
	q := r.st.Open
	if q == nil || q.Kind != askParam || r.asked == nil || r.st.Active == nil || r.takesNo(q) || r.asked.Type.Builtin == "boolean" {
		return nil
	}
	x := reading{Rule: "decline", Intent: "deny", kind: kindStop, perform: (*interpreter).declineTask}
	for i := range r.clauses {
		c := &r.clauses[i]
		no := r.noIn(c)
		switch {
		case c.values != 0 || c.any(message.ActQuestion, message.ActRequest, message.ActCorrect, message.ActUnknown):
			return nil
		case no >= likely && (c.p(message.ActThanks) >= likely || anotherTime(c.words)):
			x.evidence = max(x.evidence, no)
		case no >= likely || c.courteous() || c.filler() || c.tells() || c.is(message.ActHold):
		default:
			return nil
		}
		x.clauses |= only(i)
	}
	if x.evidence == 0 {
		return nil
	}
	return []reading{x}
}

// anotherTime reports whether words put something off to an open date: "maybe another time".
func anotherTime(words []string) bool {
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(words, func(w string) bool { return set[w] })
	}
	return has(othersInTime) && has(times)
}

var (
	othersInTime = wordSet("others_in_time")
	times        = wordSet("times")
)

// declineTask ends the task under way and keeps it for a while, so that "actually yes" takes it up
// again.
func (r *interpreter) declineTask() {
	kept := r.st.declining()
	r.stopActive()
	r.st.Declined = kept
}
