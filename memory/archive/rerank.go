package archive

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/slotway/slotway/memory"
)

// rerank lets the reranker order what was found. It changes nothing where that fails,
// takes too long or gives figures that are none, and it never adds or removes a result.
func (t *Tier) rerank(ctx context.Context, q *Query, found []Result) {
	if t.opts.Reranker == nil || len(found) < 2 {
		return
	}
	question, texts, err := t.asked(ctx, q, found)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, t.opts.RerankTime)
	defer cancel()
	figures, ok := ask(ctx, t.opts.Reranker, question, texts)
	if !ok || len(figures) != len(found) {
		return
	}
	order := make([]int, len(found))
	for i := range order {
		if math.IsNaN(figures[i]) || math.IsInf(figures[i], 0) {
			return
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(figures[b], figures[a]) })
	before := slices.Clone(found)
	for to, from := range order {
		found[to] = before[from]
	}
}

// asked is a question and what was found, as the reranker may see them.
func (t *Tier) asked(ctx context.Context, q *Query, found []Result) (question string, texts []string, err error) {
	hide := func(text string) string { return text }
	if t.opts.Hide != nil {
		keys := []memory.Key{q.Key}
		for i := range found {
			if key := found[i].Key; !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
		if hide, err = t.opts.Hide(ctx, keys...); err != nil {
			return "", nil, err
		}
	}
	for i := range found {
		texts = append(texts, hide(found[i].Excerpt))
	}
	return hide(q.Text), texts, nil
}

// ask turns a failure or a panic of the reranker into no answer.
func ask(ctx context.Context, r Reranker, question string, texts []string) (figures []float64, ok bool) {
	defer func() {
		if recover() != nil {
			figures, ok = nil, false
		}
	}()
	figures, err := r.Rerank(ctx, question, texts)
	return figures, err == nil && ctx.Err() == nil
}
