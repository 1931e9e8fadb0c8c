package rasa

import (
	"fmt"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/convert"
)

// steered counts the conditions on slots that have a value, but none from a user: actions set them to steer
// Rasa, so they do not hold at first.
func (r *reader) steered(steps []step) int {
	n := 0
	for _, st := range steps {
		if st.kind == actionStep {
			break
		}
		for _, c := range st.slots {
			s := r.domain.slot(c.slot)
			if c.slot != "requested_slot" && (c.any || c.value != nil) && s != nil && !s.byUser() && r.domain.entity(c.slot) == nil {
				n++
			}
		}
	}
	return n
}

// otherEndings notes what follows a form elsewhere, and is not carried over.
func (r *reader) otherEndings(form string, list []ending, always *ending) {
	if always == nil {
		return
	}
	what := func(e ending) string {
		names := slices.Clone(e.names)
		if e.next != "" {
			names = append(names, e.next)
		}
		return strings.Join(names, ", ")
	}
	noted := []string{what(*always)}
	for _, e := range list {
		if len(e.when) > 0 || slices.Contains(noted, what(e)) || e.intent != "" && e.intent != always.intent && always.intent != "" {
			continue
		}
		noted = append(noted, what(e))
		r.once(e.at, "after %s elsewhere: %s; one ending of a form is carried over: %s", form, what(e), noted[0])
	}
}

// once notes what is not carried over, unless the report has it.
func (r *reader) once(at convert.Place, format string, args ...any) {
	note := convert.Note{At: at, Outcome: convert.Left, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(r.bot.Report.Notes, note) {
		r.bot.Report.Notes = append(r.bot.Report.Notes, note)
	}
}

// buttonsOf notes the buttons of an answer.
func (r *reader) buttonsOf(resp *response) {
	if slices.ContainsFunc(resp.variants, func(v variant) bool { return len(v.buttons) > 0 }) {
		r.once(place(resp.at), "the buttons of %s: clients show the values of a question as buttons, not those of an answer", resp.name)
	}
}

// secondForm returns the steps of a form that follows another one: its questions, and what follows it.
func (r *reader) secondForm(e *ending, t *task) []*convert.Step {
	if e.next == "" {
		return nil
	}
	f := r.domain.form(e.next)
	if f == nil || f.name == t.form {
		r.once(e.at, "the form %s after %s", e.next, t.form)
		return nil
	}
	var plan []*convert.Step
	for _, name := range f.slots {
		if slices.Contains(t.slots, name) {
			continue // it has its value
		}
		if s := r.domain.slot(name); s.yesNo() && r.goesOn(s) {
			if s == r.lastYes(f) {
				plan, t.confirm = append(plan, &convert.Step{Confirm: r.confirmText(s, f, t)}), true
			} else {
				r.once(place(s.at), "the slot %s of %s, which asks whether to go on", name, f.name)
			}
			continue
		}
		t.slots = append(t.slots, name)
		p := r.paramIn(name, t)
		if prompts := r.formPrompt(f.name, name, t); len(prompts) > 0 {
			t.in.Own[p.Name] = convert.Own{Prompts: prompts}
		}
		t.in.Optional = append(t.in.Optional, p.Name)
		plan = append(plan, &convert.Step{Ask: p.Name})
	}
	always, when := r.end(f.name, t.source)
	for _, w := range when {
		r.once(w.at, "after %s under a condition: %s", f.name, strings.Join(w.names, ", "))
	}
	if always == nil {
		return plan
	}
	if always.next != "" {
		r.once(always.at, "the form %s after %s, which is a second form itself", always.next, f.name)
	}
	if len(always.names) > 0 {
		plan = append(plan, r.answer(always.names, t, always.at)...)
	}
	return plan
}

// leave follows a form that is given up. It reports whether that is all the turn does.
func (p *player) leave(turn *convert.Turn, parts parts, g segment) bool {
	p.stack = slices.DeleteFunc(p.stack, func(f *frame) bool { return f.t.form == g.within })
	if parts.form != "" {
		return false
	}
	turn.Idle = len(p.stack) == 0
	p.c.Turns = append(p.c.Turns, *turn)
	return true
}

// set notes the slots that the story says a message has set.
func (p *player) set(g segment) {
	f := p.current()
	for _, c := range slotsOf(g.leading()) {
		if slices.Contains(f.t.slots, c.slot) && (c.any || c.value != nil) {
			f.filled[c.slot] = true
		}
	}
}

// second begins the form that follows one that was closed: its first question is open now.
func (p *player) second(first *frame, parts parts) {
	form := p.r.domain.form(parts.next)
	if form == nil || len(form.slots) == 0 {
		return
	}
	f := &frame{t: &task{in: first.t.in, source: first.t.source, form: form.name, slots: form.slots, formSlots: form.slots}, filled: map[string]bool{}}
	for name := range first.filled {
		f.filled[name] = true
	}
	if next := f.next(); next != "" {
		p.stack = append(p.stack, f)
		p.c.Turns[len(p.c.Turns)-1].Asked = p.r.param(next).Name
	}
}
