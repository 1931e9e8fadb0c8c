package cues

import (
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// takenOff holds the cues of an unwanted value.
const takenOff = message.CueNegated | message.CueRemove

// exchangeVerbs put one value in the place of another: "swap my coke for a lemonade". The word
// between the two values decides which one is the first: the old one (head) or the new one (tail).
var exchangeVerbs = exchangeTable([]exchangeRow{
	{"swap", head}, {"move", head}, {"substitute", head}, {"substitute for", tail}, {"prefer over", tail}, {"prefer", tail},
})

type exchangeRow struct {
	class string
	first side
}

func exchangeTable(rows []exchangeRow) map[string]map[string]side {
	out := map[string]map[string]side{}
	for _, r := range rows {
		for v := range words("verb of " + r.class) {
			if out[v] == nil {
				out[v] = map[string]side{}
			}
			for j := range words("link of " + r.class) {
				out[v][j] = r.first
			}
		}
	}
	return out
}

// exchangeReach is the greatest number of words from an exchanging verb to the first value, and
// between the two values.
const exchangeReach = 4

// Words right before or behind a value that say whether the user has it or wants it.
var (
	haveBefore = book[bool]{}.byLast(true, phrases("have before")).
			byLast(false, phrases("no have before"))
	haveBehind = book[bool]{}.byFirst(true, phrases("have behind"))
	wantBefore = book[bool]{}.byLast(true, phrases("want before")).
			byLast(false, phrases("no want before"))
	haveCarriers = words("have carriers")
)

// exchanged returns which of two neighbouring values goes: head for the first, tail for the second.
// sure reports that the words name the exchange itself, not only what the user has or wants.
func (m *cutMessage) exchanged(a, b span, first, second message.Cues) (goes side, sure bool) {
	if s := m.exchangeVerb(a, b); s != neither {
		return s, true
	}
	switch offFirst, offSecond := first.Any(takenOff), second.Any(takenOff); {
	case offFirst && !offSecond:
		return head, true
	case offSecond && !offFirst:
		return tail, true
	}
	switch x, y := m.owned(a), m.owned(b); {
	case x == y:
		return neither, false
	case x == head || x != tail && y == tail:
		return head, false
	default:
		return tail, false
	}
}

// exchangeVerb reads a verb of exchange before the first value or right behind it, and the
// word that joins the two.
func (m *cutMessage) exchangeVerb(a, b span) side {
	if b.from-a.to > exchangeReach {
		return neither
	}
	for i := a.to + 1; i <= b.from; i++ {
		if depth(m.mark(i)) > 0 {
			return neither
		}
	}
	joiner := b.from - 1
	for joiner > a.to && haveCarriers[m.low(joiner)] && m.low(joiner) != "for" && m.low(joiner) != "to" {
		joiner--
	}
	verb := func(i int) side {
		joins := exchangeVerbs[m.low(i)]
		if joins == nil || joiner < a.to || !m.free(joiner) {
			return neither
		}
		return joins[m.low(joiner)]
	}
	if s := verb(a.to); s != neither {
		return s
	}
	for i, steps := a.from, 0; i > 0 && steps < exchangeReach && depth(m.mark(i)) < 2 && m.free(i-1); i, steps = i-1, steps+1 {
		if s := verb(i - 1); s != neither {
			return s
		}
		if m.low(i-1) == "make" && m.onlyArticles(a.to, b.from) && m.onlyArticles(i, a.from) {
			return head
		}
	}
	return neither
}

// onlyArticles reports whether nothing but articles stands from one word to another.
func (m *cutMessage) onlyArticles(from, to int) bool {
	for i := from; i < to; i++ {
		if !articles[m.low(i)] || m.mark(i) != 0 && i > from {
			return false
		}
	}
	return true
}

// owned returns head for a value that the user has and tail for one that the user wants.
func (m *cutMessage) owned(s span) side {
	if has, n := haveBehind.at(m, s.to); n > 0 && has && m.mark(s.to) == 0 {
		return head
	}
	for i, steps := s.from, 0; i > 0 && steps < 3 && depth(m.mark(i)) < 2; i, steps = i-1, steps+1 {
		wants, w := wantBefore.before(m, i)
		has, h := haveBefore.before(m, i)
		switch {
		case w > h && wants:
			return tail
		case w > h, h > 0 && has:
			return head
		case h > 0:
			return tail
		case w > 0 && wants:
			return tail
		}
		if !m.free(i-1) || !haveCarriers[m.low(i-1)] {
			break
		}
	}
	return neither
}

// exchange gives two values of a group their params where one takes the other's place. Where one of
// the params is known, the same words may correct it ("friday, not thursday"), so the values stay
// with their cues.
func (g *group) exchange(in classifier.Input, w *work, values []message.Value, list []candidate) {
	if !g.change || !g.english || len(list) != 2 || !g.bothOpen(in) {
		return
	}
	a, b := &list[0], &list[1]
	if a.to > b.from || g.labelled(values, a) >= 0 || g.labelled(values, b) >= 0 {
		return
	}
	goes, sure := w.exchanged(a.span, b.span, values[a.first].Cues, values[b.first].Cues)
	first, second := g.of(goes), g.of(goes.opposite())
	switch {
	case goes == neither:
		return
	case !sure && (values[a.first].Cues | values[b.first].Cues).Has(message.CueAsked): // "is codeine better than aspirin?"
		return
	case !sure && (a.taken(first) || b.taken(second)):
		return
	}
	for _, c := range []*candidate{a, b} {
		c.firm, c.exchanged = true, true
	}
	a.member, b.member = first, second
}

// bothOpen reports whether the group has a param for each end and neither is known.
func (g *group) bothOpen(in classifier.Input) bool {
	return g.heads >= 0 && g.tails >= 0 && !g.known(in, g.params[g.heads]) && !g.known(in, g.params[g.tails])
}

// taken reports whether the words announce surely that a candidate is of another member.
func (c *candidate) taken(member int) bool { return c.member >= 0 && c.member != member && c.firm }

func (s side) opposite() side {
	switch s {
	case head:
		return tail
	case tail:
		return head
	}
	return neither
}

// joined gives two values the order that the examples have where the same words join them.
func (g *group) joined(w *work, a, b *candidate) bool {
	if len(g.between) == 0 {
		return false
	}
	first, seen := g.between[w.joint(a.span, b.span)]
	if !seen || first < 0 || a.taken(first) || b.taken(1-first) {
		return false
	}
	a.member, b.member, a.firm, b.firm = first, 1-first, true, true
	return true
}
