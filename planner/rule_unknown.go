package planner

// unread is where no reading has enough for it: nothing was understood (rules 5, 19).
func (r *hearing) unread() {
	q := r.st.Open
	switch {
	case r.planned():
		if q.Kind == AskParam {
			r.st.Active.attempt(q.Param)
			r.st.note(q.Param, noteUnread)
		} else {
			r.st.Active.attempt(q.Step)
		}
		r.st.Open = nil
	case q != nil && q.Kind == AskChoice && r.asked != nil:
		r.chooseAgain(q)
	case q != nil && q.Kind == AskIntent:
		r.clarifyAgain(q.Options, "invalid_choice")
		r.offering(func(c *Choose) { c.behind, c.said, c.brought = q.Behind, q.Said, q.Brought })
	default:
		r.fallback()
	}
}

// chooseAgain offers the values of a choice that stands in no plan once more, until the
// param's limit; then the plan asks for the param, or gives up.
func (r *hearing) chooseAgain(q *Question) {
	f := r.st.Active
	f.attempt(q.Param)
	r.st.Open = nil
	if f.Attempts[q.Param] > r.asked.Policy.MaxRetries {
		return
	}
	prompt := render(r.def, r.st, "invalid_choice", map[string]any{"options": labels(q.Options)})
	r.st.Agenda = append(r.st.Agenda, Choose{
		position: position{agenda: true}, Param: q.Param, Prompt: prompt,
		Options: q.Options, Attempt: f.Attempts[q.Param], kind: AskChoice,
	})
}

// fallback answers what nothing matched. An open question of the dialogue lapses.
func (r *hearing) fallback() {
	r.st.Open = nil
	if in := r.def.Intent(r.def.Classifier.Fallback); in != nil {
		alone := r.st.Active == nil
		if !alone {
			r.st.suspend(r.def)
		}
		r.st.begin(in, r.def)
		r.st.Active.Answer, r.st.Active.Standalone = true, alone
		return
	}
	r.say("fallback", nil)
}
