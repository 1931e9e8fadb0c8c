package cues

import (
	"slices"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// param describes the words that may stand around a value of a param.
type param struct {
	name   string
	labels set        // stems of the words of its name and label
	named  [][]string // its name and label, where they are of several words
	shared set        // stems of words that tell it not from others: those of its type
	units  set        // stems of the nouns that it counts
	number bool
	people bool // it counts people
	list   bool
	enum   bool
}

// Words that say nothing about which param is meant.
var (
	generic    = words("generic")
	peopleNoun = words("people noun")
	// peopleName are the words of a param's name that counts people.
	peopleName = words("people name")
	unitStops  = words("unit stops")
)

// newParam reads a param's name and label.
func newParam(p *config.Param) *param {
	out := &param{name: p.Name, labels: set{}, shared: set{}, units: set{}, list: p.List, enum: p.Type != nil && len(p.Type.Values) > 0}
	out.number = p.Type != nil && (p.Type.Builtin == "number" || p.Type.Builtin == "integer")
	out.label(p)
	return out
}

// label adds the words of a declaration.
func (out *param) label(p *config.Param) {
	list := append(nameWords(p.Name), nameWords(p.Label)...)
	for _, w := range list {
		if !generic[w] && len(w) > 1 {
			out.labels[message.Singular(w)] = true
		}
	}
	for _, text := range []string{p.Name, p.Label} {
		if words := nameWords(text); len(words) > 1 && slices.ContainsFunc(words, func(w string) bool { return !generic[w] }) {
			out.named = append(out.named, words)
		}
	}
	if !out.number {
		return
	}
	for _, w := range list {
		out.people = out.people || peopleName[message.Singular(w)]
		if s := message.Singular(w); s != w && !generic[w] { // a plural: what is counted
			out.units[s] = true
		}
	}
	label := nameWords(p.Label)
	if i := slices.Index(label, "of"); i > 0 && i+1 < len(label) {
		out.units[message.Singular(label[len(label)-1])] = true
	}
}

// nameWords are the words of a name or label, in lower case: shipTo, ship_to, "ship to".
func nameWords(name string) []string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		last = r
		if r == '\'' || r == '’' {
			continue
		}
		if !message.InWord(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// learnUnits notes the nouns that follow a param's annotated values.
func (r *Reader) learnUnits(e config.Example) {
	m := &cutMessage{}
	m.cut(e.Text)
	at := m.markSpans(e.Spans)
	for k, s := range e.Spans {
		p := r.params[s.Param]
		if p == nil || !p.number {
			continue
		}
		for i := at[k].to; i < len(m.words) && i < at[k].to+3 && m.mark(i) == 0; i++ {
			if !m.free(i) {
				continue // "3 large pizzas"
			}
			w := m.low(i)
			if unitStops[w] || carriers[w] || w == "am" || w == "pm" {
				break
			}
			if message.Singular(w) != w || i == at[k].to && peopleNoun[w] {
				p.units[message.Singular(w)] = true
				break
			}
		}
	}
}

// markSpans gives the words of annotated spans, and notes whose part a word is.
func (m *cutMessage) markSpans(spans []config.Span) []span {
	out := make([]span, len(spans))
	for k, s := range spans {
		from := slices.IndexFunc(m.words, func(w word) bool { return w.to > s.Start })
		if from < 0 {
			from = len(m.words)
		}
		to := from
		for to < len(m.words) && m.words[to].from < s.End {
			m.words[to].value = k + 1
			to++
		}
		out[k] = span{from, to}
	}
	return out
}

// labelled reports whether words of the param's label announce the value at s, or follow it:
// "zip 73301", "its address is X", "Boston is the destination".
func (m *cutMessage) labelled(s span, p *param) bool {
	return m.labelBefore(s, p) || m.labelBehind(s, p)
}

func (m *cutMessage) labelBefore(s span, p *param) bool {
	for i, steps := s.from, 0; i > 0 && steps < 7 && depth(m.mark(i)) < 2; steps++ {
		w := m.low(i - 1)
		switch {
		case !m.free(i - 1):
			return false
		case p.labels[message.Singular(w)] && !p.shared[message.Singular(w)], p.labels[m.joined(i)], m.namedBefore(i, p):
			return !p.number || i < 2 || m.free(i-2) || m.mark(i-1) != 0 // "3 boxes to 12": they are counted already
		case p.shared[message.Singular(w)], typeNouns[w]:
		case !carriers[w] && !labelGap[w] || unlinked[w] && w != "to" && w != "do":
			return false
		}
		i--
	}
	return false
}

// joined is the word that the two before word i are when they are written as one: "drop-off".
func (m *cutMessage) joined(i int) string {
	first := i - 2
	if m.low(first) == "-" {
		first--
	}
	if !m.free(first) || m.mark(i-1) != 0 {
		return ""
	}
	return m.low(first) + m.low(i-1)
}

// labelVerbs stand between a value and the label behind it.
var labelVerbs = words("label verbs")

func (m *cutMessage) labelBehind(s span, p *param) bool {
	own := func(i int) bool { return p.labels[message.Singular(m.low(i))] && !p.shared[message.Singular(m.low(i))] }
	i := s.to
	if m.free(i) && m.mark(i) == 0 && !p.number && (own(i) || m.namedAt(i, p)) && !m.leads(i+1) {
		return true // "airport pickup"
	}
	if !m.free(i) || depth(m.mark(i)) > 1 || !labelVerbs[m.low(i)] {
		return false
	}
	for i++; i < s.to+6 && m.mark(i) == 0 && (articles[m.low(i)] || m.low(i) == "number" || m.low(i) == "of") && !p.labels[m.low(i)]; {
		i++
	}
	return m.free(i) && m.mark(i) == 0 && own(i) && !m.leads(i+1)
}

// namedBefore reports whether the param's whole name or label ends right before word i: of
// "check in" and "check out" no word alone tells.
func (m *cutMessage) namedBefore(i int, p *param) bool {
	return slices.ContainsFunc(p.named, func(words []string) bool { return m.spelledBefore(i, words) > 0 })
}

// namedAt reports whether the param's whole name or label begins at word i.
func (m *cutMessage) namedAt(i int, p *param) bool {
	return slices.ContainsFunc(p.named, func(words []string) bool { return m.spelledAt(i, words) > 0 })
}

// labelGap may lie between a label and its value.
var labelGap = words("label gap")

// leads reports whether the words at i announce another value: "5 is the quantity 3".
func (m *cutMessage) leads(i int) bool {
	for ; i < len(m.words) && m.mark(i) < 1; i++ {
		if m.words[i].value != 0 {
			return true
		}
		if w := m.low(i); w != "is" && w != "=" && w != "of" && w != "to" {
			return false
		}
	}
	return false
}

// counted reports whether a unit of the param follows a number: "3 large pizzas".
func (m *cutMessage) counted(s span, p *param) bool {
	for i := s.from; p.people && i < s.to; i++ {
		if w := m.low(i); w == "us" || peopleNoun[message.Singular(w)] {
			return true // the value names them itself: "4 of us"
		}
	}
	for i := s.to; i < len(m.words) && i < s.to+3 && m.mark(i) == 0; i++ {
		if !m.free(i) {
			continue
		}
		w := m.low(i)
		if w == "of" && m.low(i+1) == "us" {
			return p.people
		}
		if unitStops[w] {
			break
		}
		if w := message.Singular(w); p.units[w] || p.people && peopleNoun[w] {
			return true
		}
	}
	next := m.low(s.to)
	return p.people && (m.mark(s.to) != 0 || courtesies[next] || message.Singular(next) == next) && m.partyOf(s)
}

// What a number of people stands behind: "a party of 5", "a table for 5".
var (
	parties = words("parties")
	booked  = words("booked")
)

// partyOf reports whether the words before a number make it a number of people: "a party of 5".
func (m *cutMessage) partyOf(s span) bool {
	switch m.low(s.from - 1) {
	case "of":
		return parties[m.low(s.from-2)]
	case "for":
		return booked[m.low(s.from-2)]
	}
	return false
}
