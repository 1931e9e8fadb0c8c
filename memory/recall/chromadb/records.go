package chromadb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/slotway/slotway/memory/recall"
)

// metadata is the metadata of a record. That of a document has a namespace, a doc_type and the
// archive's metadata in addition.
type metadata struct {
	User       recall.ID `json:"user"`
	Scope      recall.ID `json:"scope"`
	Session    recall.ID `json:"session"`
	Seq        int64     `json:"seq"`
	Check      uint32    `json:"check"`
	At         int64     `json:"at"`
	Agent      int       `json:"agent"`
	Importance int       `json:"importance"`
	Born       int64     `json:"born"`
	Epoch      int64     `json:"epoch"`
}

func (m *metadata) fence() recall.Fence { return recall.Fence{Born: m.Born, Epoch: m.Epoch} }

// recordID returns the id of a record.
func recordID(session recall.ID, seq int64) string {
	return session.String() + "/" + strconv.FormatInt(seq, 10)
}

func recordIDs(session recall.ID, seqs []int64) []string {
	ids := make([]string, len(seqs))
	for i, seq := range seqs {
		ids[i] = recordID(session, seq)
	}
	return ids
}

// metadataOf returns the metadata of a row. The API allows single values only, so that lists become
// JSON.
func metadataOf(set recall.VectorSet, row *recall.VectorRow) (map[string]any, error) {
	out := map[string]any{
		"user": set.User, "scope": set.Scope, "session": set.Session, "seq": row.Seq, "check": row.Check, "at": row.At,
		"agent": 0, "importance": row.Importance, "born": set.Fence.Born, "epoch": set.Fence.Epoch,
	}
	if row.Agent {
		out["agent"] = 1
	}
	if row.Document == nil {
		return out, nil
	}
	out["namespace"], out["doc_type"] = row.Document.Namespace, row.Document.Type
	for name, value := range row.Document.Metadata {
		switch v := value.(type) {
		case map[string]string:
			for part, text := range v {
				out[name+"_"+part] = text
			}
		case []string:
			text, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("%w: a list cannot be written", ErrServer)
			}
			out[name] = string(text)
		default:
			out[name] = v
		}
	}
	return out, nil
}

// Put implements recall.VectorStore.
func (s *Store) Put(ctx context.Context, set recall.VectorSet, rows []recall.VectorRow) error {
	wanted := kind{set.Documents, set.Model, set.Dim}
	if err := s.create(ctx, wanted); err != nil {
		return fmt.Errorf("make a collection: %w", err)
	}
	newer, err := s.newer(ctx, wanted, set, rows)
	if err != nil {
		return fmt.Errorf("put vectors: %w", err)
	}
	var in struct {
		IDs        []string         `json:"ids"`
		Embeddings [][]float32      `json:"embeddings"`
		Documents  []string         `json:"documents,omitempty"`
		Metadatas  []map[string]any `json:"metadatas"`
	}
	for i := range rows {
		row := &rows[i]
		if newer[row.Seq] {
			continue
		}
		m, err := metadataOf(set, row)
		if err != nil {
			return err
		}
		in.IDs, in.Embeddings, in.Metadatas = append(in.IDs, recordID(set.Session, row.Seq)), append(in.Embeddings, row.Vector), append(in.Metadatas, m)
		if row.Document != nil {
			in.Documents = append(in.Documents, row.Document.Text)
		}
	}
	if len(in.IDs) == 0 {
		return nil
	}
	if err := s.records(ctx, wanted, "upsert", &in, nil); err != nil {
		return fmt.Errorf("put vectors: %w", err)
	}
	return nil
}

// newer returns the numbers of the rows that exist with a later fence than the set's.
func (s *Store) newer(ctx context.Context, wanted kind, set recall.VectorSet, rows []recall.VectorRow) (map[int64]bool, error) {
	seqs := make([]int64, len(rows))
	for i := range rows {
		seqs[i] = rows[i].Seq
	}
	var there fetched
	err := s.records(ctx, wanted, "get", map[string]any{"ids": recordIDs(set.Session, seqs), "include": []string{"metadatas"}}, &there)
	newer := map[int64]bool{}
	for i := range there.Metadatas {
		m := &there.Metadatas[i]
		newer[m.Seq] = set.Fence.Before(m.fence())
	}
	return newer, err
}

