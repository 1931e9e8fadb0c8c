package archive

import (
	"context"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
)

// inquiry is a question in the forms in which it is compared.
type inquiry struct {
	terms  []string
	vec    []float32                  // by the embedded model; nil: it is not asked
	wanted []float32                  // by the embedder that takes time; nil: likewise
	near   map[recall.VectorPlace]far // what was found outside for wanted
	asking *recall.Asking
}

// far is a document that was found outside.
type far struct {
	check  uint32
	cosine float32
}

// How long an embedder that takes time has for a question, within a turn and outside one.
const (
	askTime  = time.Second
	patience = 5 * time.Second
)

// inquire reads a question. The embedder that takes time is asked only where one of the scopes
// has documents with vectors of it.
func (t *Tier) inquire(ctx context.Context, q *Query, scs []*scope) *inquiry {
	in := &inquiry{terms: t.questionTerms(q.Text), asking: t.asking}
	if e := t.opts.Embedder; e != nil {
		in.vec = make([]float32, e.Dimension())
		e.EmbedInto(in.vec, q.Text)
	}
	if t.asking == nil || t.local {
		return in
	}
	var holding []*scope
	for _, sc := range scs {
		if sc.holds() {
			holding = append(holding, sc)
		}
	}
	if len(holding) == 0 {
		return in
	}
	limit := patience
	if q.turn {
		limit = askTime
	}
	in.wanted = t.asking.Vector(ctx, memory.Key{UserID: q.Key.UserID, AgentID: q.Key.AgentID}, q.Text, limit)
	if in.wanted != nil && t.opts.Outside != nil {
		in.near = t.nearOutside(ctx, q, in.wanted, holding)
	}
	return in
}

// nearOutside asks the place outside. Where it fails, words and the embedded model are enough.
func (t *Tier) nearOutside(ctx context.Context, q *Query, vec []float32, scs []*scope) map[recall.VectorPlace]far {
	near := map[recall.VectorPlace]far{}
	for _, sc := range scs {
		vq := recall.VectorQuery{Scope: recall.ScopeID(sc.key.User, sc.key.Agent), Model: t.opts.Wanted.Model(), Vector: vec, K: nearestMost}
		if without := q.without(sc.key); without != "" {
			vq.Without = recall.SessionID(sessionOf(sc.key, without))
		}
		limit := outsideSearch
		if q.turn {
			limit = outsideTurn
		}
		var found []recall.Near
		err := t.patience.Call(ctx, "nearest", limit, func(ctx context.Context) (err error) {
			found, err = t.opts.Outside.NearestDocuments(ctx, vq)
			return err
		})
		if err != nil {
			break
		}
		for _, n := range found {
			near[n.VectorPlace] = far{n.Check, n.Cosine}
		}
	}
	return near
}

// holds reports whether any document of a scope has a vector of the embedder that takes time.
func (sc *scope) holds() bool {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	for _, s := range sc.sessions {
		for _, e := range s.entries {
			if e.far != nil {
				return true
			}
		}
	}
	return false
}

// The same for any embedder, in the distances of its ruler: those at which the embedded model,
// for which they were chosen, has the cosines nothing and same.
const (
	nothingFar = .767
	sameFar    = 2.233
)

// likeness is how near in meaning an entry is to a question, from 0 for what two texts have
// that have nothing to do with one another to 1. The embedder that takes time decides where it
// has seen both.
func (in *inquiry) likeness(e *entry) float64 {
	cos, ok := in.cosine(e)
	if !ok {
		return e.likeness(in.vec)
	}
	if d, known := in.asking.Distance(cos); known {
		return min(max((d-nothingFar)/(sameFar-nothingFar), 0), 1)
	}
	return min(max((float64(cos)-nothing)/(same-nothing), 0), 1)
}

func (in *inquiry) cosine(e *entry) (float32, bool) {
	switch {
	case in.wanted == nil || e.far == nil:
		return 0, false
	case in.near == nil:
		return e.far.cosine(in.wanted)
	}
	n, ok := in.near[recall.VectorPlace{Session: e.id, Seq: e.From}]
	return n.cosine, ok && n.check == e.far.check
}
