package planner

import (
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/shapes"
)

// proposeReword reads "no, 14 Oak Street, Denver" as a new text for what is to be confirmed, if it
// has the shape of that text (rule 1 of the confirmations). Part of a text never replaces the
// whole; the reply asks for all of it.
func (r *interpreter) proposeReword() []reading {
	if r.in == nil || r.st.Active == nil || r.freeText() && !r.correctsOther() {
		return nil
	}
	settled := r.asksChange() || r.confirming()
	rest, of := r.rest()
	if rest == "" || !settled && !r.disagrees() {
		return nil
	}
	p := r.textFor(rest)
	if p == nil || r.typedValue(p) && !r.correctsOther() {
		return nil
	}
	for _, i := range of.members() {
		c := &r.clauses[i]
		if c.is(message.ActAdd) && settled && !r.changesIn(c) {
			return []reading{{
				Rule: "reword", kind: kindAnswer, evidence: 0.8, clauses: of | r.leading(), values: c.values,
				perform: func(r *interpreter) { r.askWhole(p) },
			}}
		}
		if r.doesOther(c) || c.Stock != "" || shapeOf(p) != "address" && r.changesIn(c) {
			return nil
		}
	}
	return r.readNewText(p, rest, of)
}

// asksChange reports whether the open question is what should be different.
func (r *interpreter) asksChange() bool { return r.st.Open != nil && r.st.Open.Kind == askChange }

// readNewText reads some clauses, the rest of the message, as the new text of a param, or as part
// of it.
func (r *interpreter) readNewText(p *config.Param, rest string, of set) []reading {
	text, led := r.newText(p, rest)
	held, _ := r.st.cell(p).Value.(string)
	shape := shapeOf(p)
	disagree := led || r.disagrees() || r.asksChange()
	x := reading{Rule: "reword", param: p.Name, kind: kindAnswer, clauses: of | r.leading(), values: r.valuesIn(of)}
	switch {
	case message.Fold(text) == message.Fold(held), r.saysLabel(p, text):
		return nil
	case (shape == shapes.Sentence || shape == "") && !r.firmly(rest) && !sharesWord(held, text), isRemark(shape, rest, text):
		return nil
	case r.hasForm(p, held, text) && (disagree || shape == shapes.Address):
		x.evidence = 0.8
		if disagree {
			x.evidence = 0.92
		}
		v := message.Value{Param: p.Name, Value: text, Text: text, Source: sourceText}
		x.perform = func(r *interpreter) { r.fill(r.in, p, v); r.closeChange() }
	case (r.asksChange() || r.confirming()) && isPart(p, held, text):
		x.evidence = 0.85
		if shape == shapes.Address && shapes.LooksLike(shapes.Address, text) {
			x.evidence = 0.92 // "no, 31 Mill Lane": more than a no
		}
		x.perform = func(r *interpreter) { r.askWhole(p) }
	default:
		return nil
	}
	return []reading{x}
}

// saysLabel reports whether a text says nothing but the label of its param: "the purpose".
func (r *interpreter) saysLabel(p *config.Param, text string) bool {
	label := labelWords(p)
	return !slices.ContainsFunc(wordsOf(text), func(w string) bool { return shapes.Content(w) && !slices.Contains(label, w) && !changeWords[w] })
}

// newText returns the new text of a param in the rest of a message, without the words around it,
// and whether there were words that lead to it or take the known text back.
func (r *interpreter) newText(p *config.Param, rest string) (text string, led bool) {
	held, _ := r.st.cell(p).Value.(string)
	text, led = stripLeadIns(rest)
	text, denied := stripDenied(held, stripLabel(p, text))
	if shapeOf(p) == shapes.Name {
		text = stripSpelling(text)
	}
	return text, led || denied
}

// typedValue reports whether the message has a value that replaces the one of a typed param of the
// task. It is then about that param, and no new text.
func (r *interpreter) typedValue(p *config.Param) bool {
	for i := range r.clauses {
		if c := &r.clauses[i]; c.values != 0 && r.changesIn(c) {
			return r.saysLabelOf(c) || shapeOf(p) != shapes.Address || !shapes.LooksLike(shapes.Address, c.text)
		}
	}
	return false
}

