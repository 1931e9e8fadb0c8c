package cues

import (
	"github.com/slotway/slotway/classifier/message"
)

// pairUp reads two candidates in a row: "Boston to Denver", "to Boston, sorry, Denver".
func (g *group) pairUp(w *work, values []message.Value, list []candidate) {
	for k := 1; k < len(list); k++ {
		a, b := &list[k-1], &list[k]
		if a.to > b.from || w.broken(a.to, b.from) {
			continue
		}
		cues, other := values[b.first].Cues, values[a.first].Cues
		switch {
		case b.member < 0 && a.member >= 0 && (b.from-a.to <= farPair && cues.Any(message.CueCorrect) || (cues & other).Has(message.CueCondition)):
			b.member, b.firm = a.member, a.firm
		case !cues.Any(message.CueCorrect|message.CueCondition) && g.joined(w, a, b):
		case !g.change && w.changedFrom(a.to-1, &values[a.first]):
		case g.linked(w, a, b):
			g.order(a, b)
		case len(g.params) == 2 && len(list) == 2 && a.member >= 0 != (b.member >= 0) && g.alone(w, a, b, values):
			g.complete(a, b)
		}
	}
}

// linked reports whether only words that join two ends lie between two candidates.
func (g *group) linked(w *work, a, b *candidate) bool {
	joining := links
	if g.kind != place {
		joining = laterLinks
	}
	seen := false
	for i := a.to; i < b.from; i++ {
		word := w.low(i)
		switch {
		case word == "and" && w.low(a.from-1) != "between", w.mark(i) != 0 && depth(w.mark(i)) > 1:
			return false
		case joining[word], word == "for" && g.kind == place && a.member >= 0 && a.member == g.heads: // "leaving York for Bath"
			seen = true
		case !passed[word] || word == "on" && !seen:
			return false
		}
	}
	return seen && depth(w.mark(b.from)) < 2
}

// order gives two joined candidates the two ends, in their order, unless the words say
// otherwise.
func (g *group) order(a, b *candidate) {
	if g.heads < 0 || g.tails < 0 {
		if len(g.params) == 2 {
			g.complete(a, b)
		}
		return
	}
	if a.taken(g.heads) || b.taken(g.tails) {
		return
	}
	a.member, b.member, a.firm, b.firm = g.heads, g.tails, true, true
}

// nearPair is the greatest number of words between two candidates of one phrase.
const nearPair = 3

// alone reports whether two candidates belong to one phrase, so that the known role of one leaves
// the other role to the other: "Boston from Denver".
func (g *group) alone(w *work, a, b *candidate, values []message.Value) bool {
	reach := nearPair
	if g.kind == place && a.member < 0 {
		reach = farPair // "top up savings with 20 dollars from my card"
	}
	if b.from-a.to > reach || (values[a.first].Cues | values[b.first].Cues).Any(message.CueCorrect|message.CueNegated|message.CueCondition|message.CueAdd|message.CueRemove) {
		return false
	}
	for i := a.to; i <= b.from; i++ {
		if w.mark(i) != 0 || i < b.from && parting[w.low(i)] {
			return false
		}
	}
	return g.kind != place || b.from > a.to && a.member < 0 // "Boston from Denver", but not "to Denver Boston"
}

// parting keeps two candidates apart.
var parting = words("parting")

// complete gives the other member of a pair to the candidate that has none.
func (g *group) complete(a, b *candidate) {
	switch {
	case a.member >= 0 && b.member < 0:
		b.member, b.firm = 1-a.member, a.firm
	case b.member >= 0 && a.member < 0:
		a.member, a.firm = 1-b.member, b.firm
	}
}
