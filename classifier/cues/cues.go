package cues

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// Reach of the words around a value.
const (
	before = 8 // words that may lie between a phrase and its value, with the phrase
	behind = 4
)

// noted holds the cues of the words around one span. They are the same for every param of the span.
type noted struct {
	cues  message.Cues
	bare  bool // taken off by a bare "no", if its param can have things taken off
	first bool // that "no" opens the message
}

// surroundings reads the phrases beside a span.
func (m *cutMessage) surroundings(s span) noted {
	var n noted
	if !m.foreign {
		m.signsBefore(s, &n)
		m.signsAfter(s, &n)
	}
	return n
}

func (m *cutMessage) signsBefore(s span, n *noted) {
	far := false
	for i, steps := s.from, 0; i > 0 && steps < before && !ends(m.mark(i)); steps++ {
		said, k := signsBefore.before(m, i)
		switch {
		case k > 0 && said.cues == 0:
			return
		case k > 0 && (said.tight && m.mark(i) == ',' || said.near && far):
			return
		case k > 0 && said.bare:
			n.bare, n.first = true, i == k
			return
		case k > 0:
			if !m.hangs(i, k, said) {
				n.cues |= said.cues
			}
			i -= k
		case m.free(i-1) && carriers[m.low(i-1)]:
			far = far || verbal[m.low(i-1)]
			i--
		default:
			if i < s.from && m.changeTo(i, s.from) {
				n.cues |= message.CueCorrect
			}
			return
		}
	}
}

// hangs reports whether a phrase belongs to the value before it. In "O-2 instead, O-1 is fine" it
// does; in "I also want O-1" it belongs to the value behind it.
func (m *cutMessage) hangs(i, k int, said sign) bool {
	return said.cues == message.CueCorrect && m.mark(i) == ',' && i-k > 0 && m.words[i-k-1].value != 0 && m.mark(i-k) == 0 &&
		(m.low(i-1) == "instead" || m.low(i-1) == "rather")
}

// changeTo reports whether the words from i up to a value announce a change: "change the pickup
// city to".
func (m *cutMessage) changeTo(i, end int) bool {
	to := end - 1
	for to >= i && carriers[m.low(to)] && m.low(to) != "to" && m.low(to) != "into" && m.low(to) != "with" {
		to--
	}
	if to < i-1 || m.low(to) != "to" && m.low(to) != "into" && m.low(to) != "with" {
		return false
	}
	return m.changes(to)
}

// changes reports whether a verb of change governs the preposition at word to.
func (m *cutMessage) changes(to int) bool {
	if m.foreign {
		return false
	}
	for i := to; i > 0 && i > to-8 && m.mark(i) == 0; i-- {
		if !m.free(i - 1) {
			continue
		}
		if changers[m.low(i-1)] {
			return m.low(i-1) != "move" && m.low(i-1) != "turn" || m.low(i) == "it" || m.low(i) == "that"
		}
	}
	return false
}

func (m *cutMessage) signsAfter(s span, n *noted) {
	i := s.to
	if ends(m.mark(i)) {
		return
	}
	said, k := signsAfter.at(m, i)
	if k == 0 && m.low(i) == "please" {
		i++
		said, k = signsAfter.at(m, i)
	}
	if k > 0 && !(said.alone && m.valueSoon(i+k)) {
		n.cues |= said.cues
	}
	if (m.low(i) == "off" || m.low(i) == "out") && m.governed(s.from, "take", "leave", "taking", "leaving") {
		n.cues |= message.CueRemove
	}
}

// valueSoon reports whether a value stands at word i or a few words behind.
func (m *cutMessage) valueSoon(i int) bool {
	for k := i; k < i+behind && k < len(m.words) && !ends(m.mark(k)); k++ {
		if m.words[k].value != 0 {
			return true
		}
	}
	return false
}

// governed reports whether one of the verbs stands shortly before word i.
func (m *cutMessage) governed(i int, verbs ...string) bool {
	for k := i - 1; k >= 0 && k >= i-3 && m.mark(k+1) == 0; k-- {
		if slices.Contains(verbs, m.low(k)) {
			return true
		}
	}
	return false
}

