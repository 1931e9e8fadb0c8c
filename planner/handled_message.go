package planner

import "slices"

// HandledMessage is a message whose turn crashed after it had made a write call, and whose outcome
// the turn of a later message recovered and reported. If the client sends the message again, it
// must not answer the question that is open by then: a yes to one order must not confirm the next.
type handledMessage struct {
	Message string `json:"message"` // as [InterruptedCall.MessageDigest] names it
	Told    string `json:"told"`    // id of the response that says what became of its call
}

// keptSpent bounds how many are kept: a message is sent again soon, or never.
const maxHandled = 16

// spend notes the message of a lost call, unless it is the one being answered.
func (st *Turn) markHandled(call InterruptedCall) {
	if call.MessageDigest == "" || call.MessageDigest == st.MessageDigest {
		return
	}
	st.Handled = slices.DeleteFunc(st.Handled, func(s handledMessage) bool { return s.Message == call.MessageDigest })
	st.Handled = append(st.Handled, handledMessage{Message: call.MessageDigest, Told: outcomeResponse(call.Outcome)})
	if over := len(st.Handled) - maxHandled; over > 0 {
		st.Handled = slices.Delete(st.Handled, 0, over)
	}
}

// HasSpent says whether the message has had its effect. It may lead to the same calls again,
// which are not made a second time, and to no others.
func (st *Turn) IsHandled() bool { return st.MessageDigest != "" && st.handledIndex() >= 0 }

func (st *Turn) handledIndex() int {
	return slices.IndexFunc(st.Handled, func(s handledMessage) bool { return s.Message == st.MessageDigest })
}

// spent answers a message that would have another effect than it had: what became of its call is
// told once more, and what is asked is asked again.
func (r *interpreter) repeatHandled() {
	r.say(r.st.Handled[r.st.handledIndex()].Told, nil)
	r.again()
}
