package summary

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/memory"
)

// pause is the silence after which a conversation begins anew.
const pause = 3 * time.Hour

// line is a piece of a message with what the features need.
type line struct {
	m       *memory.Message
	text    string // condensed
	tokens  []token
	content []string // sorted stems without stop words, small talk and vague words, each once
	asks    bool     // the message asks something
	since   int      // messages since a pause
	first   bool     // first piece of the message
	cue     bool     // the message is important
}

// linesOf cuts messages of the user and the agent into pieces.
func linesOf(list []memory.Message) []line {
	var lines []line
	since, last := 0, time.Time{}
	for i := range list {
		m := &list[i]
		if m.Role != memory.User && m.Role != memory.Agent {
			continue
		}
		if m.Timestamp.Sub(last) >= pause {
			since = 0
		}
		last = m.Timestamp
		cue := Importance(m) >= 2
		for n, part := range chunks(condense(m.Text)) {
			l := line{m: m, text: part, tokens: tokenize(part), asks: strings.Contains(m.Text, "?"), since: since, first: n == 0, cue: cue}
			l.content = contentStems(l.tokens)
			lines = append(lines, l)
		}
		since++
	}
	return lines
}

func contentStems(tokens []token) []string {
	var stems []string
	for _, t := range tokens {
		if !stopWords[t.word] && !phatic[t.word] && !vague[t.word] && (len(t.word) > 2 || t.digit) {
			stems = append(stems, message.StemOf(t.word))
		}
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}

// features returns the features of a piece between its neighbours, in the order of the weights.
func (l *line) features(before, after *line, lex *lexicon, seen map[string]bool) []float64 {
	var c counts
	for _, t := range l.tokens {
		c.add(t, seen)
	}
	size := float64(max(len(l.tokens), 1))
	share := func(n int) float64 { return float64(n) / size }
	var idf, fresh float64
	for _, w := range l.content {
		idf += math.Log(float64(lex.Messages+1) / float64(max(lex.Stems[w], 1)))
		if !seen[w] {
			fresh++
		}
	}
	content := float64(max(len(l.content), 1))
	ends := float64(max(strings.Count(l.m.Text, ".")+strings.Count(l.m.Text, "!")+strings.Count(l.m.Text, "?"), 1))
	return []float64{
		1,
		math.Log(1 + float64(len(l.tokens))),
		math.Log(content),
		float64(strings.Count(l.m.Text, "?")) / ends,
		float64(strings.Count(l.m.Text, "!")) / ends,
		upTo(c.numbers, 2),
		upTo(c.names, 3),
		upTo(c.newNames, 3),
		upTo(c.dated, 3),
		share(c.first),
		share(c.second),
		share(c.third),
		upTo(c.kin, 2),
		upTo(c.events, 3),
		upTo(c.belongings, 3),
		share(c.phatic),
		share(c.vague),
		share(c.long),
		idf / content / math.Log(float64(lex.Messages+2)),
		math.Log(1 + fresh),
		1 / float64(1+l.since),
		math.Log(1 + float64(l.since)),
		truth(before != nil && before.asks),
		truth(after != nil && after.asks),
		math.Log(1 + float64(shared(l, after))),
		truth(l.cue),
		truth(l.m.Role == memory.Agent),
	}
}

// counts counts words of each list.
type counts struct {
	numbers, names, newNames, dated, first, second, third, kin, events, belongings, phatic, vague, long int
}

func (c *counts) add(t token, seen map[string]bool) {
	name := t.upper && !t.first && !firstPerson[t.word]
	for _, row := range [...]struct {
		n  *int
		is bool
	}{
		{&c.numbers, t.digit},
		{&c.names, name},
		{&c.newNames, name && !stopWords[t.word] && !phatic[t.word] && !vague[t.word] && !seen[message.StemOf(t.word)]},
		{&c.dated, dated[t.word]},
		{&c.first, firstPerson[t.word]},
		{&c.second, secondPerson[t.word]},
		{&c.third, thirdPerson[t.word]},
		{&c.kin, kin[t.word]},
		{&c.events, events[t.word]},
		{&c.belongings, belongings[t.word]},
		{&c.phatic, phatic[t.word]},
		{&c.vague, vague[t.word]},
		{&c.long, len(t.word) >= 8},
	} {
		if row.is {
			*row.n++
		}
	}
}

// shared counts the content words that a later piece repeats.
func shared(a, b *line) int {
	if b == nil {
		return 0
	}
	n := 0
	for _, w := range a.content {
		if _, ok := slices.BinarySearch(b.content, w); ok {
			n++
		}
	}
	return n
}

func upTo(n, most int) float64 { return float64(min(n, most)) }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
