package redis

import (
	"context"
	"io"
	"time"

	"github.com/slotway/slotway/memory"
)

func (a *afflicted) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	a.strike()
	return a.Store.Load(ctx, key, opts)
}

func (a *afflicted) Commit(ctx context.Context, d *memory.Delta) error {
	a.strike()
	return a.Store.Commit(ctx, d)
}

func (a *afflicted) Delete(ctx context.Context, key memory.Key) error {
	a.strike()
	return a.Store.Delete(ctx, key)
}

func (a *afflicted) Prune(ctx context.Context, before time.Time) (int, error) {
	a.strike()
	return a.Store.Prune(ctx, before)
}

func (a *afflicted) Import(ctx context.Context, r io.Reader) (int, error) {
	a.strike()
	return a.Store.Import(ctx, r)
}
