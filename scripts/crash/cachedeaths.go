package main

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"

	"github.com/slotway/slotway/scripts/harness"
)

// Deaths of the cache, by their names in the report.
const (
	cacheEmptied = "redis_killed_and_empty"
	cacheStale   = "redis_killed_and_restored" // with old contents
)

// harmCache kills the cache and starts it again, empty or with the contents of an earlier death:
// entries of old versions and of erased sessions.
func (f *fleet) harmCache(ctx context.Context, s *service, rng *rand.Rand) error {
	r := f.redis
	if err := r.count(ctx); err != nil {
		return err
	}
	now, err := r.contents(ctx)
	if err != nil {
		return err
	}
	kind := cacheEmptied
	if r.old != nil && rng.IntN(3) > 0 {
		kind = cacheStale
	}
	s.harms[kind]++
	err = f.outage(ctx, s, kind, nil, func() error {
		r.proc.Kill()
		if err := r.lay(kind); err != nil {
			return err
		}
		if rng.IntN(2) == 0 {
			if err := harness.Pause(ctx, time.Duration(rng.IntN(1500))*time.Millisecond); err != nil {
				return err
			}
		}
		return r.start(ctx)
	})
	if err == nil && kind == cacheStale {
		var n int64
		n, err = r.client.DBSize(ctx).Result()
		r.restored += int(n)
	}
	if r.old == nil || rng.IntN(2) == 0 {
		r.old = now
	}
	return err
}

// lay prepares the dump that the server loads.
func (r *redisServer) lay(kind string) error {
	if kind == cacheStale {
		return os.WriteFile(r.dump(), r.old, 0o600)
	}
	if err := os.Remove(r.dump()); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
