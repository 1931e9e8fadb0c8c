package vectortest

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/slotway/slotway/memory/recall"
)

// Reference keeps vectors in memory and finds the nearest by comparing all of them. It is safe for
// concurrent use. The zero value is empty.
type Reference struct {
	mu   sync.Mutex // guards rows
	rows map[place]row
}

var _ recall.VectorStore = (*Reference)(nil)

type place struct {
	owner     recall.Owner
	documents bool
	model     string
	dim       int
	seq       int64
}

type row struct {
	recall.VectorRow

	fence recall.Fence
}

// Name implements recall.VectorStore.
func (*Reference) Name() string { return "reference" }

// Ping implements recall.VectorStore.
func (*Reference) Ping(context.Context) error { return nil }

// Close implements recall.VectorStore.
func (*Reference) Close() {}

// Put implements recall.VectorStore.
func (r *Reference) Put(ctx context.Context, set recall.VectorSet, rows []recall.VectorRow) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rows == nil {
		r.rows = map[place]row{}
	}
	for _, v := range rows {
		p := place{set.Owner, set.Documents, set.Model, set.Dim, v.Seq}
		if old, ok := r.rows[p]; ok && set.Fence.Before(old.fence) {
			continue
		}
		v.Vector = slices.Clone(v.Vector)
		r.rows[p] = row{v, set.Fence}
	}
	return nil
}

// Stored implements recall.VectorStore.
func (r *Reference) Stored(ctx context.Context, set recall.VectorSet) ([]recall.StoredRow, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []recall.StoredRow
	for p, v := range r.rows {
		if p == (place{set.Owner, set.Documents, set.Model, set.Dim, p.seq}) {
			out = append(out, recall.StoredRow{Seq: v.Seq, Check: v.Check, Fence: v.fence})
		}
	}
	slices.SortFunc(out, func(a, b recall.StoredRow) int { return cmp.Compare(a.Seq, b.Seq) })
	return out, ctx.Err()
}

// Drop implements recall.VectorStore.
func (r *Reference) Drop(ctx context.Context, d recall.VectorDrop) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for p, v := range r.rows {
		if dropped(&d, p, v) {
			delete(r.rows, p)
		}
	}
	return nil
}

func dropped(d *recall.VectorDrop, p place, v row) bool {
	none := recall.ID{}
	return d.User == p.owner.User && (d.Scope == none || d.Scope == p.owner.Scope) && (d.Session == none || d.Session == p.owner.Session) &&
		(d.Model == "" || d.Model == p.model && d.Documents == p.documents) && (d.Seqs == nil || slices.Contains(d.Seqs, p.seq)) &&
		(d.Before == nil || v.fence.Before(*d.Before))
}

// Owners implements recall.VectorStore.
func (r *Reference) Owners(ctx context.Context) ([]recall.Owner, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[recall.Owner]bool{}
	for p := range r.rows {
		seen[p.owner] = true
	}
	return slices.Collect(maps.Keys(seen)), ctx.Err()
}

// Nearest implements recall.VectorStore.
func (r *Reference) Nearest(ctx context.Context, q recall.VectorQuery) ([]recall.VectorMatch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var ranked, also []recall.VectorMatch
	for p, v := range r.rows {
		if p.owner.Scope != q.Scope || p.documents || p.model != q.Model || p.dim != len(q.Vector) {
			continue
		}
		n := recall.VectorMatch{
			VectorKey: recall.VectorKey{Session: p.owner.Session, Seq: p.seq}, Check: v.Check, At: v.At, Cosine: cosine(q.Vector, v.Vector),
		}
		if slices.Contains(q.Include, n.VectorKey) {
			also = append(also, n)
		}
		if Passes(&q, p.owner.Session, &v.VectorRow) {
			ranked = append(ranked, n)
		}
	}
	slices.SortFunc(ranked, order)
	ranked = ranked[:min(q.K, len(ranked))]
	for _, n := range also {
		if !slices.Contains(ranked, n) {
			ranked = append(ranked, n)
		}
	}
	slices.SortFunc(ranked, order)
	return ranked, nil
}

// Passes reports whether a row of a session passes the limits of a query.
func Passes(q *recall.VectorQuery, session recall.ID, v *recall.VectorRow) bool {
	none := recall.ID{}
	return (q.Session == none || q.Session == session) && (q.Exclude == none || q.Exclude != session) &&
		(q.Recent == none || q.Recent != session || v.Seq >= q.RecentFrom && v.Seq < q.RecentBefore) &&
		!(q.NoUser && !v.Agent) && !(q.NoAgent && v.Agent) &&
		(q.Since == nil || v.At >= *q.Since) && (q.Until == nil || v.At < *q.Until) && v.Importance >= q.MinImportance
}

func order(a, b recall.VectorMatch) int {
	return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.At, b.At),
		cmp.Compare(a.Session.String(), b.Session.String()), cmp.Compare(a.Seq, b.Seq))
}

func cosine(a, b []float32) float32 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return float32(dot / math.Sqrt(aa*bb))
}
