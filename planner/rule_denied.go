package planner

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/language"
)

// proposeDenied reads a message that denies a value of the task under way, before its "not" can
// count as a no: "not O-1", "not Maria" (rule 12).
func (r *interpreter) proposeDenied() []reading {
	if r.in == nil || r.st.Active == nil {
		return nil
	}
	for i, v := range r.msg.Values {
		p := r.in.Param(v.Param)
		if p == nil || v.Source == sourceText || !v.Cues.Any(message.CueNegated|message.CueRemove) || !holdsValue(r.st.cell(p), v.Value) {
			continue
		}
		if r.replaces(p, v) {
			return nil // the other value corrects it: proposeValues
		}
		return []reading{{
			Rule: "denied", kind: kindAnswer, evidence: 0.92, clauses: r.clausesWith(only(i)) | r.leading(), values: only(i),
			perform: func(r *interpreter) { r.take(r.in, only(i)); r.again() },
		}}
	}
	if p, at := r.deniedText(); p != nil {
		return []reading{{
			Rule: "denied", kind: kindAnswer, evidence: 0.9, clauses: only(at) | r.leading(),
			perform: func(r *interpreter) { r.clear(p) },
		}}
	}
	return nil
}

// holdsValue reports whether a value is the known one, or in the known list.
func holdsValue(c *paramCell, value any) bool {
	if c == nil {
		return false
	}
	list, ok := c.Value.([]any)
	return same(c.Value, value) || ok && slices.ContainsFunc(list, func(e any) bool { return same(e, value) })
}

// clausesWith returns the clauses that contain some of the values.
func (r *interpreter) clausesWith(values set) set {
	var out set
	for i := range r.clauses {
		if r.clauses[i].values.meets(values) {
			out |= only(i)
		}
	}
	return out
}

// leading returns the clauses that only lead to the rest of the message.
func (r *interpreter) leading() set {
	var out set
	for i := range r.clauses {
		if c := &r.clauses[i]; r.leadsTo(c) || c.courteous() || c.filler() {
			out |= only(i)
		}
	}
	return out
}

// deniedText finds the param whose text, or part of it, ends a clause with a "not": "not Maria" of
// Maria Lopez. The classifier finds names and free texts only if they are asked for, so there is no
// value for them in the message.
func (r *interpreter) deniedText() (*config.Param, int) {
	for i := range r.clauses {
		said := r.clauses[i].words
		head := slices.IndexFunc(said, func(w string) bool { return negators[w] })
		if head < 0 || r.clauses[i].values != 0 {
			continue
		}
		rest := said[head+1:]
		for len(rest) > 0 && fillers[rest[0]] {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			continue
		}
		for p := range r.in.EachParam {
			if c := r.st.cell(p); c != nil && p.Type.Builtin == "text" || c != nil && (p.Type.Builtin == "person" || p.Type.Builtin == "location") {
				text, _ := c.Value.(string)
				held := r.wordsOf(text)
				if !slices.ContainsFunc(rest, func(w string) bool { return !slices.Contains(held, w) }) {
					return p, i
				}
			}
		}
	}
	return nil, 0
}

// retracted reads "not O-1" and "without the hat": it takes a known value back, and never takes a
// new one (rules 10, 12).
func (r *interpreter) retracted(in *config.Intent, p *config.Param, v message.Value) bool {
	c := r.st.cell(p)
	list, isList := valueList(c)
	if !v.Cues.Has(message.CueNegated) && !(v.Cues.Has(message.CueRemove) && (isList || p.List)) {
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
			r.st.setCell(p, &paramCell{Value: rest, Turn: r.st.Number, At: r.st.Now, Source: c.Source})
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
	if q := r.st.Open; q != nil && q.Kind == askChange {
		r.st.Open = nil
	}
	return true
}

// replaces reports whether the message gives another value in place of one that it denies.
func (r *interpreter) replaces(p *config.Param, denied message.Value) bool {
	return slices.ContainsFunc(r.msg.Values, func(v message.Value) bool {
		return v.Param == p.Name && v.Source != sourceText && !same(v.Value, denied.Value) && !v.Cues.Any(message.CueNegated|message.CueRemove)
	})
}

// lexicon are the words of the rules by class. A message in another language is read by its gloss.
var lexicon = language.Lists(language.English, "planner.txt")

// wordSet returns the words of a class.
func wordSet(class string) map[string]bool {
	set := lexicon.Set(class)
	for w := range set {
		ruleWords[w] = true
	}
	return set
}

// phrases returns the phrases of a class.
func phrases(class string) []string { return lexicon.All(class) }

// negators stand before what is not wanted; fillers may stand between. A bare "no" is not among
// them: "no O-2" means O-2.
var (
	negators = wordSet("negators")
	fillers  = wordSet("fillers")
)
