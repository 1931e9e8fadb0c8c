package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// fragment reports whether a request is only a few words that wish, ask and state nothing, in reply
// to a question for a value: "some time next week" is a poor answer, but it begins no task.
func (r *interpreter) fragment(q request) bool {
	if q.exact || r.asked == nil || r.st.Active == nil || len(r.msg.Clauses) == 0 {
		return false
	}
	return !slices.ContainsFunc(q.clauses.members(), func(i int) bool {
		c := &r.clauses[i]
		if c.any(message.ActRequest, message.ActQuestion, message.ActState, message.ActStop, message.ActAdd, message.ActUndo, message.ActOutcome, message.ActCorrect) {
			return true
		}
		tries := slices.ContainsFunc(r.msg.Wrong, func(v message.Value) bool { return v.Param == r.asked.Name && c.meets(v) })
		return !tries && (r.verbOf(q.in.Called(), r.clauses[i:i+1]) || r.verbOf(q.in.ID, r.clauses[i:i+1]))
	})
}

// nearlyCertain is the confidence from which a task that writes interrupts a confirmation.
const nearlyCertain = 0.9

// mayInterrupt reports whether a request is sure enough to interrupt the open question.
func (r *interpreter) mayInterrupt(q request, e float64) bool {
	open := r.st.Open
	switch {
	case q.exact || open == nil || r.st.Active == nil || r.mistaken():
		return true
	case open.Kind == askConfirm && !q.in.AnswerOnly:
		return e >= nearlyCertain || !r.def.Writes(q.in) && (q.asks || e >= sure)
	case r.freeText():
		return e >= sure && (q.asks || !q.in.AnswerOnly)
	case r.asked != nil && len(r.msg.Clauses) > 0 && !r.asksOrRequests(q):
		return e >= sure // a story answers badly, and seldom begins something else
	}
	return true
}

// asksOrRequests reports whether a clause of a request asks or wishes something.
func (r *interpreter) asksOrRequests(q request) bool {
	return slices.ContainsFunc(q.clauses.members(), func(i int) bool {
		return r.clauses[i].any(message.ActRequest, message.ActQuestion, message.ActStop, message.ActUndo)
	})
}

// forbids reports whether the open question does not let the intent interrupt it.
func (r *interpreter) forbids(in *config.Intent) bool {
	if r.asked == nil || r.st.Open == nil {
		return r.planned() && !in.AnswerOnly && r.in.Policy.Digression == config.DigressionBlock
	}
	if !in.AnswerOnly && r.asked.Policy.Digression == config.DigressionBlock {
		return true
	}
	if r.asked.Interruptions == nil {
		return false
	}
	return !slices.Contains(r.asked.Interruptions, in.ID)
}
