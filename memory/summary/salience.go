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
		if !t.empty() && (len(t.word) > 2 || t.digit) {
			stems = append(stems, message.StemOf(t.word))
		}
	}
	slices.Sort(stems)
	return slices.Compact(stems)
}

// features returns the features of a piece between its neighbours, in the order of the weights.
func (l *line) features(before, after *line, lex *lexicon, seen map[string]bool) []float64 {
	size := float64(max(len(l.tokens), 1))
	var idf, fresh float64
	for _, w := range l.content {
		idf += math.Log(float64(lex.Messages+1) / float64(max(lex.Stems[w], 1)))
		if !seen[w] {
			fresh++
		}
	}
	content := float64(max(len(l.content), 1))
	ends := float64(max(strings.Count(l.m.Text, ".")+strings.Count(l.m.Text, "!")+strings.Count(l.m.Text, "?"), 1))
	out := []float64{
		1,
		math.Log(1 + float64(len(l.tokens))),
		math.Log(content),
		float64(strings.Count(l.m.Text, "?")) / ends,
		float64(strings.Count(l.m.Text, "!")) / ends,
	}
	for _, c := range counters {
		n := 0.0
		for _, t := range l.tokens {
			n += truth(c.counts(t, seen))
		}
		if c.most == 0 {
			n /= size
		} else {
			n = min(n, c.most)
		}
		out = append(out, n)
	}
	return append(out,
		idf/content/math.Log(float64(lex.Messages+2)),
		math.Log(1+fresh),
		1/float64(1+l.since),
		math.Log(1+float64(l.since)),
		truth(before != nil && before.asks),
		truth(after != nil && after.asks),
		math.Log(1+float64(shared(l, after))),
		truth(l.cue),
		truth(l.m.Role == memory.Agent),
	)
}

// counters are the features that count words, at most so many, or as a share of all for 0.
var counters = [...]struct {
	most   float64
	counts func(t token, seen map[string]bool) bool
}{
	{2, func(t token, _ map[string]bool) bool { return t.digit }},
	{3, func(t token, _ map[string]bool) bool { return t.name() }},
	{3, func(t token, seen map[string]bool) bool {
		return t.name() && !t.empty() && !seen[message.StemOf(t.word)]
	}},
	{3, of(dated)},
	{0, of(firstPerson)},
	{0, of(secondPerson)},
	{0, of(thirdPerson)},
	{2, of(kin)},
	{3, of(events)},
	{3, of(belongings)},
	{0, of(phatic)},
	{0, of(vague)},
	{0, func(t token, _ map[string]bool) bool { return len(t.word) >= 8 }},
}

func of(words map[string]bool) func(token, map[string]bool) bool {
	return func(t token, _ map[string]bool) bool { return words[t.word] }
}

func (t token) name() bool { return t.upper && !t.first && !firstPerson[t.word] }

// empty reports whether a word has no content.
func (t token) empty() bool { return stopWords[t.word] || phatic[t.word] || vague[t.word] }

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

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
