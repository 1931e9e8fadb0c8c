package cues

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/shapes"
)

// hit is a stretch of a message that an announcing phrase introduces as a text.
type hit struct {
	span
	lead int // where the announcing phrase begins
	says announcer
}

// announced adds the texts that a message announces. known reports the params with values that the
// tagger knows better.
func (r *Reader) announced(in classifier.Input, w *work, res *message.Result, known func(param string) bool) {
	var hits []hit
	for i := range w.words {
		if w.words[i].value != 0 {
			continue
		}
		for _, e := range r.announcers[w.words[i].low] {
			k := w.spelledAt(i, e.words)
			if k == 0 || known != nil && known(e.says.open.Name) || slices.ContainsFunc(hits, func(h hit) bool {
				return h.says.open == e.says.open && h.from == i+k && h.says.confidence >= e.says.confidence
			}) {
				continue
			}
			h, ok := r.textAfter(w, res.Params, i, i+k, e.says)
			for ok {
				hits = append(hits, h)
				h, ok = r.again(w, res.Params, h)
			}
		}
	}
	if len(hits) == 0 {
		return
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.says.confidence, a.says.confidence), cmp.Compare(a.lead, b.lead), cmp.Compare(b.from, a.from))
	})
	for k, h := range hits {
		if !slices.ContainsFunc(hits[:k], func(x hit) bool { return x.says.open == h.says.open && x.from < h.to && h.from < x.to }) {
			r.add(in, w, res, h)
		}
	}
	slices.SortStableFunc(res.Params, func(a, b message.Value) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Param, b.Param))
	})
	w.forget()
	w.at = w.locate(res.Params, w.at[:0])
	w.pairs(res.Params, w.at, r.isList)
}

// textAfter finds the text that the words from lead to i announce.
func (r *Reader) textAfter(w *work, values []message.Value, lead, i int, a announcer) (hit, bool) {
	from, strict, ok := w.textStart(lead, i, a)
	if !ok || afterPlace[w.low(from)] {
		return hit{}, false
	}
	name := strict && a.open.named()
	follows, bracketed := w.follows(lead, a), w.bracketed(i)
	if name && !r.opensName(w, values, from, follows || bracketed) {
		return hit{}, false
	}
	h := hit{span: span{from, r.end(w, values, from, a)}, lead: lead, says: a}
	if h.to <= h.from || !a.open.fits(w.text[w.words[h.from].start:w.words[h.to-1].end], a.any) {
		return hit{}, false
	}
	if name && !w.capitals(h.span) && !follows && !(a.open.shape == shapePlace && bracketed) {
		return hit{}, false
	}
	return h, a.open.group == nil || a.how == labelled || r.chosen(w, values, &h)
}

// textStart finds the word at which a text begins that the words from lead to i announce. strict
// reports that the text must look like a value of its param.
func (m *cutMessage) textStart(lead, i int, a announcer) (from int, strict, ok bool) {
	from, strict = i, a.strict
	address := a.open.shape == shapes.Address
	if strict && address && !ends(m.mark(i)) && !m.housing(i) {
		return 0, false, false
	}
	if a.how == labelled {
		n, sure := m.link(lead, i, a.open)
		if n < 0 || !sure && !address {
			return 0, false, false
		}
		from += n
		strict = strict || !sure
	}
	if a.strict && a.open.many && ways[m.low(i-1)] && m.changes(i-1) {
		return 0, false, false // "change it to" does not say which param
	}
	switch {
	case from >= len(m.words), a.how == straight && depth(m.mark(from)) > 1:
		return 0, false, false
	case ends(m.mark(from)) && (a.how != labelled || from != i):
		return 0, false, false
	}
	from, ok = m.skipOpeners(from, a.open.shape)
	return from, strict, ok
}

// ways are the prepositions of the two ends of a way.
var ways = words("ways")

// textOpeners may stand before a text and are no part of it.
var textOpeners = words("text openers")

