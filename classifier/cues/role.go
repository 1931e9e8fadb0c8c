package cues

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// candidate is one stretch of a message that several members of a group could take.
type candidate struct {
	span
	first, end int // of the values that are at this place
	member     int // that the words announce; -1: none
	firm       bool
	exchanged  bool // it takes another's place, or gives its own up
	nudge      side // what a neutral preposition or nothing at all leans to
}

// roles gives the values of shared types to the params that the words announce.
func (r *Reader) roles(in classifier.Input, w *work, res *message.Result) {
	var drop []int
	for _, g := range r.groups {
		list := g.candidates(w, res.Params)
		if len(list) == 0 {
			continue
		}
		for k := range list {
			g.evidence(w, res.Params, &list[k])
		}
		g.exchange(in, w, res.Params, list)
		g.pairUp(w, res.Params, list)
		g.lean(in, w, list)
		for _, c := range list {
			drop = g.apply(c, res.Params, drop)
		}
	}
	if len(drop) == 0 {
		return
	}
	kept := res.Params[:0]
	for k, v := range res.Params {
		if !slices.Contains(drop, k) {
			kept = append(kept, v)
		}
	}
	clear(res.Params[len(kept):])
	res.Params = kept
}

// candidates are the places of the values that members of the group could take.
func (g *group) candidates(w *work, values []message.Value) []candidate {
	var out []candidate
	for k := range values {
		if !slices.Contains(g.params, values[k].Param) || soft(values[k]) || values[k].Source == "option" || w.at[k].from == w.at[k].to {
			continue
		}
		if n := len(out); n > 0 && out[n-1].span == w.at[k] {
			out[n-1].end = k + 1
			continue
		}
		out = append(out, candidate{span: w.at[k], first: k, end: k + 1, member: -1})
	}
	return out
}

// evidence reads the words before one candidate.
func (g *group) evidence(w *work, values []message.Value, c *candidate) {
	if member := g.labelled(values, c); member >= 0 {
		c.member, c.firm = member, true
		return
	}
	i, loose, jumped := c.from, false, false
	for steps := 0; i > 0 && steps < before && depth(w.mark(i)) < 2; steps++ {
		if v := w.words[i-1].value; v != 0 {
			if jumped || slices.Contains(g.params, values[v-1].Param) {
				return // it stands behind another of its kind
			}
			if i == c.from {
				c.nudge = head
			}
			i, loose, jumped = w.valueStart(i), true, true
			continue
		}
		if member, known := g.announces(w, i, loose); known {
			c.member, c.firm = member, member >= 0
			return
		}
		word := w.low(i - 1)
		if neutral[word] && !loose {
			c.nudge = head
		}
		if stops[word] || !passed[word] && c.nudge == neither && !loose {
			return
		}
		loose = loose || !passed[word] // from here on only a verb counts
		i--
	}
	if i == 0 && i == c.from {
		c.nudge = head
	}
}

// valueStart is the first word of the value that ends before word i.
func (m *cutMessage) valueStart(i int) int {
	for v := m.words[i-1].value; i > 0 && m.words[i-1].value == v; {
		i--
	}
	return i
}

// stops lists the words that cut a candidate off from the words before them.
var stops = words("stops")

// announces asks phrases, then verbs, about the words right before word i.
func (g *group) announces(w *work, i int, loose bool) (member int, known bool) {
	if member, known = g.told(w, i, loose); known {
		return member, true
	}
	s := g.verb(w.low(i - 1))
	return g.of(s), s != neither
}

// told asks the examples, then the tables, about the words right before word i. known reports that
// they have a meaning; the member is -1 where they name none of this group.
func (g *group) told(w *work, i int, loose bool) (member int, known bool) {
	last := w.low(i - 1)
	if !g.change && (ways[last] || last == "into") && w.changes(i-1) {
		return -1, true // "change it to Boston" does not say which
	}
	if !g.english {
		return g.taught(w, i, loose)
	}
	s, n := announced[g.kind].before(&w.cutMessage, i)
	leaves := g.hire && g.kind == moment && departures[last] // who hires may leave at the end of the hire
	if leaves || n > 0 && s == neither {                     // "next to", "back from"
		return -1, true
	}
	if found, ok := g.taught(w, i, loose); ok {
		return found, true
	}
	if found, ok := g.stays(w, i, loose); ok {
		return found, true
	}
	if n == 0 && g.kind == place && !g.hire {
		s, n = arrivals.before(&w.cutMessage, i)
	}
	if n == 0 || loose && !g.fromAfar(last, n) {
		return -1, false
	}
	return g.of(s), true
}

