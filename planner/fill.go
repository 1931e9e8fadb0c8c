package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
	"github.com/slotway/slotway/config/shapes"
)

func memberOf(list []*config.Param, p *config.Param) bool {
	for _, q := range list {
		if q.Name == p.Name {
			return true
		}
	}
	return false
}

// valuesOf returns the values at some positions, in order.
func (r *interpreter) valuesOf(from set) []message.Value {
	var out []message.Value
	for _, i := range from.members() {
		if i < len(r.msg.Values) {
			out = append(out, r.msg.Values[i])
		}
	}
	return out
}

// allValues returns the positions of all values.
func (r *interpreter) allValues() set {
	var all set
	for i := range r.msg.Values {
		all |= only(i)
	}
	return all
}

// take fills params with some of the values, each span of the message once.
func (r *interpreter) take(in *config.Intent, from set) {
	chosen := map[string][]message.Value{}
	var order []*config.Param
	for _, group := range spans(r.valuesOf(from)) {
		v, p := r.choose(in, group)
		if p == nil || r.retracted(in, p, v) {
			continue
		}
		if len(chosen[p.Name]) == 0 {
			order = append(order, p)
		}
		chosen[p.Name] = append(append(chosen[p.Name], v), otherReadings(v, group)...)
	}
	for _, p := range order {
		if v, ok := r.settle(p, chosen[p.Name]); ok {
			r.fill(in, p, v)
		} else {
			r.several(in, p, chosen[p.Name])
		}
	}
}

// otherReadings returns what else the words of a value mean for the same param: of A+ and A-, "A" is
// either, and "all but ham" is all the others.
func otherReadings(of message.Value, group []message.Value) []message.Value {
	return slices.DeleteFunc(slices.Clone(group), func(v message.Value) bool {
		return v.Param != of.Param || v.Start != of.Start || v.End != of.End || same(v.Value, of.Value)
	})
}

// choose decides which param a span of the message is for: the one being asked for, else the only
// one of the task that it fits, else the only session param that it fits.
func (r *interpreter) choose(in *config.Intent, group []message.Value) (message.Value, *config.Param) {
	var ofIntent, ofSession []message.Value
	for _, v := range group {
		if r.inside(v, group, in) {
			continue
		}
		if r.asked != nil && v.Param == r.asked.Name {
			return v, r.asked
		}
		if v.Source == sourceOption {
			continue
		}
		switch p := r.param(in, v.Param); {
		case !r.usable(in, p, v):
		case in != nil && in.Param(v.Param) != nil:
			ofIntent = append(ofIntent, v)
		case in != nil && in.AnswerOnly: // "is it furnished?" asks, it does not want it so
		case p.Scope == config.ScopeSession && !r.freeText() && v.Source != sourceBare:
			ofSession = append(ofSession, v)
		}
	}
	fits := r.nearest(ofIntent)
	if len(fits) == 0 {
		fits = ofSession
	}
	if len(fits) != 1 {
		return message.Value{}, nil
	}
	return fits[0], r.param(in, fits[0].Param)
}

// usable reports whether a value may fill p. A nil p takes none.
func (r *interpreter) usable(in *config.Intent, p *config.Param, v message.Value) bool {
	switch {
	case v.Source == sourceAnnounced && !slices.ContainsFunc(r.wordsOf(v.Text), func(w string) bool { return !changeWords[w] }):
		return false // "the name is misspelled" names no name
	case p == nil || !allows(p, v.Source) || r.saysSince(p, v):
		return false
	case v.Source == sourceBare && !r.corrects(in, v):
		return false
	}
	return !r.inText(v) && r.counts(p, v)
}

// inside reports whether a value is only part of another value that the task can use: the name in
// "Mr Khan", if that is one of the teachers.
func (r *interpreter) inside(v message.Value, group []message.Value, in *config.Intent) bool {
	return slices.ContainsFunc(group, func(o message.Value) bool {
		return o.Start <= v.Start && v.End <= o.End && o.End-o.Start > v.End-v.Start && o.Source != sourceText && o.Source != sourceAnnounced &&
			in != nil && in.Param(o.Param) != nil && o.Confidence >= v.Confidence && !(r.asked != nil && v.Param == r.asked.Name)
	})
}

