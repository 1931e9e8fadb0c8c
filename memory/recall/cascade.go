package recall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/memory"
)

// CascadeDeletes returns a store whose deletions also delete the vectors in a vector store. Without
// it, vectors of deleted sessions stay until a [Tier.Backfill] of all users; they are not found,
// since results are read from the store.
//
// Delete and Prune return an error that wraps [ErrVectors] if the store deleted its part but the
// vectors are still there. Delete can then be called again: it drops the vectors and returns
// ErrNotFound. Close also closes the vector store.
func CascadeDeletes(store memory.Backend, vectors VectorStore) memory.Backend {
	return &cascading{store, vectors}
}

type cascading struct {
	memory.Backend

	vectors VectorStore
}

// Close implements memory.Connection.
func (f *cascading) Close() error {
	f.vectors.Close()
	return f.Backend.Close()
}

// Delete implements memory.Admin.
func (f *cascading) Delete(ctx context.Context, key memory.Key) error {
	err := f.Backend.Delete(ctx, key)
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	if key.Validate() != nil {
		return err
	}
	if gone := f.drop(ctx, key); gone != nil {
		return gone
	}
	return err
}

func (f *cascading) drop(ctx context.Context, key memory.Key) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	if err := f.vectors.Drop(ctx, VectorDrop{Owner: OwnerOf(key)}); err != nil {
		return fmt.Errorf("drop the vectors of a deleted session: %w: %w", ErrVectors, err)
	}
	return nil
}

// Prune implements memory.Admin.
func (f *cascading) Prune(ctx context.Context, before time.Time) (int, error) {
	idle, err := f.idle(ctx, before)
	if err != nil {
		return 0, err
	}
	n, err := f.Backend.Prune(ctx, before)
	if err != nil || n == 0 {
		return n, err
	}
	for _, key := range idle {
		snap, err := f.Load(ctx, key, memory.LoadOptions{Fresh: true})
		if err != nil {
			return n, err
		}
		if snap.State.Version != 0 {
			continue
		}
		if err := f.drop(ctx, key); err != nil {
			return n, err
		}
	}
	return n, nil
}

// idle lists the sessions last updated before a moment. Nothing is kept in that order, so it looks at all, as
// Prune does.
func (f *cascading) idle(ctx context.Context, before time.Time) (keys []memory.Key, err error) {
	if err = memory.Walk(ctx, f, memory.Query{}, func(i *memory.Info) error {
		if i.UpdatedAt.Before(before) {
			keys = append(keys, i.Key)
		}
		return nil
	}); err != nil {
		return nil, fmt.Errorf("list idle sessions: %w", err)
	}
	return keys, nil
}
