package eval

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/slotway/slotway/config"
)

// Noise changes messages as users do and examples do not. The zero value changes nothing. The same
// seed changes the same text in the same way, whatever stands beside it, so that two programs can
// be compared on one file.
type Noise struct {
	Edits   int    // slips of the finger in a message, each at any letter of it
	Chatter bool   // a greeting and an opening before the message, thanks behind it
	Seed    uint64 // another one slips and chats elsewhere
}

// quiet reports whether the noise does nothing.
func (n Noise) quiet() bool { return n.Edits <= 0 && !n.Chatter }

// On returns the rows with the noise; spans are where their words now are. The rows
// themselves stay as they are.
func (n Noise) On(rows []Row) []Row {
	if n.quiet() {
		return rows
	}
	out := make([]Row, len(rows))
	for i, r := range rows {
		r.Spans = slices.Clone(r.Spans)
		rng := rand.New(rand.NewPCG(n.Seed, textSeed(r.Text)))
		for range n.Edits {
			slip(&r, rng)
		}
		if n.Chatter {
			chat(&r, rng)
		}
		out[i] = r
	}
	return out
}

func textSeed(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// shots returns n rows of each intent, drawn by the seed, in their order; all of an intent
// that has fewer. n of 0 is all rows.
func shots(rows []Row, n int, seed uint64) []Row {
	if n <= 0 {
		return rows
	}
	byIntent := map[string][]int{}
	for i, r := range rows {
		byIntent[r.Intent] = append(byIntent[r.Intent], i)
	}
	var kept []int
	for intent, at := range byIntent {
		kept = append(kept, draw(at, n, rand.New(rand.NewPCG(seed, textSeed(intent))))...)
	}
	slices.Sort(kept)
	out := make([]Row, len(kept))
	for i, at := range kept {
		out[i] = rows[at]
	}
	return out
}

// draw returns n of the items, or all where there are fewer. It reorders items.
func draw[T any](items []T, n int, rng *rand.Rand) []T {
	n = min(n, len(items))
	for i := range n {
		j := i + rng.IntN(len(items)-i)
		items[i], items[j] = items[j], items[i]
	}
	return items[:n]
}

// splice replaces the runes [from, to) of a row's text by new ones. A span that begins or
// ends behind them moves along.
func (r *Row) splice(from, to int, by string) {
	text := []rune(r.Text)
	added := []rune(by)
	delta := len(added) - (to - from)
	r.Text = string(slices.Concat(text[:from], added, text[to:]))
	for i := range r.Spans {
		r.Spans[i] = moved(r.Spans[i], from, delta)
	}
}

func moved(s config.Span, at, delta int) config.Span {
	if s.Start > at || s.Start == at && delta > 1 {
		s.Start += delta
	}
	if s.End > at {
		s.End += delta
	}
	return s
}
