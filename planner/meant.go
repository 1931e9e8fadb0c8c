package planner

import (
	"slices"

	"github.com/slotway/slotway/config"
)

// givenRules are the rules for what a program says: the same in their order, without those
// that look at words.
var givenRules = []rule{
	{"a system intent", (*reading).system},
	{"values for the task under way", (*reading).values},
	{"another intent", (*reading).intent},
	{"what was taken is enough", (*reading).enough},
	{"nothing in it that counts", func(r *reading) bool { return len(r.h.Unread) > 0 || r.unread() }},
}

// unreadable counts values that a type cannot read as invalid answers: the plan asks for
// them and says why. A correction that cannot be read keeps the old value (rule 8).
func (r *reading) unreadable() {
	for _, name := range r.h.Unread {
		p := r.def.Params[name]
		if r.in != nil && r.in.Param(name) != nil {
			p = r.in.Param(name)
		}
		if p == nil {
			continue
		}
		r.st.Agenda = append(r.st.Agenda, Respond{Place: Place{agenda: true}, Response: "invalid", Text: r.illegible(p)})
		if r.st.Active != nil && r.in != nil && r.in.Param(name) != nil && r.st.cell(p) == nil {
			r.st.Active.attempt(name)
		}
		r.again()
	}
}

// illegible says that a value was not understood. What it was is not known here.
func (r *reading) illegible(p *config.Param) string {
	env := r.st.env(r.in)
	if p.Validation.Invalid != nil && !slices.Contains(p.Validation.Invalid.Names(), p.Name) {
		return p.Validation.Invalid.Render(env)
	}
	wrong := "I can't read that as the " + p.Label + "."
	if p.Type.Example != "" {
		wrong += " It looks like " + p.Type.Example + "."
	}
	return wrong
}