// announcedNumber is the confidence of a number with its unit.
const announcedNumber = 0.75

// vague is the confidence of a number that nothing announces.
const vague = 0.35

// labelReach is how many words before its value a label may stand: "my number is really 15".
const labelReach = 3

// freeText reports whether the whole message may be the answer to the open question. Its parts are
// then no values of other tasks: the ZIP code in an address belongs to the address.
func (r *interpreter) freeText() bool {
	return r.wholeText() != nil
}

// wholeText returns the message as the text that is being asked for, nil if none is.
func (r *interpreter) wholeText() *message.Value {
	if r.asked == nil || r.st.Open == nil || r.st.Open.Kind != askParam || !allows(r.asked, sourceText) {
		return nil
	}
	for i, v := range r.msg.Values {
		if v.Param == r.asked.Name && v.Source == sourceText {
			return &r.msg.Values[i]
		}
	}
	return nil
}

// inText reports whether a value is only part of the free text that is being asked for: the stall
// "north" in "310 North Street". An id counts all the same, and so does a correction.
func (r *interpreter) inText(v message.Value) bool {
	if t := r.wholeText(); t != nil && shapeOf(r.asked) == shapes.Address && v.Start >= t.Start && v.End <= t.End && shapes.LooksLike(shapes.Address, t.Text) {
		return true // "2 March Avenue" is no day
	}
	if mapping[v.Source] != "entity" || v.Cues.Any(message.CueCorrect|message.CueLabel|message.CueRole|message.CueUnit) || r.disagrees() {
		return false
	}
	t := r.wholeText()
	return t != nil && t.Start <= v.Start && v.End <= t.End && t.End-t.Start > v.End-v.Start
}

func (r *interpreter) param(in *config.Intent, name string) *config.Param {
	if in != nil {
		if p := in.Param(name); p != nil {
			return p
		}
	}
	return r.def.Params[name]
}

// mapping maps the sources of an extractor to those of param_mapping.
var mapping = map[string]string{
	"pattern": "pattern", "bare": "pattern", "option": "entity", "enum": "entity",
	"builtin": "entity", "tagger": "entity", "llm": "entity", "text": "text", sourceAnnounced: "text", sourceStructured: "given",
}

// said lists the sources of param_mapping that are the user's words. A structured input speaks for
// the user, so it may fill a param that one of them may fill.
var said = map[string]bool{"pattern": true, "entity": true, "text": true}

// allows reports whether param_mapping lets a param be filled from a source.
func allows(p *config.Param, source string) bool {
	if len(p.ParamMapping) == 0 {
		return true
	}
	for _, s := range p.ParamMapping {
		if s.From == mapping[source] || source == sourceStructured && said[s.From] {
			return true
		}
	}
	return false
}

// settle chooses among several values for one param: all of them for a list, the last one of a
// correction ("not O-1, O-2"), none if they contradict each other.
func (r *interpreter) settle(p *config.Param, found []message.Value) (message.Value, bool) {
	if c := r.st.cell(p); c != nil && !p.List { // "500 is too much, 400 please": what is known is no rival
		if others := slices.DeleteFunc(slices.Clone(found), func(v message.Value) bool { return same(v.Value, c.Value) }); len(others) > 0 {
			found = others
		}
	}
	v := found[len(found)-1]
	if p.List {
		found = sinceCorrected(found)
		all := make([]any, len(found))
		for i, f := range found {
			all[i] = f.Value
		}
		v.Value = all
		return v, true
	}
	for _, f := range slices.Backward(found) {
		if f.Cues.Has(message.CueCorrect) {
			return f, true // "make that january 20, I fly back on the 18th"
		}
	}
	if len(found) == 2 && r.disagrees() {
		return v, true
	}
	for _, f := range found {
		if !same(f.Value, v.Value) {
			return message.Value{}, false
		}
	}
	return v, true
}

// sinceCorrected drops what a message takes back: "parking, no wait, bike" is a bike.
func sinceCorrected(found []message.Value) []message.Value {
	for i, v := range slices.Backward(found) {
		if i > 0 && v.Cues.Has(message.CueCorrect) && !v.Cues.Has(message.CueAdd) {
			return found[i:]
		}
	}
	return found
}

