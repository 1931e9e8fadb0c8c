package archive

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/scopes"
	"github.com/slotway/slotway/memory/summary"
)

// Limits of a document. Texts are counted in code points.
const (
	maxTitle     = 80
	maxWords     = 120 // of a summary
	maxTold      = 200 // of a decision or a question
	maxDecisions = 8
	maxQuestions = 6
	maxSummary   = 4000
	maxTerms     = 600
)

// digest makes the document of a range. next are the messages after it, which may answer its
// questions. The summary is that of the tier summary.
func (t *Tier) digest(ctx context.Context, key memory.Key, messages, next []memory.Message) (*Document, error) {
	said, onward := sentencesOf(messages), sentencesOf(slices.Concat(messages, next))
	fates, err := t.taskStatuses(ctx, key, slices.Concat(messages, next))
	if err != nil {
		return nil, err
	}
	rare, err := t.rarity(ctx, key)
	if err != nil {
		return nil, err
	}
	first, last := &messages[0], &messages[len(messages)-1]
	d := &Document{
		Version: version, From: first.Seq, To: last.Seq, Messages: len(messages), Begun: first.Timestamp, Ended: last.Timestamp,
		Digest: Digest{
			Topics: topics(said, rare), Entities: entities(said), Decisions: decisions(messages),
			Questions: openQuestions(onward, len(messages), fates),
		},
		Dates: dates(summary.Facts(messages)), Words: map[string]int{},
	}
	for i := range said {
		countTerms(d.Words, said[i].text)
	}
	for _, topic := range d.Topics { // topics count twice
		countTerms(d.Words, topic)
	}
	d.Words = mostFrequent(d.Words, maxTerms)
	d.Title, d.Summary = told(summary.Extract(messages, maxWords))
	if d.Title == "" {
		d.Title = shorten(cmp.Or(strings.Join(d.Topics, ", "), "(nothing was said)"), maxTitle)
	}
	if err := t.digestByModel(ctx, key, d, messages, next, onward, fates); err != nil {
		return nil, err
	}
	return d, t.share(ctx, key, d)
}

// told returns the pieces of a summary with their speakers, and the user's most salient one, else
// the agent's, as the title.
func told(pieces []summary.Piece) (title, text string) {
	var lines []string
	best, role := 0., memory.Role("")
	for i := range pieces {
		p, line := &pieces[i], pieces[i].Line()
		if i > 0 && pieces[i-1].Role == p.Role && pieces[i-1].By == p.By {
			line = p.Text
		}
		lines = append(lines, line)
		if p.Role == memory.User && role != memory.User || p.Role == role && p.P > best || role == "" {
			best, role, title = p.P, p.Role, shorten(p.Text, maxTitle)
		}
	}
	return title, shorten(strings.Join(lines, " "), maxSummary)
}

// decisions returns the newest sentences that settle something: the latest decision holds.
func decisions(messages []memory.Message) []string {
	var out []string
	for _, text := range summary.Decisions(messages) {
		if text = shorten(text, maxTold); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return newest(out, maxDecisions)
}

// newest returns the last n entries.
func newest(list []string, n int) []string { return list[max(0, len(list)-n):] }

// rarity returns how rare a term is among the user's documents.
type rarity func(term string) float64

func (t *Tier) rarity(ctx context.Context, key memory.Key) (rarity, error) {
	sc := t.scope(scopes.Of(key))
	if err := t.catchUp(ctx, sc, ""); err != nil {
		return nil, err
	}
	return sc.rarity(), nil
}

// rarity returns the rarity of terms as they are now; documents added later do not change it.
func (sc *scope) rarity() rarity {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	in, all := slices.Clone(sc.in), sc.all
	return func(term string) float64 {
		sc.mu.RLock()
		id, ok := sc.terms[term]
		sc.mu.RUnlock()
		if !ok || int(id) >= len(in) {
			return weight(all, 0)
		}
		return weight(all, int(in[id]))
	}
}

// weight returns the weight of a term that occurs in n of all documents. With few documents all
// terms weigh about the same, since the counts say little.
func weight(all, n int) float64 {
	const few = 20
	return math.Log(1 + float64(all+few)/float64(n+1))
}

// mostFrequent keeps the n most frequent terms.
func mostFrequent(words map[string]int, n int) map[string]int {
	if len(words) <= n {
		return words
	}
	terms := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return cmp.Or(words[b]-words[a], strings.Compare(a, b)) })
	kept := make(map[string]int, n)
	for _, term := range terms[:n] {
		kept[term] = words[term]
	}
	return kept
}

// stemOf returns the term of a word, or "" for a word that carries no topic.
func stemOf(word string) string {
	var out string
	recall.Terms(word, func(term, _ []byte) { out = string(term) })
	return out
}

// stems returns the terms of a class of words.
func stems(class string) map[string]bool {
	set := map[string]bool{}
	for _, w := range lists.Words(class) {
		set[stemOf(w)] = true
	}
	return set
}
