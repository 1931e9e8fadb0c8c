package planner

import "slices"

// handledMessage is a message whose turn crashed after it had made a write call, and whose outcome
// the turn of a later message recovered and reported. If the client sends the message again, it
// must not answer the question that is open by then: a yes to one order must not confirm the next.
type handledMessage struct {
	Message string `json:"message"` // digest, see [InterruptedCall.MessageDigest]
	Told    string `json:"told"`    // id of the response that reports the outcome
}

// maxHandled is how many messages are kept. A client sends a message again soon or never.
const maxHandled = 16

// markHandled stores the message of an interrupted call, unless it is the message of this turn.
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

// IsHandled reports whether the message had its effect before. It may lead to the same calls again,
// which are not repeated, and to no others.
func (st *Turn) IsHandled() bool { return st.MessageDigest != "" && st.handledIndex() >= 0 }

func (st *Turn) handledIndex() int {
	return slices.IndexFunc(st.Handled, func(s handledMessage) bool { return s.Message == st.MessageDigest })
}

// repeatHandled answers a message that had its effect before: it reports the outcome of its call
// again and repeats the open question.
func (r *interpreter) repeatHandled() {
	r.say(r.st.Handled[r.st.handledIndex()].Told, nil)
	r.again()
}