// saysLabelOf reports whether a clause says the label of the param that one of its values is for: "for the
// day, 21 March" is no address.
func (r *interpreter) saysLabelOf(c *clause) bool {
	return slices.ContainsFunc(r.valuesOf(c.values), func(v message.Value) bool {
		p := r.in.Param(v.Param)
		return p != nil && names(p, c.words)
	})
}

// isRemark reports whether the text behind a no only gives a reason: "no, it's too expensive for
// us". A name or a title is not a sentence.
func isRemark(shape, rest, text string) bool {
	if shape != shapes.Name && shape != shapes.Title {
		return false
	}
	words := wordsOf(text)
	if len(words) == 0 || !strings.ContainsFunc(text, unicode.IsLetter) || !slices.ContainsFunc(words, func(w string) bool { return !changeWords[w] }) {
		return true
	}
	if isSentence(rest) && strings.ToLower(text) == text {
		return true
	}
	return remarkWords[words[0]] || allNumbers(words)
}

var remarkWords = wordSet("remark_words")

// allNumbers reports whether all words are numbers, or words around a value.
func allNumbers(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !hasDigit(w) && !aroundValue[w]
	})
}

// doesOther reports whether a clause does something that a new text does not. A no and a correction
// before it do not count: they lead to it.
func (r *interpreter) doesOther(c *clause) bool {
	if c.Join == "if" || c.Join == "unless" || c.Join == "because" && !isSentence(c.text) {
		return true
	}
	for _, a := range notText {
		if c.Acts[a] >= maybe {
			return true
		}
	}
	if c.is(message.ActRequest) && !r.firmly(c.text) && !strings.HasPrefix(message.Fold(c.text), "use ") && !strings.HasPrefix(message.Fold(c.text), "take ") {
		return true
	}
	return c.any(message.ActThanks, message.ActBye, message.ActPraise, message.ActAnger)
}

// maybe is the probability of another act from which a clause is no new text.
const maybe = 0.3

// textFor returns the known text param that a new text is for: the one that the message names, else
// the only one that it fits.
func (r *interpreter) textFor(rest string) *config.Param {
	var known, named, fitting []*config.Param
	said := r.words
	text, _ := stripLeadIns(rest)
	for p := range r.in.EachParam {
		if p.Type.Builtin != "text" && p.Type.Builtin != "person" && p.Type.Builtin != "location" || r.st.cell(p) == nil {
			continue
		}
		known = append(known, p)
		if names(p, said) {
			named = append(named, p)
		}
		held, _ := r.st.cell(p).Value.(string)
		if r.hasForm(p, held, text) {
			fitting = append(fitting, p)
		}
	}
	alike := slices.DeleteFunc(slices.Clone(known), func(p *config.Param) bool {
		held, _ := r.st.cell(p).Value.(string)
		return !writtenLike(held, said)
	})
	for _, list := range [][]*config.Param{known, alike, named, fitting} {
		if len(list) == 1 {
			return list[0]
		}
	}
	return nil
}

// names reports whether words name a param: by its label, or a name by words for names.
func names(p *config.Param, said []string) bool {
	return slices.ContainsFunc(said, func(w string) bool {
		return slices.Contains(labelWords(p), w) || namingWords[w] && shapeOf(p) == shapes.Name
	})
}

var namingWords = wordSet("naming_words")

// correctsOther reports whether the message, while a text is asked for, takes back a text that was
// given before: "sorry, he's called Tigger".
func (r *interpreter) correctsOther() bool {
	if r.asked == nil || r.in == nil || len(r.clauses) < 2 || !r.clauses[0].is(message.ActCorrect) {
		return false
	}
	said := r.words
	return slices.ContainsFunc(r.in.AllParams(), func(p *config.Param) bool {
		c := r.st.cell(p)
		if p == r.asked || p.Type.Builtin != "text" && !namely(p) || c == nil {
			return false
		}
		held, _ := c.Value.(string)
		return names(p, said) && !names(r.asked, said) || writtenLike(held, said)
	})
}

