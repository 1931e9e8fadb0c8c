package archive

import (
	"context"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

// preparedQuery is a question in the forms that are compared.
type preparedQuery struct {
	terms    []string
	vec      []float32                          // by the embedded model; nil: there is none
	remote   []float32                          // by the preferred embedder; nil: not available
	external map[recall.VectorKey]externalMatch // what the external store found for remote
	embedder *recall.RemoteEmbedder
}

// externalMatch is a document that the external store found.
type externalMatch struct {
	check  uint32
	cosine float32
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
	var holding []*scope
	for _, sc := range scs {
		if sc.hasRemoteVectors() {
			holding = append(holding, sc)
		}
	}
	if len(holding) == 0 {
		return in
	}
	limit := searchTimeout
	if q.turn {
		limit = turnTimeout
	}
	in.remote = t.remote.EmbedQuestion(ctx, memory.Key{UserID: q.Key.UserID, AgentID: q.Key.AgentID}, q.Text, limit)
	if in.remote != nil && t.opts.External != nil {
		in.external = t.searchExternal(ctx, q, in.remote, holding)
	}
	return in
}

// searchExternal asks the external store. If that fails, words and the embedded model decide.
func (t *Tier) searchExternal(ctx context.Context, q *Query, vec []float32, scs []*scope) map[recall.VectorKey]externalMatch {
	near := map[recall.VectorKey]externalMatch{}
	for _, sc := range scs {
		vq := recall.VectorQuery{Scope: recall.ScopeID(sc.key.User, sc.key.Agent), Documents: true, Model: t.opts.Preferred.Model(), Vector: vec, K: maxMatches}
		if without := q.excluded(sc.key); without != "" {
			vq.Exclude = recall.SessionID(sessionOf(sc.key, without))
		}
		limit := externalSearchTimeout
		if q.turn {
			limit = externalTurnTimeout
		}
		var found []recall.VectorMatch
		err := t.guard.Call(ctx, "nearest", limit, func(ctx context.Context) (err error) {
			found, err = t.opts.External.Nearest(ctx, vq)
			return err
		})
		if err != nil {
			break
		}
		for _, n := range found {
			near[n.VectorKey] = externalMatch{n.Check, n.Cosine}
		}
	}
	return near
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
	if cos, ok := in.cosine(e); ok {
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

// cosine compares an entry with the question by the preferred embedder.
func (in *preparedQuery) cosine(e *entry) (float32, bool) {
	switch {
	case in.remote == nil || e.remote == nil:
		return 0, false
	case in.external == nil:
		return e.remote.cosine(in.remote)
	}
	n, ok := in.external[recall.VectorKey{Session: e.id, Seq: e.From}]
	return n.cosine, ok && n.check == e.remote.Check
}