// fetched is the response of a get.
type fetched struct {
	Metadatas []metadata `json:"metadatas"`
}

// list returns the metadata of the records of a kind that pass a filter; a nil filter passes all.
// Pages may overlap if records are written meanwhile.
func (s *Store) list(ctx context.Context, wanted kind, filter where) ([]metadata, error) {
	const limit = 5000
	var all []metadata
	for {
		in := map[string]any{"include": []string{"metadatas"}, "limit": limit, "offset": len(all)}
		if filter != nil {
			in["where"] = filter
		}
		var page fetched
		if err := ignoreMissing(s.records(ctx, wanted, "get", in, &page)); err != nil {
			return nil, err
		}
		all = append(all, page.Metadatas...)
		if len(page.Metadatas) < limit {
			return all, nil
		}
	}
}

// Stored implements recall.VectorStore.
func (s *Store) Stored(ctx context.Context, set recall.VectorSet) ([]recall.StoredRow, error) {
	all, err := s.list(ctx, kind{set.Documents, set.Model, set.Dim}, is("session", set.Session))
	if err != nil {
		return nil, fmt.Errorf("list vectors: %w", err)
	}
	rows := make([]recall.StoredRow, len(all))
	for i := range all {
		rows[i] = recall.StoredRow{Seq: all[i].Seq, Check: all[i].Check, Fence: all[i].fence()}
	}
	slices.SortFunc(rows, func(a, b recall.StoredRow) int { return cmp.Compare(a.Seq, b.Seq) })
	return slices.CompactFunc(rows, func(a, b recall.StoredRow) bool { return a.Seq == b.Seq }), nil
}

// Owners implements recall.VectorStore. It reads the metadata of all records.
func (s *Store) Owners(ctx context.Context) ([]recall.Owner, error) {
	kinds, err := s.kinds(ctx)
	if err != nil {
		return nil, fmt.Errorf("list collections: %w", err)
	}
	var owners []recall.Owner
	seen := map[recall.ID]bool{}
	for _, wanted := range kinds {
		all, err := s.list(ctx, wanted, nil)
		if err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		for i := range all {
			if row := &all[i]; !seen[row.Session] {
				seen[row.Session] = true
				owners = append(owners, recall.Owner{User: row.User, Scope: row.Scope, Session: row.Session})
			}
		}
	}
	return owners, nil
}

// Drop implements recall.VectorStore.
func (s *Store) Drop(ctx context.Context, d recall.VectorDrop) error {
	filter := []where{is("user", d.User)}
	if d.Scope != none {
		filter = append(filter, is("scope", d.Scope))
	}
	if d.Session != none {
		filter = append(filter, is("session", d.Session))
	}
	if before := d.Before; before != nil {
		filter = append(filter, where{"$or": []where{
			condition("born", "$lt", before.Born), allOf(is("born", before.Born), condition("epoch", "$lt", before.Epoch)),
		}})
	}
	in := map[string]any{"where": allOf(filter...)}
	if d.Seqs != nil {
		in["ids"] = recordIDs(d.Session, d.Seqs)
	}
	kinds, err := s.kinds(ctx)
	if err != nil {
		return fmt.Errorf("list collections: %w", err)
	}
	for _, wanted := range kinds {
		if d.Model != "" && (wanted.model != d.Model || wanted.documents != d.Documents) {
			continue
		}
		if err := ignoreMissing(s.records(ctx, wanted, "delete", in, nil)); err != nil {
			return fmt.Errorf("drop vectors: %w", err)
		}
	}
	return nil
}

// where is a filter of the API.
type where map[string]any

