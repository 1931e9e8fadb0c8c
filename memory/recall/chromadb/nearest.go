package chromadb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/internal/vec"
)

// where is a filter of the API.
type where map[string]any

// allOf joins filters.
func allOf(list []where) where {
	if len(list) == 1 {
		return list[0]
	}
	return where{"$and": list}
}

func condition(key, op string, value any) where { return where{key: where{op: value}} }

// queryFilter returns the limits of a query as a filter.
func queryFilter(q *recall.VectorQuery) where {
	list := []where{condition("scope", "$eq", q.Scope.String())}
	add := func(w where) { list = append(list, w) }
	absent := recall.ID{}
	if q.Session != absent {
		add(condition("session", "$eq", q.Session.String()))
	}
	if q.Exclude != absent {
		add(condition("session", "$ne", q.Exclude.String()))
	}
	if q.Recent != absent {
		add(where{"$or": []where{condition("session", "$ne", q.Recent.String()), allOf([]where{
			condition("seq", "$gte", q.RecentFrom), condition("seq", "$lt", q.RecentBefore),
		})}})
	}
	if q.NoUser {
		add(condition("agent", "$eq", 1))
	}
	if q.NoAgent {
		add(condition("agent", "$eq", 0))
	}
	if q.Since != nil {
		add(condition("at", "$gte", *q.Since))
	}
	if q.Until != nil {
		add(condition("at", "$lt", *q.Until))
	}
	if q.MinImportance > 0 {
		add(condition("importance", "$gte", q.MinImportance))
	}
	return allOf(list)
}

// Nearest implements recall.Vectors.
func (s *Store) Nearest(ctx context.Context, q recall.VectorQuery) ([]recall.VectorMatch, error) {
	vector, ok := vec.Unit(q.Vector)
	if !ok {
		return nil, ErrVector
	}
	name := s.nameOf(q.Model, len(q.Vector))
	if _, err := s.find(ctx, name); err != nil {
		return nil, ignoreMissing(err)
	}
	var near, also []recall.VectorMatch
	var failed, alsoFailed error
	var wg sync.WaitGroup
	wg.Go(func() { also, alsoFailed = s.also(ctx, name, &q, vector) })
	near, failed = s.ranked(ctx, name, &q, vector)
	wg.Wait()
	if err := errors.Join(ignoreMissing(failed), ignoreMissing(alsoFailed)); err != nil {
		return nil, fmt.Errorf("find the nearest: %w", err)
	}
	near = append(near, also...)
	slices.SortFunc(near, func(a, b recall.VectorMatch) int {
		return cmp.Or(slices.Compare(a.Session[:], b.Session[:]), cmp.Compare(a.Seq, b.Seq))
	})
	near = slices.CompactFunc(near, func(a, b recall.VectorMatch) bool { return a.VectorKey == b.VectorKey })
	slices.SortStableFunc(near, func(a, b recall.VectorMatch) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.At, b.At))
	})
	return near, nil
}

// ranked searches the index.
func (s *Store) ranked(ctx context.Context, name string, q *recall.VectorQuery, vector []float32) ([]recall.VectorMatch, error) {
	return s.query(ctx, name, q, vector, queryFilter(q))
}

// query searches the index of a collection.
func (s *Store) query(ctx context.Context, name string, q *recall.VectorQuery, vector []float32, filter where) ([]recall.VectorMatch, error) {
	if q.K <= 0 {
		return nil, nil
	}
	var out struct {
		Metadatas [][]metadata `json:"metadatas"`
		Distances [][]float32  `json:"distances"`
	}
	err := s.records(ctx, name, "query", map[string]any{
		"query_embeddings": [][]float32{vector}, "n_results": q.K, "where": filter, "include": []string{"metadatas", "distances"},
	}, &out)
	if err != nil {
		return nil, err
	}
	if len(out.Metadatas) != 1 || len(out.Distances) != 1 || len(out.Metadatas[0]) != len(out.Distances[0]) {
		return nil, fmt.Errorf("%w: an answer lacks what was asked for", ErrServer)
	}
	var near []recall.VectorMatch
	for i := range out.Metadatas[0] {
		n, err := matchOf(&out.Metadatas[0][i], q, 1-out.Distances[0][i])
		if err != nil {
			return nil, err
		}
		near = append(near, n)
	}
	return near, nil
}

// also reads the rows that the query includes by key, and computes their cosines here.
func (s *Store) also(ctx context.Context, name string, q *recall.VectorQuery, vector []float32) ([]recall.VectorMatch, error) {
	if len(q.Include) == 0 {
		return nil, nil
	}
	ids := make([]string, len(q.Include))
	for i, p := range q.Include {
		ids[i] = recordID(p.Session, p.Seq)
	}
	slices.Sort(ids)
	var out fetched
	err := s.records(ctx, name, "get", map[string]any{
		"ids": slices.Compact(ids), "where": condition("scope", "$eq", q.Scope.String()), "include": []string{"metadatas", "embeddings"},
	}, &out)
	if err != nil {
		return nil, err
	}
	if len(out.Metadatas) != len(out.Embeddings) {
		return nil, fmt.Errorf("%w: an answer lacks what was asked for", ErrServer)
	}
	var near []recall.VectorMatch
	for i := range out.Metadatas {
		v, ok := vec.Unit(out.Embeddings[i])
		if !ok || len(v) != len(vector) {
			continue
		}
		var dot float64
		for j := range v {
			dot += float64(v[j]) * float64(vector[j])
		}
		n, err := matchOf(&out.Metadatas[i], q, float32(dot))
		if err != nil {
			return nil, err
		}
		near = append(near, n)
	}
	return near, nil
}

// matchOf returns a record as a match. A record of another scope is an error: the server ignored
// the filter.
func matchOf(m *metadata, q *recall.VectorQuery, cosine float32) (recall.VectorMatch, error) {
	n := recall.VectorMatch{Check: uint32(m.Check), At: m.At, Cosine: min(max(cosine, -1), 1)}
	n.Seq = m.Seq
	if m.Scope != q.Scope.String() {
		return n, fmt.Errorf("%w: a record of another scope", ErrServer)
	}
	session, err := vec.ParseID(m.Session)
	if err != nil {
		return n, fmt.Errorf("%w: read a record: %w", ErrServer, err)
	}
	n.Session = session
	return n, nil
}
