package chromadb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/slotway/slotway/memory/recall"
)

// where is a filter of the API.
type where map[string]any

// all joins filters.
func all(list []where) where {
	if len(list) == 1 {
		return list[0]
	}
	return where{"$and": list}
}

func is(key, op string, value any) where { return where{key: where{op: value}} }

// limits translates those of a query.
func limits(q *recall.VectorQuery) where {
	list := []where{is("scope", "$eq", q.Scope.String())}
	add := func(w where) { list = append(list, w) }
	absent := recall.ID{}
	if q.Session != absent {
		add(is("session", "$eq", q.Session.String()))
	}
	if q.Without != absent {
		add(is("session", "$ne", q.Without.String()))
	}
	if q.Recent != absent {
		add(where{"$or": []where{is("session", "$ne", q.Recent.String()), all([]where{
			is("seq", "$gte", q.RecentFrom), is("seq", "$lt", q.RecentBefore),
		})}})
	}
	if q.NoUser {
		add(is("agent", "$eq", 1))
	}
	if q.NoAgent {
		add(is("agent", "$eq", 0))
	}
	if q.Since != nil {
		add(is("at", "$gte", *q.Since))
	}
	if q.Until != nil {
		add(is("at", "$lt", *q.Until))
	}
	if q.MinImportance > 0 {
		add(is("importance", "$gte", q.MinImportance))
	}
	return all(list)
}

// Nearest implements recall.Vectors.
func (s *Store) Nearest(ctx context.Context, q recall.VectorQuery) ([]recall.Near, error) {
	vector, ok := unit(q.Vector)
	if !ok {
		return nil, ErrVector
	}
	name := s.nameOf(q.Model, len(q.Vector))
	if _, err := s.find(ctx, name); err != nil {
		return nil, none(err)
	}
	var near, also []recall.Near
	var failed, alsoFailed error
	var wg sync.WaitGroup
	wg.Go(func() { also, alsoFailed = s.also(ctx, name, &q, vector) })
	near, failed = s.ranked(ctx, name, &q, vector)
	wg.Wait()
	if err := errors.Join(none(failed), none(alsoFailed)); err != nil {
		return nil, fmt.Errorf("find the nearest: %w", err)
	}
	near = append(near, also...)
	slices.SortFunc(near, func(a, b recall.Near) int {
		return cmp.Or(slices.Compare(a.Session[:], b.Session[:]), cmp.Compare(a.Seq, b.Seq))
	})
	near = slices.CompactFunc(near, func(a, b recall.Near) bool { return a.VectorPlace == b.VectorPlace })
	slices.SortStableFunc(near, func(a, b recall.Near) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.At, b.At))
	})
	return near, nil
}

// ranked asks the index.
func (s *Store) ranked(ctx context.Context, name string, q *recall.VectorQuery, vector []float32) ([]recall.Near, error) {
	return s.query(ctx, name, q, vector, limits(q))
}

// query asks the index of a collection.
func (s *Store) query(ctx context.Context, name string, q *recall.VectorQuery, vector []float32, filter where) ([]recall.Near, error) {
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
	var near []recall.Near
	for i := range out.Metadatas[0] {
		n, err := found(&out.Metadatas[0][i], q, 1-out.Distances[0][i])
		if err != nil {
			return nil, err
		}
		near = append(near, n)
	}
	return near, nil
}

// also reads the rows that are wanted by their places, and compares them here.
func (s *Store) also(ctx context.Context, name string, q *recall.VectorQuery, vector []float32) ([]recall.Near, error) {
	if len(q.Also) == 0 {
		return nil, nil
	}
	ids := make([]string, len(q.Also))
	for i, p := range q.Also {
		ids[i] = recordID(p.Session, p.Seq)
	}
	slices.Sort(ids)
	var out fetched
	err := s.records(ctx, name, "get", map[string]any{
		"ids": slices.Compact(ids), "where": is("scope", "$eq", q.Scope.String()), "include": []string{"metadatas", "embeddings"},
	}, &out)
	if err != nil {
		return nil, err
	}
	if len(out.Metadatas) != len(out.Embeddings) {
		return nil, fmt.Errorf("%w: an answer lacks what was asked for", ErrServer)
	}
	var near []recall.Near
	for i := range out.Metadatas {
		v, ok := unit(out.Embeddings[i])
		if !ok || len(v) != len(vector) {
			continue
		}
		var dot float64
		for j := range v {
			dot += float64(v[j]) * float64(vector[j])
		}
		n, err := found(&out.Metadatas[i], q, float32(dot))
		if err != nil {
			return nil, err
		}
		near = append(near, n)
	}
	return near, nil
}

// found is a record as a row. One of another scope is an error: the filter was not kept.
func found(m *metadata, q *recall.VectorQuery, cosine float32) (recall.Near, error) {
	n := recall.Near{Check: uint32(m.Check), At: m.At, Cosine: min(max(cosine, -1), 1)}
	n.Seq = m.Seq
	if m.Scope != q.Scope.String() {
		return n, fmt.Errorf("%w: a record of another scope", ErrServer)
	}
	return n, parse(&n.Session, m.Session)
}
