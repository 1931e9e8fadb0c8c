package planner

import (
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/config"
)

// proposeReword takes "no, 14 Oak Street, Denver" as the new text of what is to be confirmed,
// where it has the shape of that text (rule 1 of the confirmations). A part of a text never
// replaces the whole: the full line is asked for.
func (r *hearing) proposeReword() []Reading {
	q := r.st.Open
	if r.in == nil || r.st.Active == nil || r.freeText() {
		return nil
	}
	settled := q != nil && (q.Kind == AskConfirm || q.Kind == AskChange)
	rest, of := r.rest()
	if rest == "" || !settled && !r.disagrees() {
		return nil
	}
	p := r.textFor(rest)
	if p == nil || r.typedValue(p) {
		return nil
	}
	for _, i := range of.members() {
		c := &r.clauses[i]
		if c.is(ActAdd) && settled && !r.changesIn(c) {
			return []Reading{{
				Rule: "reword", kind: kindAnswer, evidence: 0.8, clauses: of | r.leading(), values: c.values,
				perform: func(r *hearing) { r.askWhole(p) },
			}}
		}
		if r.doesOther(c) || c.Stock != "" || shapeOf(p) != "address" && r.changesIn(c) {
			return nil
		}
	}
	text, carried := stripCarriers(rest)
	text, carried = r.stripDenied(p, stripLabel(p, text), carried)
	held, _ := r.st.cell(p).Value.(string)
	disagree := carried || r.disagrees() || q != nil && q.Kind == AskChange
	x := Reading{Rule: "reword", kind: kindAnswer, clauses: of | r.leading()}
	for i := range r.clauses {
		if of.has(i) {
			x.values |= r.clauses[i].values
		}
	}
	switch {
	case strings.EqualFold(text, held):
		return nil
	case (shapeOf(p) == config.ShapeSentence || shapeOf(p) == "") && !r.firmly(rest) && !sharesWord(held, text), isRemark(shapeOf(p), rest, text):
		return nil
	case r.hasForm(p, held, text) && (disagree || shapeOf(p) == config.ShapeAddress):
		x.evidence = 0.8
		if disagree {
			x.evidence = 0.92
		}
		v := Value{Param: p.Name, Value: text, Text: text, Source: sourceText}
		x.perform = func(r *hearing) { r.fill(r.in, p, v); r.closeChange() }
	case settled && isPart(p, held, text):
		x.evidence = 0.85
		x.perform = func(r *hearing) { r.askWhole(p) }
	default:
		return nil
	}
	return []Reading{x}
}

// typedValue says whether the message brings a value that a typed param of the task can read, in
// place of the one it has: then it is about that, and no new text.
func (r *hearing) typedValue(p *config.Param) bool {
	for i := range r.clauses {
		if c := &r.clauses[i]; c.values != 0 && r.changesIn(c) {
			return shapeOf(p) != config.ShapeAddress || !config.LooksLike(config.ShapeAddress, c.text)
		}
	}
	return false
}

// firmCarriers say that something is to be put in the place of something.
var firmCarriers = []string{
	"it should have been ", "it should be ", "that should be ", "should be ", "should say ", "i meant ", "i mean ", "i said ", "change it to ", "change that to ", "make it ",
	"make that ", "put ", "write ", "rather ", "actually ", "correction", "that should have been ", "instead ", "better ",
}

// firmly says whether the message says that what follows is to be put in.
func (r *hearing) firmly(rest string) bool {
	low := strings.ToLower(r.h.Text)
	return slices.ContainsFunc(firmCarriers, func(c string) bool { return strings.Contains(low, c) }) || r.st.Open != nil && r.st.Open.Kind == AskChange || strings.Contains(low, " instead") || strings.HasPrefix(strings.ToLower(rest), "not ")
}

// isRemark says whether what follows a no only says why: "no, it's too expensive for us". A name
// or a title is no sentence.
func isRemark(shape, rest, text string) bool {
	if shape != config.ShapeName && shape != config.ShapeTitle {
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

var remarkWords = wordSet("too so not very because changed wrong mistake never nothing nobody maybe perhaps later soon")

// allNumbers says whether words are figures, but for those that stand around a value.
func allNumbers(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		return !hasDigit(w) && !aroundValue[w] && w != "actually" && w != "instead" && w != "sorry"
	})
}

// doesOther says whether a clause does what a new text does not do. A no and a correction before
// it do not count: they lead to it.
func (r *hearing) doesOther(c *clause) bool {
	if c.Join == "if" || c.Join == "unless" || c.Join == "because" && !isSentence(c.text) {
		return true
	}
	for _, a := range notText {
		if c.Acts[a] >= maybe {
			return true
		}
	}
	if c.is(ActRequest) && !r.firmly(c.text) && !strings.HasPrefix(strings.ToLower(c.text), "use ") && !strings.HasPrefix(strings.ToLower(c.text), "take ") {
		return true
	}
	return c.any(ActThanks, ActBye, ActPraise, ActAnger)
}

