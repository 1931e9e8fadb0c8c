package planner

import "slices"

// Spent is a message whose turn was lost after it had made a call, and whose call the turn of
// another message concluded and told of. It may come again, late: what it says is no answer to
// what is asked by then. A yes to one order must not confirm the next.
type Spent struct {
	Message string `json:"message"` // as [Lost.Message] names it
	Told    string `json:"told"`    // id of the response that says what became of its call
}

// keptSpent bounds how many are kept: a message is sent again soon, or never.
const keptSpent = 16

// spend notes the message of a lost call, unless it is the one being answered.
func (st *Turn) spend(call Lost) {
	if call.Message == "" || call.Message == st.Mark {
		return
	}
	st.Spent = slices.DeleteFunc(st.Spent, func(s Spent) bool { return s.Message == call.Message })
	st.Spent = append(st.Spent, Spent{Message: call.Message, Told: fateOf(call.Outcome)})
	if over := len(st.Spent) - keptSpent; over > 0 {
		st.Spent = slices.Delete(st.Spent, 0, over)
	}
}

// HasSpent says whether the message has had its effect. It may lead to the same calls again,
// which are not made a second time, and to no others.
func (st *Turn) HasSpent() bool { return st.Mark != "" && st.spentAt() >= 0 }

func (st *Turn) spentAt() int {
	return slices.IndexFunc(st.Spent, func(s Spent) bool { return s.Message == st.Mark })
}

// spent answers a message that would have another effect than it had: what became of its call is
// told once more, and what is asked is asked again.
func (r *hearing) spent() {
	r.say(r.st.Spent[r.st.spentAt()].Told, nil)
	r.again()
}
