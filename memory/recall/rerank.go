package recall

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/slotway/slotway/config/breaker"
	"github.com/slotway/slotway/memory"
)

// Reranker judges texts by a question.
type Reranker interface {
	// Rerank returns one figure for each text, the higher the better. It ends soon after
	// its context.
	Rerank(ctx context.Context, question string, texts []string) ([]float64, error)
}

// Reranking orders what was found as a Reranker judges it. One that fails again and again is
// left alone for a while. It is safe for concurrent use, and is not to be copied.
type Reranking struct {
	Reranker Reranker
	Time     time.Duration // that one call has; default 2s

	// Redact makes what takes out of texts of these sessions what the Reranker must not see.
	// When it fails nobody is asked. nil: nothing is taken out.
	Redact func(ctx context.Context, keys ...memory.Key) (func(text string) string, error)

	breaker breaker.Breaker
}

// Order is the order of texts, the best first, by their numbers; nil: as they are, because
// the reranker failed, took too long, gave figures that are none, or is left alone.
func (r *Reranking) Order(ctx context.Context, question string, texts []string, keys ...memory.Key) []int {
	if r == nil || r.Reranker == nil || len(texts) < 2 {
		return nil
	}
	hide := func(text string) string { return text }
	if r.Redact != nil {
		var err error
		if hide, err = r.Redact(ctx, keys...); err != nil {
			return nil
		}
	}
	hidden := make([]string, len(texts))
	for i, text := range texts {
		hidden[i] = hide(text)
	}
	permit, ok := r.breaker.Acquire()
	if !ok {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(r.Time, 2*time.Second))
	defer cancel()
	figures, err := r.ask(within, hide(question), hidden)
	permit.Done(outcomeOf(ctx, err))
	if err != nil || len(figures) != len(texts) || slices.ContainsFunc(figures, func(f float64) bool { return math.IsNaN(f) || math.IsInf(f, 0) }) {
		return nil
	}
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(figures[b], figures[a]) })
	return order
}

var errPanicked = errors.New("the reranker panicked")

// ask turns a panic of the reranker into an error, as it does an answer that came too late.
func (r *Reranking) ask(ctx context.Context, question string, texts []string) (figures []float64, err error) {
	defer func() {
		if recover() != nil {
			err = errPanicked
		}
	}()
	figures, err = r.Reranker.Rerank(ctx, question, texts)
	return figures, cmp.Or(err, ctx.Err())
}

// Reorder is a list in an order; nil is the list as it is.
func Reorder[T any](list []T, order []int) []T {
	if order == nil {
		return list
	}
	out := make([]T, 0, len(list))
	for _, at := range order {
		out = append(out, list[at])
	}
	return append(out, list[len(order):]...)
}

// So many times as many candidates are judged as are wanted, and at most so many.
const (
	rerankFactor = 4
	maxReranked  = 50
)

// rerankCount is how many messages of a query the reranker sees; 0: none.
func (q *Query) rerankCount() int {
	if !q.Rerank {
		return 0
	}
	return min(rerankFactor*q.K, maxReranked)
}

// rerank orders what was found as the reranker judges the messages themselves. What cannot be
// read any more is left out.
func (t *Tier) rerank(ctx context.Context, q *Query, found []located) ([]located, error) {
	most := q.rerankCount()
	if most == 0 || len(found) < 2 {
		return found, nil
	}
	bare := *q
	bare.Neighbours, bare.MaxTokens = 0, 0
	told := map[position]bool{}
	for _, p := range q.exclude {
		told[p] = true
	}
	var seen, rest []located
	var texts []string
	keys := []memory.Key{q.Key}
	for i := range found {
		l := found[i]
		switch {
		case told[l.position]:
			continue
		case len(seen) == most:
			rest = append(rest, l)
			continue
		}
		r, err := t.readOne(ctx, &bare, &l, nil)
		if errors.Is(err, memory.ErrNotFound) || errors.Is(err, memory.ErrCorrupt) {
			continue
		}
		if err != nil {
			return nil, err
		}
		seen, texts = append(seen, l), append(texts, r.Message.Text)
		if !slices.Contains(keys, r.Key) {
			keys = append(keys, r.Key)
		}
	}
	return append(Reorder(seen, t.reranking.Order(ctx, q.Text, texts, keys...)), rest...), nil
}
