package redis

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
	"github.com/slotway/slotway/memory/transfer"
)

// Options of the cache; the zero value is right.
type Options struct {
	// Namespace separates stores that share one Redis. What is cached in one is not seen in
	// another.
	Namespace string
	// Window is how many messages an entry holds; longer windows are read from the store.
	// Default 64.
	Window int
	// MaxBytes bounds an entry. A window that is larger is not cached. Default 256 KiB.
	MaxBytes int
	// TTL is how long an entry lives after it was written. Default 1 hour.
	TTL time.Duration
	// Timeout bounds one call of Redis, connecting included. Default 50 ms.
	Timeout time.Duration
	// Pause is how long Redis is bypassed after three failures in a row. Default 5 s.
	Pause time.Duration

	observe      func(operation, outcome string) // hears what is counted; nil: nobody
	tombstoneTTL time.Duration                   // how long a removed entry is not filled again
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	out.Window = cmp.Or(out.Window, 64)
	out.MaxBytes = cmp.Or(out.MaxBytes, 256<<10)
	out.TTL = cmp.Or(out.TTL, time.Hour)
	out.Timeout = cmp.Or(out.Timeout, 50*time.Millisecond)
	out.Pause = cmp.Or(out.Pause, 5*time.Second)
	out.tombstoneTTL = cmp.Or(out.tombstoneTTL, 10*time.Second) // longer than a Load takes that began before
	return out
}

// Store is a store with Redis before it.
type Store struct {
	memory.Backend

	opts  Options
	cache *cache
}

var _ memory.Backend = (*Store)(nil)

// New puts the Redis at a URL (redis://user:password@host:port/number, or rediss:// with
// TLS) before a store, which is closed with it. Redis need not be there yet. What the URL's
// query says of the pool (pool_size, ...) holds; timeouts and retries are those of Options.
// ErrBadURL: the URL cannot be read; the error does not repeat it, for it may hold a password.
func New(store memory.Backend, url string, opts *Options) (*Store, error) {
	o := opts.withDefaults()
	c, err := newCache(url, o)
	if err != nil {
		return nil, err
	}
	return &Store{Backend: store, opts: o, cache: c}, nil
}

// Sealed implements seal.Rows. Entries are sealed, too.
func (s *Store) Sealed(keys *seal.Keys) memory.Backend {
	s.cache.box = keys.Box("redis")
	return &Store{Backend: seal.New(s.Backend, keys), opts: s.opts, cache: s.cache}
}

// Load implements memory.Store.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	bypass := opts.Fresh || opts.Salvage
	if bypass || opts.Recent <= 0 || opts.Recent > s.opts.Window || key.Validate() != nil {
		return s.Backend.Load(ctx, key, opts)
	}
	place := s.cache.placeOf(key)
	e, outcome := s.cache.read(ctx, place)
	if outcome == Hit {
		head := opts
		head.Recent = 0
		snap, err := s.Backend.Load(ctx, key, head)
		if err != nil {
			return nil, err
		}
		if snap.Recent, outcome = e.window(snap, opts.Recent); outcome == Hit {
			s.cache.count(OpLoad, Hit)
			return snap, nil
		}
	}
	s.cache.count(OpLoad, outcome)
	snap, err := s.Backend.Load(ctx, key, opts)
	isAway := outcome == Failed || outcome == Open
	if err == nil && !isAway && snap.State.Version > 0 {
		s.cache.replace(ctx, place, e.sum, entryOf(snap))
	}
	return snap, err
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	if err := s.Backend.Commit(ctx, d); err != nil {
		return err
	}
	// The turn is committed: the end of the caller's context no longer matters.
	ctx = context.WithoutCancel(ctx)
	place := s.cache.placeOf(d.Key)
	retracted := slices.ContainsFunc(d.Messages, func(m memory.Message) bool { return m.Retracted })
	switch {
	case d.Clear || d.Undo != nil || retracted:
		s.cache.forget(ctx, place)
	case d.Base == 0:
		s.cache.begin(ctx, place, d)
	default:
		s.cache.extend(ctx, place, d)
	}
	return nil
}

// Repair implements memory.Store.
func (s *Store) Repair(ctx context.Context, key memory.Key, m *memory.Repair) error {
	err := s.Backend.Repair(ctx, key, m)
	s.forget(ctx, key)
	return err
}

// Delete implements memory.Admin. The entry goes whatever the store says: it may have
// deleted the session without an answer.
func (s *Store) Delete(ctx context.Context, key memory.Key) error {
	err := s.Backend.Delete(ctx, key)
	s.forget(ctx, key)
	return err
}

func (s *Store) forget(ctx context.Context, keys ...memory.Key) {
	for _, key := range keys {
		if key.Validate() == nil {
			s.cache.forget(context.WithoutCancel(ctx), s.cache.placeOf(key))
		}
	}
}

// Prune implements memory.Admin. The store does not say which sessions it deleted: if it
// deleted any, all entries are removed.
func (s *Store) Prune(ctx context.Context, before time.Time) (int, error) {
	n, err := s.Backend.Prune(ctx, before)
	if n > 0 || err != nil {
		s.cache.forgetAll(context.WithoutCancel(ctx))
	}
	return n, err
}

// Import implements memory.Transfer. What is imported may have been changed by hand without a
// change of its version.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	var keys []memory.Key
	n, err := transfer.ImportChanged(ctx, s.Backend, r, &transfer.Parts{Header: func(h *transfer.Header) error {
		keys = append(keys, h.Key)
		return nil
	}})
	s.forget(ctx, keys...)
	return n, err
}

// Close implements memory.Connection. Removals that wait for Redis get one more chance.
func (s *Store) Close() error {
	err := s.Backend.Close()
	s.cache.close()
	return err
}
