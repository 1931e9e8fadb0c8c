package recall

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// CascadeDeletes returns a store whose deletions also delete the vectors in a vector store. Without
// it, vectors of deleted sessions stay until a [Tier.Backfill] of all users; they are not found,
// since results are read from the store.
//
// Delete, Prune and Expire return an error that wraps [ErrVectors] if the store deleted its part but the
// vectors are still there. Delete can then be called again: it drops the vectors and returns
// ErrNotFound. Close also closes the vector store.
func CascadeDeletes(store memory.Backend, vectors VectorStore) memory.Backend {
	f := &cascading{store, vectors}
	f.Keep(memory.Rules{})
	return f
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

// Keep implements memory.Backend.
func (f *cascading) Keep(rules memory.Rules) {
	rules.Erased = f.drop
	f.Backend.Keep(rules)
}