// skipOpeners moves the start of a text behind articles, and that of an address behind a name.
func (m *cutMessage) skipOpeners(from int, shape string) (int, bool) {
	if shape == shapes.Name || shape == shapePlace {
		for textOpeners[m.low(from)] {
			from++
		}
	}
	if shape == shapes.Address {
		from = m.house(from)
	}
	return from, from < len(m.words)
}

// opensName reports whether a name may begin at a word: the word is no value of another kind,
// and it has a capital unless the words around it announce a name.
func (r *Reader) opensName(w *work, values []message.Value, from int, introduced bool) bool {
	if v := w.words[from].value; v != 0 && !r.sameOpen(values[v-1]) {
		return false
	}
	return introduced || w.capital(from)
}

// again finds the text that replaces another one: "to 12 Oak Street, no wait, 14 Oak Street".
func (r *Reader) again(w *work, values []message.Value, h hit) (hit, bool) {
	i := h.to
	for w.free(i) && corrections[w.low(i)] && !ends(w.mark(i)) {
		i++
	}
	if i == h.to || i >= len(w.words) || h.says.open.shape == shapes.Sentence {
		return hit{}, false
	}
	next := hit{span: span{i, r.end(w, values, i, h.says)}, lead: i, says: h.says}
	return next, next.to > i && h.says.open.fits(w.text[w.words[i].start:w.words[next.to-1].end], false)
}

// chosen reports whether the words before a text announce its param among those of its shape.
func (r *Reader) chosen(w *work, values []message.Value, h *hit) bool {
	g := h.says.open.group
	c := candidate{span: h.span, member: -1}
	g.evidence(w, values, &c)
	return c.member >= 0 && g.params[c.member] == h.says.open.Name
}

// links of a label and its text.
var labelLinks = book[bool]{}.byFirst(true, phrases("label link")).
	byFirst(false, phrases("no label link"))

// link counts the words between a label and its text; -1 means that they are no link. sure reports
// that a link is there, so that the text follows in any form.
func (m *cutMessage) link(lead, i int, o *open) (n int, sure bool) {
	if m.low(lead-1) == "your" && m.mark(lead) == 0 {
		return -1, false // the bot's
	}
	if lead > 0 && m.mark(lead) == 0 && !beforeLabel[m.low(lead-1)] && !slices.Contains(o.label, m.low(lead-1)) {
		return -1, false // "my user name is" speaks of another name
	}
	if m.mark(i) == ':' {
		return 0, true
	}
	if m.mark(i) != 0 || i >= len(m.words) {
		return -1, false
	}
	if yes, k := labelLinks.at(m, i); k > 0 {
		if !yes {
			return -1, false
		}
		if m.mark(i+k) == ':' || depth(m.mark(i+k)) < 2 {
			return k, true
		}
		return -1, false
	}
	if m.low(i) == "to" && m.changes(i) {
		return 1, true
	}
	return 0, false
}

// beforeLabel lists the words that may stand before the label of a param.
var beforeLabel = words("before label")

// fits reports whether a text may be a value of the param.
func (o *open) fits(text string, short bool) bool {
	shape := o.shape
	if short {
		shape = ""
	}
	n := utf8.RuneCountInString(text)
	v := o.Validation
	like := shapes.LooksLike(shape, text)
	if shape == shapePlace {
		like = shapes.LooksLike(shapes.Name, text) || shapes.LooksLike(shapes.Address, text)
	}
	return like && n >= v.MinLength && (v.MaxLength == 0 || n <= v.MaxLength) && (v.Pattern == nil || v.Pattern.MatchString(text))
}

// housing reports whether a figure is among the next words, as in an address.
func (m *cutMessage) housing(i int) bool {
	for k := i; k < len(m.words) && k < i+6; k++ {
		if c := m.words[k].low[0]; '0' <= c && c <= '9' {
			return true
		}
	}
	return false
}

