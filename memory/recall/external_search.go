package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/slotway/slotway/memory/scopes"
)

// externalIndex identifies an index in the vector store.
type externalIndex struct {
	key   scopes.Key
	scope ID
}

// If half of the matches no longer exist, widenFactor times as many are asked for, at most
// maxMatches.
const (
	widenFactor = 8
	maxMatches  = 2 * maxK
)

// searchExternal is find with the vector store. If that fails, words alone decide, unless the
// search is by meaning alone.
func (t *Tier) searchExternal(ctx context.Context, sc *scope, q *Query, a *indexQuery) ([]located, error) {
	vq, ok := sc.externalQuery(q, a)
	if !ok {
		return nil, nil
	}
	vq.Model = t.opts.Embedders[a.model].Model()
	limit := t.opts.VectorTimeout
	if !q.inTurn {
		limit *= searchFactor
	}
	until := time.Now().Add(limit)
	near, err := t.nearest(ctx, vq, until)
	if err == nil && len(near) >= vq.K && 2*sc.countCurrent(near) < vq.K && vq.K < maxMatches {
		vq.K = min(vq.K*widenFactor, maxMatches)
		near, err = t.nearest(ctx, vq, until)
	}
	if err != nil {
		if q.meaningOnly {
			return nil, fmt.Errorf("search by meaning: %w", err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a.vec = nil
		return sc.find(q, a), nil
	}
	a.external = near
	if near == nil {
		a.external = []VectorMatch{}
	}
	return sc.find(q, a), nil
}

// searchFactor is how much more time a search outside a turn has than one within.
const searchFactor = 10

// externalQuery returns the query for the vector store: the limits, and the docs found by words. ok
// is false if nothing passes the limits.
func (sc *scope) externalQuery(q *Query, a *indexQuery) (VectorQuery, bool) {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	x := sc.x
	if sn, ok := x.ids[q.currentSession]; ok && x.sessions[sn].epoch >= q.epoch {
		q.from = 0
	}
	if !x.filter(q, &a.filter) {
		return VectorQuery{}, false
	}
	f := &a.filter
	vq := VectorQuery{
		Scope: x.external.scope, Vector: a.vec, K: min(max(fromMeaning, 2*a.k), maxMatches), NoUser: f.noUser, NoAgent: f.noAgent, MinImportance: int(f.importance),
	}
	if f.tags != nil {
		vq.K = maxMatches // the store does not know tags: results are filtered afterwards
	}
	digest := func(sn int64) (id ID) {
		if sn != anySession {
			id = x.sessions[sn].digest
		}
		return id
	}
	vq.Session, vq.Exclude, vq.Recent = digest(f.session), digest(f.without), digest(f.recent)
	vq.RecentFrom, vq.RecentBefore = f.recentFrom, f.recentSeq
	if f.since != math.MinInt64 {
		vq.Since = &f.since
	}
	if f.until != math.MaxInt64 {
		vq.Until = &f.until
	}
	if !a.meaningOnly {
		for _, d := range x.wordHits(a) {
			doc := &x.docs[d.doc]
			vq.Include = append(vq.Include, VectorKey{x.sessions[doc.session].digest, doc.seq})
		}
	}
	return vq, true
}

// wordHits returns the docs found by words.
func (x *index) wordHits(a *indexQuery) []scored {
	s := x.scratch()
	defer s.release()
	x.read(s, a)
	x.byWords(s)
	x.complete(s)
	var f fusion
	f.fromWords(x, s, a)
	return f.docs
}

// countCurrent counts the matches whose message is indexed and unchanged.
func (sc *scope) countCurrent(near []VectorMatch) int {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	return len(sc.x.resolve(near))
}

// resolve returns the docs of matches, in the order of the matches.
func (x *index) resolve(near []VectorMatch) []scored {
	at := make(map[ID]map[int64]int)
	for i := range near {
		bySeq := at[near[i].Session]
		if bySeq == nil {
			bySeq = map[int64]int{}
			at[near[i].Session] = bySeq
		}
		bySeq[near[i].Seq] = i
	}
	type found struct {
		row int
		scored
	}
	var all []found
	for _, sn := range x.ids {
		s := &x.sessions[sn]
		bySeq := at[s.digest]
		for n := s.last; n >= 0 && len(bySeq) > 0; n = x.docs[n].prev {
			d := &x.docs[n]
			i, ok := bySeq[d.seq]
			if !ok {
				continue
			}
			delete(bySeq, d.seq)
			if near[i].Check == uint32(d.check) {
				all = append(all, found{i, scored{uint32(n), near[i].Cosine}})
			}
		}
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(a.row, b.row) })
	out := make([]scored, len(all))
	for i := range all {
		out[i] = all[i].scored
	}
	return out
}

// nearest searches the vector store, until a moment.
func (t *Tier) nearest(ctx context.Context, q VectorQuery, until time.Time) (near []VectorMatch, err error) {
	err = t.guard.unlessPaused(ctx, "nearest", time.Until(until), func(ctx context.Context) (err error) {
		near, err = t.opts.Vectors.Nearest(ctx, q)
		return err
	}, outcomeInTurn)
	return near, err
}
