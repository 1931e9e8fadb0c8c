package planner

import (
	"github.com/slotway/slotway/config"
)

func memberOf(list []*config.Param, p *config.Param) bool {
	for _, q := range list {
		if q.Name == p.Name {
			return true
		}
	}
	return false
}

// values takes what was found in the message for the task under way, asked or not
// (rules 2, 4b, 4c, 12).
func (r *reading) values() bool {
	if r.st.Open != nil && r.st.Open.Kind == AskIntent {
		return false
	}
	if r.startsOther() {
		return false // they belong to the task that the message starts
	}
	r.fixes = r.correctsOnly()
	r.take(r.in)
	return false
}

// startsOther says whether the message clearly asks for another task and brings nothing
// for the open question.
func (r *reading) startsOther() bool {
	in := r.def.Intent(r.h.Intent)
	if r.h.Given { // its values are for what it names, whatever is being asked
		return in != nil && (r.st.Active == nil || in.ID != r.st.Active.Intent)
	}
	return in != nil && !r.correctsOnly() && !(in.System && !firm[in.ID]) && r.confident() && (r.st.Active == nil || in.ID != r.st.Active.Intent) && !r.answersAsked()
}

// correctsOnly says whether a message that opens with a no or a correction brings another
// value for a param of the task under way which the intent that it sounds like does not
// have: "no, Rome after all" is about the destination, whatever "after all" sounds like.
func (r *reading) correctsOnly() bool {
	other := r.def.Intent(r.h.Intent)
	if r.in == nil || other == nil || r.h.Exact || r.h.Lead != "deny" && r.h.Lead != "correct" {
		return false
	}
	for _, v := range r.h.Values {
		p := r.in.Param(v.Param)
		if p == nil || v.Source == sourceText || other.Param(v.Param) != nil {
			continue
		}
		if c := r.st.cell(p); c != nil && !same(c.Value, v.Value) {
			return true
		}
	}
	return false
}

// take fills params from the candidates, each stretch of the message once.
func (r *reading) take(in *config.Intent) {
	chosen := map[string][]Value{}
	var order []*config.Param
	for _, group := range spans(r.h.Values) {
		v, p := r.choose(in, group)
		if p == nil || r.withdrawn(in, p, v) {
			continue
		}
		if len(chosen[p.Name]) == 0 {
			order = append(order, p)
		}
		chosen[p.Name] = append(chosen[p.Name], v)
	}
	for _, p := range order {
		if v, ok := r.settle(p, chosen[p.Name]); ok {
			r.fill(in, p, v)
		} else {
			r.which(in, p, chosen[p.Name])
		}
	}
}

// choose decides which param a stretch of text is for: the one being asked for, else the
// only one of the task that it fits, else the only session param that it fits.
func (r *reading) choose(in *config.Intent, group []Value) (Value, *config.Param) {
	var ofIntent, ofSession []Value
	for _, v := range group {
		if r.asked != nil && v.Param == r.asked.Name {
			return v, r.asked
		}
		if v.Source == sourceBare || v.Source == sourceOption {
			continue
		}
		switch p := r.param(in, v.Param); {
		case p == nil || !allows(p, v.Source):
		case r.inText(v):
		case in != nil && in.Param(v.Param) != nil:
			ofIntent = append(ofIntent, v)
		case in != nil && in.AnswerOnly: // "is it furnished?" asks, it does not want it so
		case p.Scope == config.ScopeSession && !r.freeText():
			ofSession = append(ofSession, v)
		}
	}
	fits := ofIntent
	if len(fits) == 0 {
		fits = ofSession
	}
	if len(fits) != 1 {
		return Value{}, nil
	}
	return fits[0], r.param(in, fits[0].Param)
}

// freeText says whether the whole message may be the answer to the open question. Then
// its parts are no values of other tasks: the ZIP code in an address is the address's.
func (r *reading) freeText() bool {
	if r.asked == nil || r.st.Open == nil || r.st.Open.Kind != AskParam || !allows(r.asked, sourceText) {
		return false
	}
	for _, v := range r.h.Values {
		if v.Param == r.asked.Name && v.Source == sourceText {
			return true
		}
	}
	return false
}

// inText says whether a value is but a part of the free text that is being asked for: the
// stall "north" in "310 North Street". An id counts all the same, and so does what
// a correction brings.
func (r *reading) inText(v Value) bool {
	if mapping[v.Source] != "entity" || r.h.Lead == "correct" || r.h.Lead == "deny" || !r.freeText() {
		return false
	}
	for _, t := range r.h.Values {
		if t.Param == r.asked.Name && t.Source == sourceText {
			return t.Start <= v.Start && v.End <= t.End && t.End-t.Start > v.End-v.Start
		}
	}
	return false
}

func (r *reading) param(in *config.Intent, name string) *config.Param {
	if in != nil {
		if p := in.Param(name); p != nil {
			return p
		}
	}
	return r.def.Params[name]
}

// mapping says which source of param_mapping an extractor's source belongs to.
var mapping = map[string]string{
	"pattern": "pattern", "bare": "pattern", "option": "entity", "enum": "entity",
	"builtin": "entity", "tagger": "entity", "llm": "entity", "text": "text", sourceGiven: "given",
}

// said are the sources of param_mapping that are the user's words: where they may fill a
// param, a program may that speaks for the user.
var said = map[string]bool{"pattern": true, "entity": true, "text": true}

