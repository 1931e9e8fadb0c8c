package planner

import (
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/config"
)

// changeWords are what people say of a param that is to be different. "Correct" is not
// among them: "that is correct" is a yes.
var changeWords = []string{
	"change", "wrong", "different", "fix", "incorrect", "edit", "update", "modify", "another", "mistake", "mistyped",
}

// changeReach is how many words a change word and the name of a param may be apart:
// "change it to a different address", "the address is all wrong".
const changeReach = 3

// named takes "change the address", said of what is under way without a new value: the
// param is cleared and asked for again (rule 12).
func (r *reading) named() bool {
	if r.in == nil || r.st.Active == nil || r.h.Lead == "affirm" && !r.reserved() || r.h.Exact && acts[r.h.Intent] != nil {
		return false
	}
	p := r.mentioned()
	if p == nil || r.bringsValue(p) || !r.wantsChange(p) {
		return false
	}
	r.clear(p)
	return true
}

// clear drops a value that is to be different, so that the plan asks for it.
func (r *reading) clear(p *config.Param) {
	if r.fixed(p) {
		r.again()
		return
	}
	r.st.setCell(p, nil)
	delete(r.st.Active.Attempts, p.Name)
	r.st.undo(r.in, p.Name)
	r.st.Open, r.spoke = nil, true
}

// wantsChange says whether the message is about a param being different: it was asked
// for, or it is said, and no other task is clearly meant.
func (r *reading) wantsChange(p *config.Param) bool {
	q := r.st.Open
	if q != nil && q.Kind == AskChange {
		return true
	}
	if r.startsOther() && (q == nil || q.Kind != AskConfirm) {
		return false
	}
	if r.h.Lead == "correct" || r.h.Intent == "correct" && r.h.Confidence >= r.def.Classifier.Threshold {
		return true
	}
	words, label := wordsOf(r.h.Text), labelWords(p)
	for i, w := range words {
		if !slices.Contains(changeWords, w) {
			continue
		}
		near := words[max(0, i-changeReach):min(len(words), i+changeReach+1)]
		if slices.ContainsFunc(near, func(n string) bool { return slices.Contains(label, n) }) {
			return true
		}
	}
	return false
}

// labelWords are the words that a param goes by.
func labelWords(p *config.Param) []string {
	words := wordsOf(p.Label + " " + strings.ReplaceAll(p.Name, "_", " "))
	return slices.DeleteFunc(words, func(w string) bool { return len(w) <= 2 })
}

// mentioned finds the one known param of the task that the message names: by its label,
// or by a word that only its label has.
func (r *reading) mentioned() *config.Param {
	said := wordsOf(r.h.Text)
	var found *config.Param
	best := 0
	for _, p := range r.in.AllParams() {
		if r.st.cell(p) == nil {
			continue
		}
		hits := 0
		for _, w := range labelWords(p) {
			if slices.Contains(said, w) {
				hits++
			}
		}
		switch {
		case hits > best:
			found, best = p, hits
		case hits == best:
			found = nil // two are meant equally: neither
		}
	}
	return found
}

func (r *reading) bringsValue(p *config.Param) bool {
	return slices.ContainsFunc(r.h.Values, func(v Value) bool { return v.Param == p.Name && v.Source != sourceText })
}

// takenBack reads a message that denies a value of the task under way, before the "not"
// in it can pass for a no.
func (r *reading) takenBack() bool {
	if r.in == nil {
		return false
	}
	for _, v := range r.h.Values {
		p := r.in.Param(v.Param)
		if p == nil || v.Source == sourceText || r.st.cell(p) == nil || !r.behind(v, negators) {
			continue
		}
		held := r.st.cell(p).Value
		if list, ok := held.([]any); same(held, v.Value) || ok && slices.ContainsFunc(list, func(e any) bool { return same(e, v.Value) }) {
			r.take(r.in)
			return r.filled
		}
	}
	if p := r.deniedText(); p != nil {
		r.clear(p)
		return true
	}
	return false
}

