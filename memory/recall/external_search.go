package recall

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/slotway/slotway/config/breaker"
	"github.com/slotway/slotway/memory/scopes"
)

// external is the tier's way to the vectors that are kept elsewhere.
type external struct {
	vectors Vectors
	opts    *Options
	breaker breaker.Breaker
}

// externalIndex is what an index knows of the vectors that are kept elsewhere.
type externalIndex struct {
	key   scopes.Key
	scope ID
}

// widenFactor is by how much more is asked for where half of what was found is there no more;
// mostNear is how much at most.
const (
	widenFactor = 8
	maxMatches  = 2 * maxK
)

// searchExternal is find with the vectors of another place. Where that fails, words are enough,
// unless the search is by meaning alone.
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
	near, err := t.external.nearest(ctx, vq, until)
	if err == nil && len(near) >= vq.K && 2*sc.countCurrent(near) < vq.K && vq.K < maxMatches {
		vq.K = min(vq.K*widenFactor, maxMatches)
		near, err = t.external.nearest(ctx, vq, until)
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

// searchFactor is how much longer than in a turn a search outside one may take.
const searchFactor = 10

// externalQuery makes of a question what the vectors' place is asked: the limits, and the docs
// that are found by words. false: nothing passes the limits.
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
		vq.K = maxMatches // the place does not know tags: what has others is left out of what it gives
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

// wordHits is the list of docs that are found by words.
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

// countCurrent counts the rows whose message is indexed, and is what they were made of.
func (sc *scope) countCurrent(near []VectorMatch) int {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	return len(sc.x.resolve(near))
}

// resolve finds the docs of rows, in the order of the rows.
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

// nearest asks for rows, until a moment.
func (o *external) nearest(ctx context.Context, q VectorQuery, until time.Time) ([]VectorMatch, error) {
	permit, ok := o.breaker.Acquire()
	if !ok {
		o.report("nearest", "paused", 0)
		return nil, fmt.Errorf("%w: it failed a moment ago", ErrVectors)
	}
	within, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	begun := o.opts.Now()
	near, err := o.vectors.Nearest(within, q)
	switch {
	case err == nil:
		permit.Done(breaker.Healthy)
	case ctx.Err() != nil: // the caller's deadline is the turn's: it may be short
		permit.Done(breaker.Unknown)
	default:
		permit.Done(breaker.Unhealthy)
	}
	return near, o.finish("nearest", begun, err)
}

// finish tells of a call, and marks its error as one of the vectors' place.
func (o *external) finish(op string, begun time.Time, err error) error {
	code := ""
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		code = "timeout"
	case errors.Is(err, context.Canceled):
		code = "cancelled"
	case err != nil:
		code = "unavailable"
	}
	o.report(op, code, o.opts.Now().Sub(begun))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrVectors, err)
	}
	return nil
}

func (o *external) report(op, code string, took time.Duration) {
	if o.opts.OnCall != nil {
		o.opts.OnCall(VectorCall{Op: op, Code: code, Duration: took})
	}
}