// namely reports whether a param is the name of a person or place.
func namely(p *config.Param) bool { return p.Type.Builtin == "person" || p.Type.Builtin == "location" }

// writtenLike reports whether words contain a name that is almost the known one: "Jon Smits" and
// "John Smith".
func writtenLike(held string, said []string) bool {
	return slices.ContainsFunc(wordsOf(held), func(h string) bool {
		return len(h) > 3 && slices.ContainsFunc(said, func(w string) bool { return w != h && len(w) > 3 && w[0] == h[0] && message.Distance(h, w, 3) <= 2 })
	})
}

// rest returns the message without its leading clauses.
func (r *interpreter) rest() (string, set) {
	var of set
	began := false
	for i := range r.clauses {
		c := &r.clauses[i]
		if !began && (r.leadsTo(c) && len(c.words) <= 4 && !r.partly(c) && !r.carriesText(c) || c.courteous() || c.filler()) {
			continue
		}
		began = true
		of |= only(i)
	}
	for at := of.members(); len(at) > 0; at = at[:len(at)-1] {
		if c := &r.clauses[at[len(at)-1]]; !c.courteous() && !c.filler() {
			break
		}
		of = of.without(only(at[len(at)-1]))
	}
	at := of.members()
	if len(at) == 0 {
		return "", 0
	}
	return r.between(r.clauses[at[0]].Start, r.clauses[at[len(at)-1]].End), of
}

// partly reports whether a clause has more than a no: "not 12".
func (r *interpreter) partly(c *clause) bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) })
}

// hasForm reports whether a text may replace the known one.
func (r *interpreter) hasForm(p *config.Param, held, text string) bool {
	if ok, _ := accepts(p, text, r.st.env(r.in)); !ok {
		return false
	}
	shape := shapeOf(p)
	if shape != "" && !shapes.LooksLike(shape, text) {
		return false
	}
	if shape == "sentence" && 2*len(r.wordsOf(text)) <= len(r.wordsOf(held)) && sharesWord(held, text) {
		return false // "the third floor, sorry" is a part of what was told
	}
	if shape == "sentence" || shape == "" {
		return len(r.wordsOf(text)) > 1 && (isSentence(text) == isSentence(held) && hasDigit(text) == hasDigit(held) || shape == "sentence" && sharesWord(held, text))
	}
	return !isPart(p, held, text)
}

// sharesWord reports whether two texts have a telling word in common.
func sharesWord(a, b string) bool {
	words := wordsOf(a)
	return slices.ContainsFunc(wordsOf(b), func(w string) bool { return len(w) > 3 && !pronouns[w] && slices.Contains(words, w) })
}

func hasDigit(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }

// pronouns are the subjects of sentences.
var pronouns = wordSet("pronouns")

// isSentence reports whether a text is a sentence rather than a name.
func isSentence(text string) bool {
	words := wordsOf(text)
	return len(words) > 2 && slices.ContainsFunc(words[:min(3, len(words))], func(w string) bool { return pronouns[w] })
}

// partOf are words that name part of a line.
var partOf = wordSet("part_of")

// isPart reports whether a text is about part of another text: it names a part, or repeats its
// words.
func isPart(p *config.Param, held, text string) bool {
	words, whole := wordsOf(text), wordsOf(held)
	if len(words) == 0 || len(words) >= len(whole) && !slices.ContainsFunc(words, func(w string) bool { return w == "same" }) {
		return false
	}
	shape := shapeOf(p)
	if shape != "address" && shape != "" && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(whole, w) }) {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool { return partOf[w] || slices.Contains(whole, w) || hasDigit(w) })
}

// askWhole asks for a whole text again.
func (r *interpreter) askWhole(p *config.Param) {
	r.say("full_text", map[string]any{"label": p.Label})
	r.clear(p)
}
