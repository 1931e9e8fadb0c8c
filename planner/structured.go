package planner

import (
	"slices"

	"github.com/slotway/slotway/config"
)

// structured reads a structured input: a system intent, values, or a task. There are no words to
// weigh.
func (r *interpreter) structured() {
	in := r.def.Intent(r.msg.Intent)
	switch {
	case in != nil && in.System:
		if !r.structuredSystem(in.ID) {
			r.unreadStructured()
		}
		return
	case in == nil || r.st.Active != nil && in == r.in:
		r.take(r.in, r.allValues())
		if in != nil {
			r.st.Active.Failed = ""
			r.filled = true
		}
		if !r.filled && !r.spoke || r.st.Active == nil && !r.spoke {
			r.unreadStructured()
			return
		}
		r.again()
		r.closeChange()
	case in.Internal: // only a run step begins it
		r.unreadStructured()
	case r.forbids(in), r.st.Active.under(in):
		r.again()
		r.spoke = true
	default:
		r.interrupt(in, r.allValues())
	}
}

func (r *interpreter) unreadStructured() {
	if len(r.msg.Unread) == 0 {
		r.unread()
	}
}

// metaIntents maps the system intents about the conversation itself to what they do.
var metaIntents = map[string]func(*interpreter){
	"correct": (*interpreter).correct,
	"reset":   (*interpreter).reset,
	"help":    (*interpreter).help,
	"repeat":  (*interpreter).repeat,
	"skip":    (*interpreter).skipOrSay,
	"human":   (*interpreter).human,
	"resume":  (*interpreter).resume,
}

// structuredSystem does what a system intent says. It returns false if the intent means nothing
// now.
func (r *interpreter) structuredSystem(id string) bool {
	if r.tooLateFor(id) {
		return true
	}
	q := r.st.Open
	switch id {
	case "affirm":
		if q == nil && (r.st.Active == nil || r.st.Active.Failed == "") || q != nil && !r.asksYes() {
			return false
		}
		r.affirm()
	case "deny":
		if q == nil || !r.takesNo(q) {
			return false
		}
		r.deny()
	case "cancel":
		if r.st.Active == nil && q == nil && len(r.st.Suspended) == 0 {
			r.say("nothing_to_cancel", nil)
			return true
		}
		r.stop()
	default:
		if do := metaIntents[id]; do != nil {
			do(r)
			return true
		}
		r.say(id, nil)
		r.again()
	}
	return true
}

// tooLateFor reports whether a yes or a no comes to a question that is void.
func (r *interpreter) tooLateFor(id string) bool {
	if id != "affirm" && id != "deny" || !r.st.recovered && !(r.st.questionExpired && r.st.Active != nil) {
		return false
	}
	r.spoke = true
	return true
}

// unreadable counts values that a type cannot read as invalid answers: the plan asks for them and
// says why. An unreadable correction keeps the old value (rule 8).
func (r *interpreter) unreadable() {
	for _, name := range r.msg.Unread {
		p := r.def.Params[name]
		if r.in != nil && r.in.Param(name) != nil {
			p = r.in.Param(name)
		}
		if p == nil {
			continue
		}
		r.st.Agenda = append(r.st.Agenda, Respond{position: position{agenda: true}, Response: "invalid", Text: r.illegible(p)})
		if r.st.Active != nil && r.in != nil && r.in.Param(name) != nil && r.st.cell(p) == nil {
			r.st.Active.attempt(name)
		}
		r.again()
	}
}

// illegible says that a value cannot be read. The value itself is not known here.
func (r *interpreter) illegible(p *config.Param) string {
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
