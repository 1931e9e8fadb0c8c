package archive

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/scopes"
)

// Limits of a document. Texts are counted in code points.
const (
	maxTitle     = 80
	maxSentences = 6
	maxWords     = 120 // of a summary
	maxTold      = 200 // of a decision or a question
	maxSummary   = 4000
	maxTerms     = 600
)

// digest makes the document of a range. next are the messages after it, which may answer its
// questions.
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
		Topics: topics(said, rare), Entities: entities(said), Decisions: decisions(said), Questions: openQuestions(onward, len(messages), fates),
		Dates: dates(said, messages), Words: map[string]int{},
	}
	for i := range said {
		countTerms(d.Words, said[i].text)
	}
	for _, topic := range d.Topics { // topics count twice
		countTerms(d.Words, topic)
	}
	d.Words = mostFrequent(d.Words, maxTerms)
	best, lead := salient(said, d, rare)
	d.Title = title(said, lead, d)
	d.Summary = summary(said, best)
	if err := t.digestByModel(ctx, key, d, messages, next, onward, fates); err != nil {
		return nil, err
	}
	return d, t.share(ctx, key, d)
}

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

// summary joins the chosen sentences in their order, with their speakers.
func summary(said []sentence, best []int) string {
	chosen := slices.Sorted(slices.Values(best))
	var b strings.Builder
	var speaker memory.Role
	for _, i := range chosen {
		s := &said[i]
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		if s.role != speaker {
			speaker = s.role
			b.WriteString(string(s.role) + ": ")
		}
		b.WriteString(shorten(s.text, maxTold))
	}
	return b.String()
}

// salient chooses the sentences that say most, the best first: those whose terms are rare among the
// user's documents and frequent in this one; decisions count more. It skips a sentence if the
// chosen ones have most of its terms. lead is the user's best sentence, else the agent's, or -1.
func salient(said []sentence, d *Document, rare rarity) (best []int, lead int) {
	type candidate struct {
		i     int
		score float64
		terms map[string]int
	}
	var all []candidate
	for i := range said {
		s := &said[i]
		c := candidate{i: i, terms: map[string]int{}}
		countTerms(c.terms, s.text)
		for term := range c.terms {
			c.score += rare(term) * math.Log2(1+float64(d.Words[term]))
		}
		c.score /= math.Sqrt(float64(len(c.terms)) + 3) // long sentences say more, but not in proportion
		switch {
		case decided(s):
			c.score *= 2
		case s.asks && s.role == memory.Agent:
			c.score *= .5
		}
		if s.role == memory.User {
			c.score *= 1.25
		}
		if len(c.terms) > 1 {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	lead = -1
	for _, c := range all {
		if lead < 0 || said[lead].role != memory.User && said[c.i].role == memory.User {
			lead = c.i
		}
	}
	words, told := 0, map[string]bool{}
	for _, c := range all {
		fresh := 0
		for term := range c.terms {
			if !told[term] {
				fresh++
			}
		}
		n := len(strings.Fields(said[c.i].text))
		if 2*fresh < len(c.terms) || len(best) > 0 && words+n > maxWords {
			continue
		}
		for term := range c.terms {
			told[term] = true
		}
		words += n
		if best = append(best, c.i); len(best) == maxSentences {
			break
		}
	}
	return best, lead
}

// title returns the lead sentence, else the topics, else the first sentence.
func title(said []sentence, lead int, d *Document) string {
	switch {
	case lead >= 0:
		return shorten(said[lead].text, maxTitle)
	case len(d.Topics) > 0:
		return shorten(strings.Join(d.Topics, ", "), maxTitle)
	case len(said) > 0:
		return shorten(said[0].text, maxTitle)
	}
	return "(nothing was said)"
}

// mostFrequent keeps the n most frequent terms.
func mostFrequent(words map[string]int, n int) map[string]int {
	if len(words) <= n {
		return words
	}
	terms := make([]string, 0, len(words))
	for term := range words {
		terms = append(terms, term)
	}
	slices.SortFunc(terms, func(a, b string) int { return cmp.Or(words[b]-words[a], strings.Compare(a, b)) })
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