// pairs reads the words between two values of one param: "three, no, four", "not Boston but
// Denver", "A or B", "without olives and ham".
func (m *cutMessage) pairs(values []message.Value, at []span, list func(param string) bool) {
	if m.foreign {
		return
	}
	for i := range values {
		a := &values[i]
		if soft(*a) {
			continue
		}
		k := i + 1
		for k < len(values) && (values[k].Param != a.Param || values[k].Start < a.End || soft(values[k])) {
			k++
		}
		if k < len(values) && at[i].to <= at[k].from {
			m.pair(a, &values[k], at[i].to, at[k].from, list(a.Param))
		}
	}
	for i := len(values) - 2; i >= 0; i-- { // "A, B or C": A is one of the choice
		a := &values[i]
		for k := i + 1; k < len(values); k++ {
			b := &values[k]
			if b.Param == a.Param && b.Start >= a.End {
				if b.Cues.Has(message.CueCondition) && at[i].to == at[k].from && m.mark(at[k].from) == ',' && !a.Cues.Any(message.CueRemove|message.CueNegated) {
					a.Cues |= message.CueCondition
				}
				break
			}
		}
	}
}

// farPair is the greatest number of words between a value and the one that corrects it.
const farPair = 7

// pair reads the words between two values, which lie from one word to another.
func (m *cutMessage) pair(a, b *message.Value, from, to int, list bool) {
	if to-from > farPair || m.broken(from, to) {
		return
	}
	words := m.words[from:to]
	twoEnds := len(words) == 1 && m.mark(from) == 0 && rangeLinks[words[0].low] && words[0].value == 0
	if !twoEnds {
		relate(a, b, words, list)
	} else if !m.changedFrom(from-1, a) {
		b.Cues |= a.Cues & takenOff
	}
	if len(words) < 4 && slices.ContainsFunc(words, func(w word) bool { return w.value == 0 && exchanging[w.low] }) && m.changedFrom(from-1, a) {
		a.Cues |= message.CueNegated
		b.Cues |= message.CueCorrect
	}
}

// exchanging are the words between what goes and what comes: "change A to B", "replace A with B",
// "swap A for B".
var exchanging = words("exchanging")

// rangeLinks join the two ends of a range.
var rangeLinks = words("range links")

// relate sets the cues of two values by the words between them: a choice, a second thought, or
// a cue of one that counts for the other.
func relate(a, b *message.Value, words []word, list bool) {
	joined, or := only(words, joins), has(words, "or")
	switch {
	case or && (joined || only(words, hedged)) && !(a.Cues | b.Cues).Any(takenOff):
		a.Cues |= message.CueCondition
		b.Cues |= message.CueCondition
	case joined && (list || or || has(words, "nor")) && a.Cues.Any(takenOff|message.CueAdd) && !b.Cues.Any(takenOff|message.CueAdd|message.CueCorrect):
		b.Cues |= a.Cues & (takenOff | message.CueAdd)
	case a.Cues.Has(message.CueNegated) && !b.Cues.Any(takenOff|message.CueAdd) && !has(words, "and") && !or:
		b.Cues |= message.CueCorrect
	case b.Cues.Has(message.CueNegated) && !a.Cues.Any(takenOff|message.CueAsked) && len(words) < 4:
		a.Cues |= message.CueCorrect
	case has(words, "no") && only(words, corrections): // also "or no", which offers no choice
		b.Cues = b.Cues&^message.CueRemove | message.CueCorrect
	}
}

// has reports whether a word is among some words and belongs to no value.
func has(list []word, low string) bool {
	return slices.ContainsFunc(list, func(w word) bool { return w.low == low && w.value == 0 })
}

// hedged lists the words of a choice with a doubtful second half: "2 or maybe 3".
var hedged = words("hedged")

// corrections lists the words of a second thought: "three, no, four", "three, or no, four".
var corrections = words("corrections")

// only reports whether all words are in a set.
func only(list []word, of set) bool {
	return !slices.ContainsFunc(list, func(w word) bool { return w.value != 0 || !of[w.low] })
}

// broken reports whether a sentence ends between two words.
func (m *cutMessage) broken(from, to int) bool {
	for i := from; i <= to && i < len(m.words); i++ {
		if ends(m.mark(i)) {
			return true
		}
	}
	return false
}

// changedFrom reports whether a value is the old one of a change: "change it from Boston to
// Denver", "switch Boston to Denver".
func (m *cutMessage) changedFrom(last int, v *message.Value) bool {
	i := last
	for i > 0 && m.words[i].value != 0 && m.words[i-1].to > v.Start {
		i--
	}
	if m.low(i-1) == "from" {
		i--
	}
	return m.mark(i) == 0 && m.changes(i)
}
