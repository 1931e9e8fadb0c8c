package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/memory/redis"
	"github.com/slotway/slotway/memory/sqlite"
)

// openStorage opens the store that the settings name, and what replicas share besides it.
func (a *app) openStorage(ctx context.Context, f *flags) error {
	plain, err := openPlain(ctx, a.settings, f)
	if err != nil {
		return err
	}
	if a.store, err = encrypted(ctx, plain, a.settings, a.seals()); err != nil {
		return err
	}
	a.onClose(a.store.Close)
	engine, shared := plain.(*postgres.Store)
	if cached, ok := plain.(*redis.Store); ok {
		a.cached = cached
		engine, shared = cached.Store.(*postgres.Store)
	}
	if !shared {
		return nil
	}
	a.woken = engine.Wake
	lanes, err := postgres.NewLanes(direct(a.settings), nil)
	if err != nil {
		return err
	}
	a.lanes, a.laneReady = lanes, lanes.Ready
	a.onClose(lanes.Close)
	return nil
}

// ready reports why no turn can be taken now: the store, or what keeps turns in line, cannot
// be reached. The latter may have another way to the database (memory.direct_dsn).
func (a *app) ready(ctx context.Context) error {
	if a.laneReady != nil {
		if err := a.laneReady(); err != nil {
			return err
		}
	}
	return a.store.Ping(ctx)
}

// openStore opens the store that the settings name.
func openStore(ctx context.Context, s *config.Settings, f *flags) (memory.Store, error) {
	plain, err := openPlain(ctx, s, f)
	if err != nil {
		return nil, err
	}
	return encrypted(ctx, plain, s, newSeals())
}

func openPlain(ctx context.Context, s *config.Settings, f *flags) (memory.Store, error) {
	m := &s.Memory
	switch m.Storage {
	case "inmem":
		return inmem.New(&inmem.Options{MaxSessions: m.MaxConversations}), nil
	case "sqlite":
		path := f.storePath(s)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("make the data folder: %w; choose another with --data", err)
		}
		opts := &sqlite.Options{Durability: sqlite.Durability(m.Durability), CacheSessions: m.MaxConversations}
		probing(opts)
		return sqlite.Open(ctx, path, opts)
	default: // config lets nothing else through
		store, err := postgres.Open(ctx, m.DSN, &postgres.Options{MaxConns: m.MaxConnections, ListenDSN: direct(s)})
		if err != nil || m.RedisURL == "" {
			return store, err
		}
		cached, err := redis.New(store, m.RedisURL, &redis.Options{Window: m.MaxTurns * messagesPerTurn})
		if err != nil {
			_ = store.Close() // the first error says more
			return nil, fmt.Errorf("memory.redis_url: %w", err)
		}
		return cached, nil
	}
}

// direct leads to the database past a pooler, which would mix up locks and notifications.
func direct(s *config.Settings) string {
	if s.Memory.DirectDSN != "" {
		return s.Memory.DirectDSN
	}
	return s.Memory.DSN
}