// fromAfar reports whether a phrase of n words that ends in a word speaks of a candidate that does
// not follow it at once.
func (g *group) fromAfar(last string, n int) bool {
	if n == 1 && (g.kind != moment || last == "home") {
		return false
	}
	return !ways[last] && last != "out"
}

// stays asks the phrases of a stay about the words right before word i.
func (g *group) stays(w *work, i int, loose bool) (member int, known bool) {
	if !g.stay {
		return -1, false
	}
	s, n := stays.before(&w.cutMessage, i)
	if n == 0 || loose && n == 1 && stayVerbs[w.low(i-1)] == neither {
		return -1, false
	}
	return g.of(s), true
}

// taught asks what was learned about the words right before word i, the longest first.
func (g *group) taught(w *work, i int, loose bool) (member int, known bool) {
	if loose || len(g.learnt) == 0 {
		return -1, false
	}
	key := ""
	for n := 1; n <= longestLeft && w.free(i-n) && (n == 1 || depth(w.mark(i-n+1)) < 2); n++ {
		if key != "" {
			key = " " + key
		}
		key = w.low(i-n) + key
		if m, ok := g.learnt[key]; ok {
			member, known = m, true
		}
	}
	return member, known
}

// departures say of a way when it begins, but not of a hire.
var departures = words("departures")

// arriving ends a way, but not a hire.
var arriving = words("arriving")

func (g *group) verb(word string) side {
	if !g.english || g.hire && departures[word] {
		return neither
	}
	if g.stay && stayVerbs[word] != neither {
		return stayVerbs[word]
	}
	if g.kind == place && !g.hire && arriving[word] {
		return tail
	}
	return verbs[g.kind][word]
}

// labelled is the only member whose label is beside the candidate; -1: none or several.
func (g *group) labelled(values []message.Value, c *candidate) int {
	found := -1
	for _, v := range values[c.first:c.end] {
		m := slices.Index(g.params, v.Param)
		if m < 0 || !v.Cues.Any(message.CueLabel|message.CueUnit) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = m
	}
	return found
}

// lean takes a lone day that only a neutral word announces for the beginning, unless the message
// speaks against it or a question is open that the day could answer.
func (g *group) lean(in classifier.Input, w *work, list []candidate) {
	if g.heads < 0 || g.tails < 0 || g.kind != moment || !g.english {
		return
	}
	at := -1
	for k, c := range list {
		if c.member == g.heads || c.member < 0 && at >= 0 {
			return
		}
		if c.member < 0 {
			at = k
		}
	}
	if at < 0 || list[at].nudge != head || g.bare == g.tails || g.known(in, g.params[g.heads]) || g.asked(in) {
		return
	}
	c := &list[at]
	if c.from > 0 && !neutral[w.low(c.from-1)] && g.bare != g.heads {
		return
	}
	if len(list) == 1 && w.speaksAgainst() {
		return
	}
	c.member = g.heads
}

// speaksAgainst reports whether a word of the message shows that a lone day may be the end.
func (m *cutMessage) speaksAgainst() bool {
	for i := range m.words {
		if m.free(i) && against[m.low(i)] && (m.low(i) != "there" || !auxiliary[m.low(i-1)]) {
			return true
		}
	}
	return false
}

func (g *group) known(in classifier.Input, name string) bool {
	_, ok := in.Params[name]
	return ok || slices.Contains(in.Filled, name)
}

func (g *group) asked(in classifier.Input) bool {
	return in.Asked != nil && slices.Contains(g.params, in.Asked.Param)
}

// roleConfidence is the confidence of a value with a role that the words name.
const roleConfidence = 0.96

// apply notes the role on the member's value and appends the values of the other members to drop.
func (g *group) apply(c candidate, values []message.Value, drop []int) []int {
	if c.member < 0 {
		return drop
	}
	own := -1
	for k := c.first; k < c.end; k++ {
		if values[k].Param == g.params[c.member] && !soft(values[k]) {
			own = k
		}
	}
	if own < 0 {
		return drop // another reading had it before
	}
	if c.exchanged { // said of the exchange, not of the value
		values[own].Cues &^= takenOff | message.CueCorrect | message.CueAdd
	}
	values[own].Cues |= message.CueRole
	values[own].Confidence = max(values[own].Confidence, roleConfidence)
	for k := c.first; k < c.end; k++ {
		if k != own && slices.Contains(g.params, values[k].Param) && !soft(values[k]) {
			drop = append(drop, k)
		}
	}
	return drop
}
