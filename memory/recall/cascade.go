package recall

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/slotway/slotway/memory"
)

// CascadeDeletes returns a store whose deletions also delete the vectors in a vector store. Without
// it, vectors of deleted sessions stay until a [Tier.Backfill] of all users; they are not found,
// since results are read from the store.
//
// Delete and Prune return an error that wraps [ErrVectors] if the store deleted its part but the
// vectors are still there. Delete can then be called again: it drops the vectors and returns
// ErrNotFound. Close also closes a vector store that has a method Close().
func CascadeDeletes(store memory.Backend, vectors VectorWriter) memory.Backend {
	return &cascading{store, vectors}
}

type cascading struct {
	memory.Backend

	vectors VectorWriter
}

// Close implements memory.Connection.
func (f *cascading) Close() error {
	if c, ok := f.vectors.(interface{ Close() }); ok {
		c.Close()
	}
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

// idle lists the sessions last updated before a moment, which are at the end of a listing.
func (f *cascading) idle(ctx context.Context, before time.Time) ([]memory.Key, error) {
	var failed error
	page := func(from, limit int) []memory.Info {
		if failed != nil {
			return nil
		}
		var infos []memory.Info
		infos, failed = f.Sessions(ctx, memory.Query{Limit: limit, Offset: from})
		return infos
	}
	old := func(at int) bool {
		infos := page(at, 1)
		return len(infos) == 0 || infos[0].UpdatedAt.Before(before)
	}
	high := 1
	for failed == nil && !old(high-1) {
		high *= 2
	}
	first := sort.Search(high, old)
	const limit = 1000
	var keys []memory.Key
	for from := first; failed == nil; from += limit {
		infos := page(from, limit)
		for i := range infos {
			keys = append(keys, infos[i].Key)
		}
		if len(infos) < limit {
			break
		}
	}
	if failed != nil {
		return nil, fmt.Errorf("list idle sessions: %w", failed)
	}
	return keys, nil
}