// which asks for one of several values that were given for the same param. or: as alternatives. An
// earlier value does not replace them: the user meant one of these.
func (r *interpreter) which(in *config.Intent, p *config.Param, found []message.Value, or bool) {
	if in == nil || in.Param(p.Name) == nil || r.fixed(p) {
		return
	}
	var options []Option
	for _, v := range found {
		options = append(options, Option{Value: v.Value, Label: phrase.Display(r.def.Show(p, v.Value))})
	}
	r.st.setCell(p, nil)
	r.st.undo(in, p.Name)
	id := "only_one"
	if or {
		id = "choose"
	}
	prompt := render(r.st, id, map[string]any{"options": labels(options), "label": p.Label})
	r.st.Open = nil
	r.st.Agenda = append(r.st.Agenda, Choose{position: position{agenda: true}, Param: p.Name, Prompt: prompt, Options: options, kind: askChoice})
	r.spoke = true
}

// fill sets a param, or corrects it if the task under way already had another value.
func (r *interpreter) fill(in *config.Intent, p *config.Param, v message.Value) {
	if p.Scope != config.ScopeSession && r.st.Active == nil {
		return
	}
	old := r.st.cell(p)
	value := p.Cleaned(v.Value)
	if p.Objects != nil {
		return // see proposeElements
	}
	if p.List {
		value = r.inItems(p, v)
		if list, _ := value.([]any); len(list) == 0 {
			return // "no ham" names nothing
		}
	}
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
	r.st.setCell(p, &paramCell{Value: value, Turn: r.st.Number, At: r.st.Now, Source: v.Source})
	r.filled = true
	if r.st.Active == nil || in == nil || in.Param(p.Name) == nil {
		return
	}
	v.Value = value
	r.goOnWith(in, p, v, old)
}

// goOnWith updates the task under way after its param p got the value v. old is what it had before,
// or nil.
func (r *interpreter) goOnWith(in *config.Intent, p *config.Param, v message.Value, old *paramCell) {
	c := r.st.cell(p)
	r.st.Active.Failed = ""
	r.answered(p)
	if old == nil && r.asked != p {
		r.st.undo(in, p.Name) // a new condition, after a look-up that did without it
	}
	if old != nil && !r.begun {
		c.Prior = old.Value
		r.corrected(in, p, v)
	}
}

// answered closes the question that a value answers, and the choice that it settles.
func (r *interpreter) answered(p *config.Param) {
	q := r.st.Open
	if q == nil {
		return
	}
	if q.Kind == askChoice && q.Param == p.Name && q.Step != "" {
		r.chose(q, r.st.cell(p).Value)
	}
	if q.Kind == askChoice && q.Param == p.Name && len(q.Options) > 1 {
		r.st.offered(q)
		r.st.Offered.Taken = []any{r.st.cell(p).Value}
	}
	// Whatever was asked, the plan now knows more: it asks again what is still open.
	if q.Kind == askParam || q.Kind == askChoice || q.Kind == askConfirm || q.Kind == askChange || q.Kind == askHandoff {
		if q.Kind == askHandoff && q.Param == "" {
			delete(r.st.Active.Attempts, p.Name)
		}
		r.st.Open = nil
	}
}

// chose reduces the list of a choice to the chosen element.
func (r *interpreter) chose(q *openQuestion, value any) {
	s := findStep(r.in.Plan, q.Step)
	if s == nil {
		return
	}
	if list, ok := s.From.Resolve(r.st.env(r.in)).([]any); ok && rootOf(s.From) != "" {
		for _, e := range list {
			if same(s.Choice(e), value) {
				r.st.Active.save(rootOf(s.From), []any{e})
			}
		}
	}
	if r.st.Active.Done == nil {
		r.st.Active.Done = map[string]mark{}
	}
	r.st.Active.Done[s.ID] = markDone
}

// reject counts a value that its param's own rules refuse. A refused correction keeps the old value
// (rule 8).
func (r *interpreter) reject(p *config.Param, old *paramCell, wrong string) {
	r.filled = true
	if old != nil {
		if wrong != "" {
			r.st.Agenda = append(r.st.Agenda, Respond{position: position{agenda: true}, Response: "invalid", Text: wrong})
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