// maybe is the probability of an act from which a clause is not taken for a new text.
const maybe = 0.3

// textFor is the known text param of the task that a new text is for: the one that the message
// names, else the only one that it fits.
func (r *hearing) textFor(rest string) *config.Param {
	var known, named, fitting []*config.Param
	said := wordsOf(r.h.Text)
	text, _ := stripCarriers(rest)
	for _, p := range r.in.AllParams() {
		if p.Type.Builtin != "text" && p.Type.Builtin != "person" && p.Type.Builtin != "location" || r.st.cell(p) == nil {
			continue
		}
		known = append(known, p)
		if slices.ContainsFunc(labelWords(p), func(w string) bool { return slices.Contains(said, w) }) {
			named = append(named, p)
		}
		held, _ := r.st.cell(p).Value.(string)
		if r.hasForm(p, held, text) {
			fitting = append(fitting, p)
		}
	}
	for _, list := range [][]*config.Param{known, named, fitting} {
		if len(list) == 1 {
			return list[0]
		}
	}
	return nil
}

// rest is the message behind its leading clauses.
func (r *hearing) rest() (string, set) {
	var of set
	began := false
	for i := range r.clauses {
		c := &r.clauses[i]
		if !began && (r.leadsTo(c) && len(c.words) <= 4 && !r.partly(c) || c.courteous() || c.filler()) {
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

// partly says whether a clause of a no holds more than the no: "not 12".
func (r *hearing) partly(c *clause) bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return strings.ContainsFunc(w, unicode.IsDigit) })
}

// carriers lead to a new value without being of it, in front and behind; the longest first.
var (
	carriersBefore = []string{
		"it should have been", "it should be", "that should be", "should be", "i meant to say", "i meant", "i mean", "i said", "change it to", "change that to", "make it",
		"make that", "correction", "my mistake", "wrong", "that should have been", "to say", "say", "i'd rather have", "i'd prefer", "take", "with", "except it's", "better make it", "let's say", "lets say", "let us say", "oops", "oh", "well", "hmm", "um", "send it to", "deliver it to", "ship it to", "use", "put", "rather", "actually", "it is", "it's", "its", "that's", "to", "no", "not that", "sorry", "wait", "but", "please", "the correct one is", "the right one is",
	}
	carriersBehind = []string{"instead", "actually", "please", "thanks", "thank you", "rather", "i mean", "then"}
)

// stripCarriers is a text without what leads to it, and whether something did.
func stripCarriers(text string) (string, bool) {
	carried := false
	text = strings.Trim(text, " ,.;:!?\n\t-")
	for again := true; again; {
		again = false
		low := strings.ToLower(text)
		for _, c := range carriersBefore {
			if strings.HasPrefix(low, c) && len(low) > len(c) && strings.ContainsRune(" ,:", rune(low[len(c)])) {
				text, again, carried = strings.TrimLeft(text[len(c):], " ,:"), true, true
				break
			}
		}
		low = strings.ToLower(text)
		for _, c := range carriersBehind {
			if strings.HasSuffix(low, " "+c) {
				text, again, carried = strings.TrimRight(text[:len(text)-len(c)], " ,"), true, true
				break
			}
		}
	}
	return text, carried
}

// stripLabel is a text without the label of its param before it: "title: Winter Journal".
func stripLabel(p *config.Param, text string) string {
	low := strings.ToLower(text)
	label := strings.ToLower(p.Label)
	for _, lead := range []string{label, "the " + label, "for the " + label, "for " + label, "my " + label} {
		rest, ok := strings.CutPrefix(low, lead)
		if !ok || rest == "" || !strings.ContainsRune(" :,", rune(rest[0])) {
			continue
		}
		text = strings.TrimLeft(text[len(lead):], " :,")
		for _, is := range []string{"is ", "should be ", "to ", "= "} {
			if strings.HasPrefix(strings.ToLower(text), is) {
				return text[len(is):]
			}
		}
		return text
	}
	return text
}

// stripDenied is a text without the one that it replaces: "Winter Journal, not Summer Days", "not
// Summer Days but Winter Journal".
func (r *hearing) stripDenied(p *config.Param, text string, carried bool) (string, bool) {
	held, _ := r.st.cell(p).Value.(string)
	if held == "" {
		return text, carried
	}
	low, old := strings.ToLower(text), strings.ToLower(held)
	for _, behind := range []string{", not " + old, " not " + old, " instead of " + old, ", and not " + old} {
		if rest, ok := strings.CutSuffix(low, behind); ok && rest != "" {
			return strings.TrimRight(text[:len(rest)], " ,"), true
		}
	}
	for _, before := range []string{"not " + old + " but ", "not " + old + ", "} {
		if rest, ok := strings.CutPrefix(low, before); ok && rest != "" {
			return text[len(before):], true
		}
	}
	return text, carried
}