// house returns the word at which an address begins that has a name before it: "Mia Wong, 5 Elm
// Avenue".
func (m *cutMessage) house(from int) int {
	if from >= len(m.words) || dwellings[m.low(from)] {
		return from
	}
	at := from
	for i := from; i < len(m.words) && i < from+6; i++ {
		if m.mark(i) == ',' && i > from {
			at = i
		}
		if c := m.words[i].low[0]; '0' <= c && c <= '9' {
			return at
		}
	}
	return from
}

// dwellings begin an address before its number.
var dwellings = words("dwellings")

// named reports whether the param's texts are names, which differ from other words only by their
// capitals.
func (o *open) named() bool { return o.shape == shapes.Name || o.shape == shapePlace }

// sameOpen reports whether a value is a name that was recognised by its capitals.
func (r *Reader) sameOpen(v message.Value) bool {
	return v.Source == "builtin" && r.open[v.Param] != nil
}

// bracketed reports whether the words from i on stand between "from" and "to", or behind both. They
// are a place then, in any spelling.
func (m *cutMessage) bracketed(i int) bool {
	switch m.low(i - 1) {
	case "from":
		return m.within(i, 1, "to", "into") || m.within(i-1, -1, "to", "into")
	case "to", "into":
		return m.within(i, 1, "from", "from") || m.within(i-1, -1, "from", "from")
	}
	return false
}

// farBracket is the greatest number of words of a place between "from" and "to".
const farBracket = 5

// within reports whether one of two words is among the next words of a clause, or the last ones.
func (m *cutMessage) within(i, step int, one, two string) bool {
	for k, n := i, 0; n < farBracket && m.free(k+min(step, 0)); k, n = k+step, n+1 {
		at := k + min(step, 0)
		if w := m.low(at); n > 0 && (w == one || w == two) {
			return true
		}
		if m.mark(k) != 0 && n > 0 {
			return false
		}
	}
	return false
}

// follows reports whether an announcing phrase stands behind a value, as it does in the examples.
// It has no other meaning there.
func (m *cutMessage) follows(lead int, a announcer) bool {
	return a.value && lead > 0 && m.words[lead-1].value != 0
}

// capital reports whether a word begins with a capital.
func (m *cutMessage) capital(i int) bool {
	r, _ := utf8.DecodeRuneInString(m.text[m.words[i].start:])
	return unicode.IsUpper(r)
}

// capitals reports whether all words of a span begin with a capital.
func (m *cutMessage) capitals(s span) bool {
	for i := s.from; i < s.to; i++ {
		if !m.capital(i) && strings.ContainsFunc(m.words[i].low, unicode.IsLetter) {
			return false
		}
	}
	return true
}

// add adds a text to the values unless its param has a surer one, and drops values that are only a
// part of the text, such as a house number.
func (r *Reader) add(in classifier.Input, w *work, res *message.Result, h hit) {
	first, last := w.words[h.from], w.words[h.to-1]
	v := message.Value{
		Param: h.says.open.Name, Start: first.from, End: last.to, Text: w.text[first.start:last.end],
		Source: "announced", Confidence: h.says.confidence, Cues: message.CueRole,
	}
	v.Value = v.Text
	if h.says.how == labelled {
		v.Cues = message.CueLabel
	}
	for _, o := range res.Params {
		if o.Param == v.Param && o.Start < v.End && v.Start < o.End && (!soft(o) || o.Text == v.Text) {
			return
		}
	}
	v.Cues |= w.surroundings(span{h.lead, h.to}).cues | w.surroundings(h.span).cues | w.clauseCues(h.from)
	res.Params = slices.DeleteFunc(res.Params, func(o message.Value) bool {
		inner := v.Start <= o.Start && o.End <= v.End && o.Param != v.Param && (o.Source == "builtin" || o.Source == "enum")
		said := h.says.open.shape == shapes.Sentence && o.Cues.Any(message.CueLabel|message.CueUnit)
		return inner && !said && !(in.Asked != nil && in.Asked.Param == o.Param)
	})
	res.Params = append(res.Params, v)
}
