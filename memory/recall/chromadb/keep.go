package chromadb

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/internal/vec"
)

// pageRows is the number of records listed per call.
const pageRows = 1000

// list calls each with the records that pass a filter; a nil filter passes all.
func (s *Store) list(ctx context.Context, name string, filter where, each func(m *metadata) error) error {
	for offset := 0; ; offset += pageRows {
		in := map[string]any{"include": []string{"metadatas"}, "limit": pageRows, "offset": offset}
		if filter != nil {
			in["where"] = filter
		}
		var page fetched
		if err := s.records(ctx, name, "get", in, &page); err != nil {
			return ignoreMissing(err)
		}
		for i := range page.Metadatas {
			if err := each(&page.Metadatas[i]); err != nil {
				return err
			}
		}
		if len(page.IDs) < pageRows {
			return nil
		}
	}
}

// Stored implements recall.Vectors. The API returns records in no order, so all after the given
// number are read.
func (s *Store) Stored(ctx context.Context, set recall.VectorSet, after int64, limit int) ([]recall.StoredRow, error) {
	var rows []recall.StoredRow
	filter := allOf([]where{condition("session", "$eq", set.Session.String()), condition("seq", "$gt", after)})
	err := s.list(ctx, s.nameOf(set.Model, set.Dim), filter, func(m *metadata) error {
		rows = append(rows, recall.StoredRow{Seq: m.Seq, Check: uint32(m.Check), Fence: m.fence()})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list vectors: %w", err)
	}
	slices.SortFunc(rows, func(a, b recall.StoredRow) int { return cmp.Compare(a.Seq, b.Seq) })
	rows = slices.CompactFunc(rows, func(a, b recall.StoredRow) bool { return a.Seq == b.Seq }) // pages may overlap
	return rows[:min(limit, len(rows))], nil
}

// ownerFilter selects the records of a user, a scope or a session.
func ownerFilter(o recall.Owner) []where {
	list := []where{condition("user", "$eq", o.User.String())}
	absent := recall.ID{}
	if o.Scope != absent {
		list = append(list, condition("scope", "$eq", o.Scope.String()))
	}
	if o.Session != absent {
		list = append(list, condition("session", "$eq", o.Session.String()))
	}
	return list
}

// Drop implements recall.Vectors.
func (s *Store) Drop(ctx context.Context, d recall.VectorDrop) error {
	models, err := s.models(ctx)
	if err != nil {
		return fmt.Errorf("list collections: %w", err)
	}
	for _, c := range models {
		if s.isDocuments(&c) && (len(d.Keep) > 0 || d.Seqs != nil) {
			continue
		}
		model, _ := c.Metadata[modelKey].(string)
		if d.Model != "" && c.Name != s.nameOf(d.Model, d.Dim) || slices.Contains(d.Keep, model) {
			continue
		}
		if err := s.drop(ctx, c.Name, &d); err != nil {
			return fmt.Errorf("drop vectors: %w", err)
		}
	}
	if err := s.dropOwners(ctx, &d, models); err != nil {
		return fmt.Errorf("drop sessions: %w", err)
	}
	return nil
}

func (s *Store) drop(ctx context.Context, name string, d *recall.VectorDrop) error {
	filter := ownerFilter(d.Owner)
	if d.Before != nil {
		filter = append(filter, where{"$or": []where{
			condition("born", "$lt", d.Before.Born), allOf([]where{condition("born", "$eq", d.Before.Born), condition("epoch", "$lt", d.Before.Epoch)}),
		}})
	}
	if d.Seqs == nil {
		return ignoreMissing(s.records(ctx, name, "delete", map[string]any{"where": allOf(filter)}, nil))
	}
	for part := range slices.Chunk(d.Seqs, putRows) {
		ids := make([]string, len(part))
		for i, seq := range part {
			ids[i] = recordID(d.Session, seq)
		}
		if err := ignoreMissing(s.records(ctx, name, "delete", map[string]any{"ids": ids, "where": allOf(filter)}, nil)); err != nil {
			return err
		}
	}
	return nil
}

// dropOwners removes the sessions that have no records left.
func (s *Store) dropOwners(ctx context.Context, d *recall.VectorDrop, models []collection) error {
	filter := allOf(ownerFilter(d.Owner))
	if d.Model == "" && d.Seqs == nil && d.Before == nil && len(d.Keep) == 0 {
		return ignoreMissing(s.records(ctx, s.ownersName(), "delete", map[string]any{"where": filter}, nil))
	}
	var empty []string
	err := s.list(ctx, s.ownersName(), filter, func(o *metadata) error {
		for _, c := range models {
			var some fetched
			in := map[string]any{"where": condition("session", "$eq", o.Session), "limit": 1, "include": []string{}}
			if err := ignoreMissing(s.records(ctx, c.Name, "get", in, &some)); err != nil || len(some.IDs) > 0 {
				return err
			}
		}
		empty = append(empty, o.Session)
		return nil
	})
	if err != nil || len(empty) == 0 {
		return err
	}
	for part := range slices.Chunk(empty, putRows) {
		if err := ignoreMissing(s.records(ctx, s.ownersName(), "delete", map[string]any{"ids": part}, nil)); err != nil {
			return err
		}
	}
	return nil
}

// Owners implements recall.Vectors.
func (s *Store) Owners(ctx context.Context, each func(recall.Owner) error) error {
	return s.list(ctx, s.ownersName(), nil, func(m *metadata) error {
		o, err := vec.ParseOwner(m.User, m.Scope, m.Session)
		if err != nil {
			return fmt.Errorf("%w: read a session: %w", ErrServer, err)
		}
		return each(o)
	})
}
