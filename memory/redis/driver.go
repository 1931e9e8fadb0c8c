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
		opened.Store, opened.Cache = cached, cached.health
		return opened, nil
	}}
}

func (s *Store) health() memory.CacheHealth {
	var h memory.CacheHealth
	h.Unhealthy, h.UnhealthyTotal = s.Unhealthy()
	for _, n := range s.Counts() {
		h.Operations = append(h.Operations, memory.CacheOperation(n))
	}
	return h
}
