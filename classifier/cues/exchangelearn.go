package cues

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// learnPair learns from an example with a value of each of two members: the words between them,
// their order, and which one is replaced.
func (g *group) learnPair(m *cutMessage, spans []span, params []string) {
	if len(g.params) != 2 {
		return
	}
	var places []int
	for k, p := range params {
		if slices.Contains(g.params, p) {
			places = append(places, k)
		}
	}
	if len(places) != 2 || params[places[0]] == params[places[1]] {
		return
	}
	slices.SortFunc(places, func(x, y int) int { return spans[x].from - spans[y].from })
	a, b := spans[places[0]], spans[places[1]]
	first := slices.Index(g.params, params[places[0]])
	if key := m.joint(a, b); key != "" {
		if was, seen := g.between[key]; seen && was != first {
			first = -1
		}
		g.between[key] = first
	}
	values := []message.Value{{Start: 0, End: 1}, {Start: 1, End: 2}}
	values[0].Cues, values[1].Cues = m.surroundings(a).cues, m.surroundings(b).cues
	m.pairs(values, []span{a, b}, func(string) bool { return false })
	goes, sure := m.exchanged(a, b, values[0].Cues, values[1].Cues)
	if goes == neither || !sure {
		return
	}
	gone := slices.Index(g.params, params[places[0]])
	if goes == tail {
		gone = 1 - gone
	}
	g.gone[gone]++
}

// settleExchange makes a group one of exchange where the examples that say so agree: they
// count for more than what the params are called.
func (g *group) settleExchange() {
	if len(g.params) != 2 || g.change || g.gone[0] > 0 == (g.gone[1] > 0) {
		return
	}
	g.heads, g.tails, g.change = 0, 1, true
	if g.gone[1] > 0 {
		g.heads, g.tails = 1, 0
	}
}

// longestJoint is the greatest number of words between two values that are learned.
const longestJoint = 3

// joint returns the words between two values of one clause without articles, or "" for words that
// join any two things.
func (m *cutMessage) joint(a, b span) string {
	key, said := "", false
	for i, n := a.to, 0; i <= b.from; i++ {
		if depth(m.mark(i)) > 1 {
			return ""
		}
		if i == b.from || articles[m.low(i)] {
			continue
		}
		if n++; n > longestJoint || !m.free(i) {
			return ""
		}
		said = said || !joins[m.low(i)]
		key += m.low(i) + " "
	}
	if !said {
		return ""
	}
	return key
}
