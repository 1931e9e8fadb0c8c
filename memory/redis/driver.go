package redis

import (
	"context"
	"errors"
	"fmt"

	"github.com/slotway/slotway/memory"
)

// Driver puts the cache that memory.redis_url names before the stores of another driver.
func Driver(of memory.Driver) memory.Driver {
	return memory.Driver{Storage: of.Storage, Open: func(ctx context.Context, o *memory.DriverOptions) (*memory.Opened, error) {
		opened, err := of.Open(ctx, o)
		if err != nil || o.Settings.RedisURL == "" {
			return opened, err
		}
		cached, err := New(opened.Store, o.Settings.RedisURL, &Options{Window: o.Window})
		if err != nil {
			err = errors.Join(fmt.Errorf("memory.redis_url: %w", err), opened.Store.Close())
			if opened.Locks != nil {
				err = errors.Join(err, opened.Locks.Close())
			}
			return nil, err
		}
		opened.Store, opened.Cache = cached, cached.cache.health
		return opened, nil
	}}
}
