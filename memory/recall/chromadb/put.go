package chromadb

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/recall/internal/vec"
)

// putRows is the number of records written per call.
const putRows = 500

// record is the stored form of a message or a document.
type record struct {
	seq      int64
	vector   []float32
	text     string // of a document
	metadata any
}

// Put implements recall.Vectors.
func (s *Store) Put(ctx context.Context, set recall.VectorSet, rows []recall.VectorRow) error {
	if err := ctx.Err(); err != nil || len(rows) == 0 {
		return err
	}
	name := s.nameOf(set.Model, set.Dim)
	if _, err := s.create(ctx, name, set.Model); err != nil {
		return fmt.Errorf("make a collection: %w", err)
	}
	if err := s.putOwner(ctx, set); err != nil {
		return err
	}
	records := make([]record, len(rows))
	for i := range rows {
		r := &rows[i]
		m := metadata{
			User: set.User.String(), Scope: set.Scope.String(), Session: set.Session.String(), Seq: r.Seq, Check: int64(r.Check), At: r.At,
			Importance: r.Importance, Born: set.Fence.Born, Epoch: set.Fence.Epoch,
		}
		if r.Agent {
			m.Agent = 1
		}
		records[i] = record{seq: r.Seq, vector: r.Vector, metadata: m}
	}
	if err := s.upsert(ctx, name, set, records); err != nil {
		return fmt.Errorf("put vectors: %w", err)
	}
	return nil
}

// putOwner records that a session has vectors. It is called before they are written, so that no
// vector is without an owner.
func (s *Store) putOwner(ctx context.Context, set recall.VectorSet) error {
	if _, err := s.create(ctx, s.ownersName(), ""); err != nil {
		return fmt.Errorf("make a collection: %w", err)
	}
	err := s.records(ctx, s.ownersName(), "upsert", map[string]any{
		"ids": []string{set.Session.String()}, "embeddings": [][]float32{{1}},
		"metadatas": []any{map[string]any{"user": set.User.String(), "scope": set.Scope.String(), "session": set.Session.String()}},
	}, nil)
	if err != nil {
		return fmt.Errorf("put a session: %w", err)
	}
	return nil
}

// upsert writes records of a session, except those that a later life of the session has written.
func (s *Store) upsert(ctx context.Context, name string, set recall.VectorSet, records []record) error {
	for part := range slices.Chunk(records, putRows) {
		ids := make([]string, len(part))
		for i := range part {
			ids[i] = recordID(set.Session, part[i].seq)
		}
		newer, err := s.newerRecords(ctx, name, ids, set.Fence)
		if err != nil {
			return err
		}
		var in struct {
			IDs        []string `json:"ids"`
			Embeddings []string `json:"embeddings"`
			Documents  []string `json:"documents,omitempty"`
			Metadatas  []any    `json:"metadatas"`
		}
		for i := range part {
			r := &part[i]
			v, ok := vec.Unit(r.vector)
			if !ok || len(r.vector) != set.Dim {
				return ErrVector
			}
			if newer[ids[i]] {
				continue
			}
			in.IDs, in.Embeddings, in.Metadatas = append(in.IDs, ids[i]), append(in.Embeddings, base64Vector(v)), append(in.Metadatas, r.metadata)
			if name == s.documentsName() {
				in.Documents = append(in.Documents, r.text)
			}
		}
		if len(in.IDs) == 0 {
			continue
		}
		if err := s.records(ctx, name, "upsert", &in, nil); err != nil {
			return err
		}
	}
	return nil
}

// newerRecords returns which of some records exist with a later fence.
func (s *Store) newerRecords(ctx context.Context, name string, ids []string, fence recall.Fence) (map[string]bool, error) {
	var there fetched
	if err := s.records(ctx, name, "get", map[string]any{"ids": ids, "include": []string{"metadatas"}}, &there); err != nil {
		return nil, err
	}
	if len(there.Metadatas) != len(there.IDs) {
		return nil, fmt.Errorf("%w: an answer lacks what was asked for", ErrServer)
	}
	newer := map[string]bool{}
	for i, id := range there.IDs {
		newer[id] = fence.Before(there.Metadatas[i].fence())
	}
	return newer, nil
}

// base64Vector encodes a vector as the API expects it: base64 of little-endian floats.
func base64Vector(v []float32) string {
	raw := make([]byte, 0, 4*len(v))
	for _, a := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(a))
	}
	return base64.StdEncoding.EncodeToString(raw)
}
