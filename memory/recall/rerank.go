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

// Reranker scores texts for a question.
type Reranker interface {
	// Rerank returns one score for each text, higher is better. It returns soon after its context
	// ends.
	Rerank(ctx context.Context, question string, texts []string) ([]float64, error)
}

// Reranking orders results by a Reranker. It pauses one that fails repeatedly. It is safe for
// concurrent use and must not be copied.
type Reranking struct {
	Reranker Reranker
	Time     time.Duration // limit of one call; default 2s

	Redact Redactor // applied to the question and the texts

	breaker breaker.Breaker
}

// Order returns the order of texts by their index, the best first. It returns nil if the order
// should stay: the reranker failed, took too long, returned no numbers, or is paused.
func (r *Reranking) Order(ctx context.Context, question string, texts []string, keys ...memory.Key) []int {
	if r == nil || r.Reranker == nil || len(texts) < 2 {
		return nil
	}
	redacted, err := r.Redact.Texts(ctx, append([]string{question}, texts...), keys...)
	if err != nil {
		return nil
	}
	permit, ok := r.breaker.Acquire()
	if !ok {
		return nil
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(r.Time, 2*time.Second))
	defer cancel()
	figures, err := r.ask(within, redacted[0], redacted[1:])
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

// ask turns a panic of the reranker, or a late answer, into an error.
func (r *Reranking) ask(ctx context.Context, question string, texts []string) (figures []float64, err error) {
	defer func() {
		if recover() != nil {
			err = errPanicked
		}
	}()
	figures, err = r.Reranker.Rerank(ctx, question, texts)
	return figures, cmp.Or(err, ctx.Err())
}

// Reorder returns a list in an order; a nil order changes nothing.
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

// The reranker sees rerankFactor candidates for each wanted one, and at most maxReranked.
const (
	rerankFactor = 4
	maxReranked  = 50
)

// rerankCount returns how many messages of a query the reranker sees; 0: none.
func (q *Query) rerankCount() int {
	if !q.Rerank {
		return 0
	}
	return min(rerankFactor*q.K, maxReranked)
}

// rerank orders what was found by reranking the messages themselves. It drops those that can no
// longer be read.
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
