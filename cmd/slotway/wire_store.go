package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/durable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/postgres"
	"github.com/slotway/slotway/memory/redis"
	"github.com/slotway/slotway/memory/sqlite"
)

// openStorage opens the store that the settings name, and what replicas share besides it. News
// of a shared database goes to logs; nil: nobody is told.
func (a *app) openStorage(ctx context.Context, f *flags, logs io.Writer) error {
	warn := warnings(logs)
	plain, err := openPlain(ctx, a.settings, f, &postgres.Options{
		RequireSync: a.settings.Memory.RequireSync, Notify: func(n postgres.Notice) { warn(n.Text) },
	})
	if err != nil {
		return err
	}
	a.storedIn = storedIn(f, a.settings)
	if a.store, err = encrypted(ctx, plain, a.settings, a.seals()); err != nil {
		return err
	}
	a.onClose(a.store.Close)
	engine, shared := plain.(*postgres.Store)
	if cached, ok := plain.(*redis.Store); ok {
		a.cached = cached
		engine, shared = cached.Backend.(*postgres.Store)
	}
	if !shared {
		return nil
	}
	a.woken, a.engine = engine.Wake, engine
	if text := weakness(engine.Health()); text != "" {
		warn(text)
	}
	return a.openLanes(ctx)
}

// openLanes opens what keeps the turns of a session in line across replicas. A way to it that
// does not work is told now: every turn would fail, and the store alone would look ready.
func (a *app) openLanes(ctx context.Context) error {
	lanes, err := postgres.NewLanes(direct(a.settings), nil)
	if err != nil {
		return err
	}
	a.lanes, a.laneReady = lanes, lanes.Ready
	a.onClose(lanes.Close)
	path := "memory.dsn"
	if a.settings.Memory.DirectDSN != "" {
		path = "memory.direct_dsn"
	}
	switch err = lanes.Check(ctx); {
	case errors.Is(err, postgres.ErrPooler):
		return fmt.Errorf("%s: %w; let memory.direct_dsn lead past the pooler, and memory.dsn through it", path, err)
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	}
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
func openStore(ctx context.Context, s *config.Settings, f *flags) (memory.Backend, error) {
	plain, err := openPlain(ctx, s, f, &postgres.Options{})
	if err != nil {
		return nil, err
	}
	return encrypted(ctx, plain, s, newSeals())
}

// openPlain opens it as it is; shared says more about a database of replicas.
func openPlain(ctx context.Context, s *config.Settings, f *flags, shared *postgres.Options) (memory.Backend, error) {
	m := &s.Memory
	switch m.Storage {
	case "inmem":
		if m.Evict == "user" { // each has a bound of their own
			return inmem.New(nil), nil
		}
		return inmem.New(&inmem.Options{MaxSessions: m.MaxConversations}), nil
	case "sqlite":
		path := f.storePath(s)
		if err := durable.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("make the data folder: %w; %s, or choose another with --data", err, durable.Remedy(err))
		}
		opts := &sqlite.Options{Durability: sqlite.Durability(m.Durability), CacheSessions: m.MaxConversations}
		probing(opts)
		return sqlite.Open(ctx, path, opts)
	default: // config lets nothing else through
		shared.MaxConns, shared.ListenDSN = m.MaxConnections, direct(s)
		store, err := postgres.Open(ctx, m.DSN, shared)
		if errors.Is(err, postgres.ErrPromise) {
			err = fmt.Errorf("memory.require_sync is set: %w, or take the setting away", err)
		}
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