// allows says whether param_mapping lets a param be filled from a source.
func allows(p *config.Param, source string) bool {
	if len(p.ParamMapping) == 0 {
		return true
	}
	for _, s := range p.ParamMapping {
		if s.From == mapping[source] || source == sourceGiven && said[s.From] {
			return true
		}
	}
	return false
}

// settle makes one value of several for the same param: all of them for a list, the last
// of a correction ("not O-1, O-2"), none where they contradict each other.
func (r *reading) settle(p *config.Param, found []Value) (Value, bool) {
	v := found[len(found)-1]
	if p.List {
		all := make([]any, len(found))
		for i, f := range found {
			all[i] = f.Value
		}
		v.Value = all
		return v, true
	}
	if r.h.Lead == "correct" || r.h.Lead == "deny" {
		return v, true
	}
	for _, f := range found {
		if !same(f.Value, v.Value) {
			return Value{}, false
		}
	}
	return v, true
}

// which asks for one of several values that were given for the same param. An earlier
// value does not stand in for them: the user meant one of these.
func (r *reading) which(in *config.Intent, p *config.Param, found []Value) {
	if in == nil || in.Param(p.Name) == nil || r.fixed(p) {
		return
	}
	var options []Option
	for _, v := range found {
		options = append(options, Option{Value: v.Value, Label: config.Display(v.Value)})
	}
	r.st.setCell(p, nil)
	r.st.undo(in, p.Name)
	prompt := render(r.def, r.st, "choose", map[string]any{"options": labels(options)})
	r.st.Open = nil
	r.st.Agenda = append(r.st.Agenda, Choose{Place: Place{agenda: true}, Param: p.Name, Prompt: prompt, Options: options, kind: AskChoice})
	r.spoke = true
}

// fill sets a param, or corrects it where the task under way already had another value.
func (r *reading) fill(in *config.Intent, p *config.Param, v Value) {
	if p.Scope != config.ScopeSession && r.st.Active == nil {
		return
	}
	old := r.st.cell(p)
	value := v.Value
	if p.List && old != nil {
		value = union(old.Value, value)
	}
	if old != nil && same(old.Value, value) {
		r.filled = r.filled || r.asked == p || r.st.Open == nil
		return
	}
	if r.asked != p && r.fixed(p) {
		return
	}
	if ok, wrong := accepts(p, value, r.st.env(in)); !ok {
		r.reject(p, old, wrong)
		return
	}
	if old != nil && !r.begun && in != nil && in.Param(p.Name) != nil && p.Policy.Correction == config.CorrectionConfirm {
		r.mayCorrect(p, value)
		return
	}
	c := &Cell{Value: value, Turn: r.st.Turn, At: r.st.Now, Source: v.Source}
	r.st.setCell(p, c)
	r.filled = true
	if r.st.Active == nil || in == nil || in.Param(p.Name) == nil {
		return
	}
	r.st.Active.Failed = ""
	r.answered(p)
	if old == nil && r.asked != p {
		r.st.undo(in, p.Name) // a new condition, after a look-up that did without it
	}
	if old != nil && !r.begun {
		c.Prior = old.Value
		v.Value = value
		r.corrected(in, p, v)
	}
}

// answered closes the question that a value answers, and the choice that it settles.
func (r *reading) answered(p *config.Param) {
	q := r.st.Open
	if q == nil {
		return
	}
	if q.Kind == AskChoice && q.Param == p.Name && q.Step != "" {
		r.chose(q, r.st.cell(p).Value)
	}
	// Whatever was asked, the plan now knows more: it asks again what is still open.
	if q.Kind == AskParam || q.Kind == AskChoice || q.Kind == AskConfirm || q.Kind == AskChange || q.Kind == AskHandoff {
		if q.Kind == AskHandoff && q.Param == "" {
			delete(r.st.Active.Attempts, p.Name)
		}
		r.st.Open = nil
	}
}

// chose narrows the list that was chosen from to the chosen element.
func (r *reading) chose(q *Question, value any) {
	s := findStep(r.in.Plan, q.Step)
	if s == nil {
		return
	}
	if list, ok := s.From.Resolve(r.st.env(r.in)).([]any); ok && rootOf(s.From) != "" {
		for _, e := range list {
			if same(optionValue(s.Param, e), value) {
				r.st.Active.save(rootOf(s.From), []any{e})
			}
		}
	}
	if r.st.Active.Done == nil {
		r.st.Active.Done = map[string]mark{}
	}
	r.st.Active.Done[s.ID] = markDone
}

// reject counts a value that its param's own rules refuse. A correction that fails keeps
// the old value (rule 8).
func (r *reading) reject(p *config.Param, old *Cell, wrong string) {
	r.filled = true
	if old != nil {
		if wrong != "" {
			r.st.Agenda = append(r.st.Agenda, Respond{Place: Place{agenda: true}, Response: "invalid", Text: wrong})
		}
		r.again()
		return
	}
	if r.st.Active == nil {
		return
	}
	r.st.invalid(p, wrong)
	r.again()
}

// text fills the param being asked for with the whole reply, where it may be anything
// (rules 3, 4e).
func (r *reading) text() bool {
	if r.filled || r.spoke || !r.freeText() || r.h.Exact && acts[r.h.Intent] != nil {
		return false
	}
	for _, v := range r.h.Values {
		if v.Param == r.asked.Name && v.Source == sourceText {
			r.fill(r.in, r.asked, v)
			return r.filled
		}
	}
	return false
}
