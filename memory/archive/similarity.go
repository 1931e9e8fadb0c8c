package archive

import (
	"context"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

// preparedQuery is a question in the forms that are compared.
type preparedQuery struct {
	terms    []string
	vec      []float32 // by the embedded model; nil: there is none
	remote   []float32 // by the preferred embedder; nil: not available
	embedder *recall.RemoteEmbedder
}

// Time limits of the preferred embedder for a question, within a turn and outside one.
const (
	turnTimeout   = time.Second
	searchTimeout = 5 * time.Second
)

// prepare embeds a question. It asks the preferred embedder only if a document of the scopes has a
// vector by it.
func (t *Tier) prepare(ctx context.Context, q *Query, scs []*scope) *preparedQuery {
	in := &preparedQuery{terms: t.questionTerms(q.Text), embedder: t.remote}
	if e := t.opts.Embedder; e != nil {
		in.vec = make([]float32, e.Dimension())
		e.EmbedInto(in.vec, q.Text)
	}
	if t.remote == nil || t.local {
		return in
	}
	if !slices.ContainsFunc(scs, (*scope).hasRemoteVectors) {
		return in
	}
	limit := searchTimeout
	if q.turn {
		limit = turnTimeout
	}
	in.remote = t.remote.EmbedQuestion(ctx, memory.Key{UserID: q.Key.UserID, AgentID: q.Key.AgentID}, q.Text, limit)
	return in
}

// hasRemoteVectors reports whether any document of a scope has a vector by the preferred embedder.
func (sc *scope) hasRemoteVectors() bool {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	for _, s := range sc.sessions {
		for _, e := range s.entries {
			if e.remote != nil {
				return true
			}
		}
	}
	return false
}

// The same limits as calibrated distances, for any embedder: the distances at which the embedded
// model has the cosines unrelatedCosine and sameCosine.
const (
	unrelatedDistance = .767
	sameDistance      = 2.233
)

// likeness returns the similarity in meaning of an entry and a question: 0 for unrelated texts, up
// to 1. The preferred embedder decides if it has seen both, else the embedded model.
func (in *preparedQuery) likeness(e *entry) float64 {
	value, unrelated, same := 0., unrelatedCosine, sameCosine
	if cos, ok := e.remote.cosine(in.remote); ok {
		value = float64(cos)
		if d, known := in.embedder.Distance(cos); known {
			value, unrelated, same = d, unrelatedDistance, sameDistance
		}
	} else if len(in.vec) == len(e.vec) {
		for i, v := range in.vec {
			value += float64(v) * float64(e.vec[i])
		}
	}
	return min(max((value-unrelated)/(same-unrelated), 0), 1)
}