// allOf joins filters.
func allOf(list ...where) where {
	if len(list) == 1 {
		return list[0]
	}
	return where{"$and": list}
}

func condition(name, op string, value any) where { return where{name: where{op: value}} }

func is(name string, value any) where { return condition(name, "$eq", value) }

// none is the ID that limits nothing.
var none recall.ID

// limits returns the limits of a query as a filter.
func limits(q *recall.VectorQuery) where {
	list := []where{is("scope", q.Scope)}
	add := func(wanted bool, w where) {
		if wanted {
			list = append(list, w)
		}
	}
	add(q.Session != none, is("session", q.Session))
	add(q.Exclude != none, condition("session", "$ne", q.Exclude))
	add(q.Recent != none, where{"$or": []where{
		condition("session", "$ne", q.Recent), allOf(condition("seq", "$gte", q.RecentFrom), condition("seq", "$lt", q.RecentBefore)),
	}})
	add(q.NoUser, is("agent", 1))
	add(q.NoAgent, is("agent", 0))
	add(q.Since != nil, condition("at", "$gte", q.Since))
	add(q.Until != nil, condition("at", "$lt", q.Until))
	add(q.MinImportance > 0, condition("importance", "$gte", q.MinImportance))
	return allOf(list...)
}

// Nearest implements recall.VectorStore: one call for the nearest, and one beside it for the rows
// that are included by key.
func (s *Store) Nearest(ctx context.Context, q recall.VectorQuery) ([]recall.VectorMatch, error) {
	var ids []string
	for _, key := range q.Include {
		ids = append(ids, recordID(key.Session, key.Seq))
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	var included []recall.VectorMatch
	var failed error
	var wg sync.WaitGroup
	wg.Go(func() {
		included, failed = s.query(ctx, &q, len(ids), map[string]any{"ids": ids, "where": is("scope", q.Scope)})
	})
	near, err := s.query(ctx, &q, q.K, map[string]any{"where": limits(&q)})
	wg.Wait()
	if err := errors.Join(err, failed); err != nil {
		return nil, fmt.Errorf("find the nearest: %w", err)
	}
	near = append(near, included...)
	slices.SortFunc(near, func(a, b recall.VectorMatch) int {
		return cmp.Or(slices.Compare(a.Session[:], b.Session[:]), cmp.Compare(a.Seq, b.Seq))
	})
	near = slices.CompactFunc(near, func(a, b recall.VectorMatch) bool { return a.VectorKey == b.VectorKey })
	slices.SortStableFunc(near, func(a, b recall.VectorMatch) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.At, b.At))
	})
	return near, nil
}

// query returns the n records nearest to the query's vector. A record of another scope is an error:
// the server ignored the filter.
func (s *Store) query(ctx context.Context, q *recall.VectorQuery, n int, in map[string]any) ([]recall.VectorMatch, error) {
	if n <= 0 {
		return nil, nil
	}
	in["query_embeddings"], in["n_results"], in["include"] = [][]float32{q.Vector}, n, []string{"metadatas", "distances"}
	var out struct {
		Metadatas [][]metadata `json:"metadatas"`
		Distances [][]float32  `json:"distances"`
	}
	err := s.records(ctx, kind{model: q.Model, dim: len(q.Vector)}, "query", in, &out)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	if len(out.Metadatas) != 1 || len(out.Distances) != 1 || len(out.Metadatas[0]) != len(out.Distances[0]) {
		return nil, fmt.Errorf("%w: an answer lacks what was asked for", ErrServer)
	}
	var near []recall.VectorMatch
	for i, m := range out.Metadatas[0] {
		if m.Scope != q.Scope {
			return nil, fmt.Errorf("%w: a record of another scope", ErrServer)
		}
		near = append(near, recall.VectorMatch{
			VectorKey: recall.VectorKey{Session: m.Session, Seq: m.Seq}, Check: m.Check, At: m.At, Cosine: min(max(1-out.Distances[0][i], -1), 1),
		})
	}
	return near, nil
}
