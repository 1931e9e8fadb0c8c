package archive

import (
	"context"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

// Reranker scores texts for a question.
type Reranker = recall.Reranker

// rerank reorders what was found. If the reranker fails, the order stays; it never adds or removes
// a result.
func (t *Tier) rerank(ctx context.Context, q *Query, found []Result) []Result {
	keys, texts := []memory.Key{q.Key}, make([]string, len(found))
	for i := range found {
		texts[i] = found[i].Excerpt
		if key := found[i].Key; !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return recall.Reorder(found, t.reranking.Order(ctx, q.Text, texts, keys...))
}
