package redis

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// Driver gives the stores of another driver the cache that memory.redis_url names.
func Driver(of memory.Driver) memory.Driver {
	return memory.Driver{Storage: of.Storage, Open: func(ctx context.Context, o *memory.DriverOptions) (*memory.Opened, error) {
		opened, err := of.Open(ctx, o)
		if err != nil || o.Settings.RedisURL == "" {
			return opened, err
		}
		store, can := opened.Store.(*sqlstore.Store)
		cache, err := New(o.Settings.RedisURL, Options{})
		if err == nil && !can {
			err = errors.New("this store cannot share what it has read; take the setting away")
		}
		if err != nil {
			err = errors.Join(fmt.Errorf("memory.redis_url: %w", err), opened.Store.Close())
			if opened.Locks != nil {
				err = errors.Join(err, opened.Locks.Close())
			}
			return nil, err
		}
		store.Share(cache)
		opened.Cache = cache.Health
		return opened, nil
	}}
}