// deniedText finds the param whose text ends the message behind a "not", whole or in
// part: "not Maria" of Maria Lopez. Names and free texts are found only where they are
// asked for, so no value stands for them in the message.
func (r *reading) deniedText() *config.Param {
	said := wordsOf(r.h.Text)
	head := slices.IndexFunc(said, func(w string) bool { return slices.Contains(negators, w) })
	if head < 0 || r.st.Active == nil {
		return nil
	}
	rest := said[head+1:]
	for len(rest) > 0 && slices.Contains(fillers, rest[0]) {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return nil
	}
	for _, p := range r.in.AllParams() {
		c := r.st.cell(p)
		if c == nil {
			continue
		}
		text, _ := c.Value.(string)
		held := wordsOf(text)
		if !slices.ContainsFunc(rest, func(w string) bool { return !slices.Contains(held, w) }) {
			return p
		}
	}
	return nil
}

// withdrawn takes "not O-1" and "without the hat": the value is taken back where it is
// held, and never taken (rules 10, 12).
func (r *reading) withdrawn(in *config.Intent, p *config.Param, v Value) bool {
	c := r.st.cell(p)
	var list []any
	isList := false
	if c != nil {
		list, isList = c.Value.([]any)
	}
	if !r.behind(v, negators) && !(isList && r.behind(v, removers)) {
		return false
	}
	if c == nil || in == nil || in.Param(p.Name) == nil {
		return true
	}
	switch {
	case isList:
		rest := slices.DeleteFunc(slices.Clone(list), func(e any) bool { return same(e, v.Value) })
		if len(rest) == len(list) || r.fixed(p) {
			return true
		}
		r.st.setCell(p, nil)
		if len(rest) > 0 {
			r.st.setCell(p, &Cell{Value: rest, Turn: r.st.Turn, At: r.st.Now, Source: c.Source})
		}
	case same(c.Value, v.Value) && r.replaces(p, v):
		return true // "not Rome, Oslo": the other value corrects it
	case same(c.Value, v.Value):
		if r.fixed(p) {
			return true
		}
		r.st.setCell(p, nil)
	default:
		return true
	}
	r.st.undo(in, p.Name)
	r.filled = true
	if r.st.Open != nil {
		r.again()
	}
	if q := r.st.Open; q != nil && q.Kind == AskChange {
		r.st.Open = nil
	}
	return true
}

// replaces says whether the message brings another value in place of one that it denies.
func (r *reading) replaces(p *config.Param, denied Value) bool {
	return slices.ContainsFunc(r.h.Values, func(v Value) bool {
		return v.Param == p.Name && v.Source != sourceText && !same(v.Value, denied.Value) && !r.behind(v, negators)
	})
}

// negators stand before what is not wanted, removers before what is taken off a list;
// fillers may stand between. A bare "no" is not among them: "no O-2" means O-2.
var (
	negators = []string{"not", "isn't", "don't", "wasn't", "never"}
	removers = []string{"without", "except", "remove", "drop", "delete", "minus", "no"}
	fillers  = []string{"the", "a", "an", "my", "for", "to", "in", "at", "on", "want", "need", "order", "number", "any"}
)

// behind says whether a value stands right behind one of some words.
func (r *reading) behind(v Value, heads []string) bool {
	said := []rune(r.h.Text)
	before := string(said[:min(max(v.Start, 0), len(said))])
	if i := strings.LastIndexAny(before, ",.;:!?"); i >= 0 {
		before = before[i+1:]
	}
	words := wordsOf(before)
	for i := len(words) - 1; i >= 0; i-- {
		if slices.Contains(heads, words[i]) {
			return true
		}
		if !slices.Contains(fillers, words[i]) {
			return false
		}
	}
	return false
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "\u2019", "'")), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '\''
	})
}

// followUp takes "and O-2?" after a look-up as the same question about another value. A
// task that writes is never begun this way.
func (r *reading) followUp() bool {
	in := r.def.Intent(r.st.Last)
	if !r.filled || r.spoke || r.st.Active != nil || r.st.Open != nil || in == nil || writes(r.def, in.Plan) {
		return false
	}
	for _, v := range r.h.Values {
		if in.Param(v.Param) != nil && r.st.Session[v.Param] != nil && same(r.st.Session[v.Param].Value, v.Value) {
			r.st.begin(in, r.def)
			return true
		}
	}
	return false
}

// writes says whether a plan may change the world.
func writes(def *config.Agent, list []*config.Step) bool {
	return slices.ContainsFunc(list, func(s *config.Step) bool {
		return s.Kind == config.StepCall && def.Tools[s.Tool].Effect == config.EffectWrite || writes(def, s.Then) || writes(def, s.Else)
	})
}