// hasForm says whether a text may replace the one that is known.
func (r *hearing) hasForm(p *config.Param, held, text string) bool {
	if ok, _ := accepts(p, text, r.st.env(r.in)); !ok {
		return false
	}
	shape := shapeOf(p)
	if shape != "" && !config.LooksLike(shape, text) {
		return false
	}
	if shape == "sentence" || shape == "" {
		return len(wordsOf(text)) > 1 && (isSentence(text) == isSentence(held) && hasDigit(text) == hasDigit(held) || shape == "sentence" && sharesWord(held, text))
	}
	return !isPart(p, held, text)
}

// sharesWord says whether two texts are about the same: they have a telling word in common.
func sharesWord(a, b string) bool {
	words := wordsOf(a)
	return slices.ContainsFunc(wordsOf(b), func(w string) bool { return len(w) > 3 && !pronouns[w] && slices.Contains(words, w) })
}

func hasDigit(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }

// pronouns are the subjects of sentences.
var pronouns = wordSet("i we you he she it they my our your his her this that there who i'm it's that's he's she's they're we're")

// isSentence says whether a text says something rather than naming something.
func isSentence(text string) bool {
	words := wordsOf(text)
	return len(words) > 2 && slices.ContainsFunc(words[:min(3, len(words))], func(w string) bool { return pronouns[w] })
}

// partOf are words that name a part of a line.
var partOf = wordSet("apartment apt flat unit suite floor number no street road avenue city zip postcode code building house door room")

// isPart says whether a text is about a part of another one: it names one, or takes up its words.
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

// askWhole asks for a text anew, in full.
func (r *hearing) askWhole(p *config.Param) {
	r.say("full_text", map[string]any{"label": p.Label})
	r.clear(p)
}

// proposeUnplaced reads a correction whose new value no rule can place: it says that nothing was
// changed, and puts the question again. It is neither a no nor lost.
func (r *hearing) proposeUnplaced() []Reading {
	if r.in == nil || r.st.Active == nil || !r.confirming() {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !r.carriesText(c) || c.any(ActQuestion, ActStop, ActHuman) || c.Stock != "" {
			continue
		}
		return []Reading{{
			Rule: "unplaced", kind: kindHold, evidence: 0.6, clauses: only(i) | r.leading(),
			perform: func(r *hearing) {
				r.leave(Left{Start: c.Start, End: c.End, Kind: LeftClause, Text: c.text})
				r.say("nothing_changed", nil)
				r.again()
			},
		}}
	}
	return nil
}

// proposeSame answers a question with what was said to it the last time: "the same as before".
func (r *hearing) proposeSame() []Reading {
	if r.asked == nil || r.st.Open.Kind != AskParam {
		return nil
	}
	for i := range r.clauses {
		c := &r.clauses[i]
		if !c.is(ActSame) {
			continue
		}
		p := r.asked
		before, known := r.st.Recent[p.Name]
		x := Reading{Rule: "same", kind: kindAnswer, evidence: c.p(ActSame), clauses: only(i) | r.leading()}
		x.perform = func(r *hearing) {
			if known {
				r.fill(r.in, p, Value{Param: p.Name, Value: before, Source: "context"})
			} else {
				r.say("nothing_before", map[string]any{"label": p.Label})
			}
			r.again()
		}
		return []Reading{x}
	}
	return nil
}

// proposeSwap exchanges two values that were taken the wrong way round.
func (r *hearing) proposeSwap() []Reading {
	if r.in == nil || r.st.Active == nil || !r.h.Swap {
		return nil
	}
	a, b := r.swappable()
	if a == nil {
		return nil
	}
	return []Reading{{
		Rule: "swap", kind: kindAnswer, evidence: 0.95, clauses: r.allClauses(),
		perform: func(r *hearing) {
			one, other := r.st.cell(a).Value, r.st.cell(b).Value
			r.fill(r.in, a, Value{Param: a.Name, Value: other, Source: "context"})
			r.fill(r.in, b, Value{Param: b.Name, Value: one, Source: "context"})
			r.again()
		},
	}}
}

// swappable are the first two known params of one type.
func (r *hearing) swappable() (a, b *config.Param) {
	known := r.in.AllParams()
	known = slices.DeleteFunc(slices.Clone(known), func(p *config.Param) bool { return r.st.cell(p) == nil || p.List })
	for i, p := range known {
		for _, o := range known[i+1:] {
			if p.Type == o.Type || p.Type.Builtin != "" && p.Type.Builtin == o.Type.Builtin && p.Type.Builtin != "text" {
				return p, o
			}
		}
	}
	return nil, nil
}

func (r *hearing) allClauses() set {
	var all set
	for i := range r.clauses {
		all |= only(i)
	}
	return all
}
