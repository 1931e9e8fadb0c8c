package planner

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// unread answers a message that no reading explains well enough (rules 5, 19).
func (r *interpreter) unread() {
	q := r.st.Open
	switch {
	case r.planned() && q.Kind == askParam && r.keep():
	case r.planned():
		if q.Kind == askParam {
			r.st.Active.attempt(q.Param)
			r.st.note(q.Param, noteUnread)
		} else {
			r.st.Active.attempt(q.Step)
		}
		r.st.Open = nil
	case q != nil && q.Kind == askChoice && r.asked != nil:
		r.chooseAgain(q, "invalid_choice")
	case q != nil && q.Kind == askIntent:
		r.clarifyAgain(q.Options, "invalid_choice")
		r.offering(func(c *Choose) { c.behind, c.said, c.brought = q.Behind, q.Said, q.Brought })
	default:
		r.fallback()
	}
}

// keep takes an answer that is none of an enumeration's values as text, the second time that it is none,
// if the param says so. A question and a request are no answer.
func (r *interpreter) keep() bool {
	p, text := r.asked, strings.TrimSpace(r.msg.Text)
	if p == nil || p.Else != config.ElseKeep || r.st.Active.Attempts[p.Name] == 0 || text == "" ||
		slices.ContainsFunc(r.clauses, func(c clause) bool { return c.any(message.ActQuestion, message.ActRequest) }) {
		return false
	}
	r.fill(r.in, p, message.Value{Param: p.Name, Value: text, Text: text, End: r.size, Source: sourceText, Confidence: 1})
	return r.st.cell(p) != nil
}

// chooseAgain repeats a choice that is not in the plan, in the words of a response, up to the param's limit. After
// that the plan asks for the param, or gives up.
func (r *interpreter) chooseAgain(q *openQuestion, response string) {
	f := r.st.Active
	f.attempt(q.Param)
	r.st.Open = nil
	if f.Attempts[q.Param] > r.asked.Policy.MaxRetries {
		return
	}
	prompt := render(r.st, response, map[string]any{"options": labels(q.Options)})
	r.st.Agenda = append(r.st.Agenda, Choose{
		position: position{agenda: true}, Param: q.Param, Prompt: prompt,
		Options: q.Options, Attempt: f.Attempts[q.Param], kind: askChoice,
	})
}

// fallback answers a message that matches nothing. An open question of the dialogue is dropped.
func (r *interpreter) fallback() {
	r.st.Open = nil
	if in := r.def.Intent(r.def.Classifier.Fallback); in != nil {
		alone := r.st.Active == nil
		if !alone {
			r.st.suspend()
		}
		r.st.begin(in)
		r.st.Active.Answer, r.st.Active.Standalone = true, alone
		return
	}
	r.say("fallback", nil)
}
