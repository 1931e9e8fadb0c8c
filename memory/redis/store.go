package redis

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

// Operations and outcomes as Options.Observe gets them.
const (
	OpLoad   = "load"   // a window was wanted
	OpCommit = "commit" // an entry was brought up to date
	OpForget = "forget" // entries were removed

	Hit     = "hit"     // load: the window came from Redis
	Miss    = "miss"    // load: there was no entry, or none as long as was wanted
	Stale   = "stale"   // load: the entry was of another version
	Damaged = "damaged" // load: the entry could not be read, or was another session's
	Done    = "done"    // commit, forget: Redis has it
	Failed  = "failed"  // Redis answered with an error, or not in time
	Open    = "open"    // Redis was not asked, as it failed before
	Lost    = "lost"    // forget: too many removals wait for Redis; this one is left to the TTL
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
	// Observe is called with an operation and its outcome (the constants of this package),
	// from many goroutines. nil: only Counts counts them.
	Observe func(operation, outcome string)
}

func (o *Options) withDefaults() Options {
	out := Options{}
	if o != nil {
		out = *o
	}
	for _, f := range [...]struct {
		have *int
		def  int
	}{{&out.Window, 64}, {&out.MaxBytes, 256 << 10}} {
		if *f.have <= 0 {
			*f.have = f.def
		}
	}
	for _, f := range [...]struct {
		have *time.Duration
		def  time.Duration
	}{{&out.TTL, time.Hour}, {&out.Timeout, 50 * time.Millisecond}, {&out.Pause, 5 * time.Second}} {
		if *f.have <= 0 {
			*f.have = f.def
		}
	}
	if out.Observe == nil {
		out.Observe = func(string, string) {}
	}
	return out
}

// Store is a store with Redis before it.
type Store struct {
	memory.Backend

	opts   Options
	cache  *cache
	counts *statistics
}

var _ memory.Backend = (*Store)(nil)

// New puts the Redis at a URL (redis://user:password@host:port/number, or rediss:// with
// TLS) before a store, which is closed with it. Redis need not be there yet. What the URL's
// query says of the pool (pool_size, ...) holds; timeouts and retries are those of Options.
// ErrBadURL: the URL cannot be read; the error does not repeat it, for it may hold a password.
func New(store memory.Backend, url string, opts *Options) (*Store, error) {
	o, n := opts.withDefaults(), newStatistics()
	o.Observe = n.before(o.Observe)
	c, err := newCache(url, o, n.changed)
	if err != nil {
		return nil, err
	}
	return &Store{Backend: store, opts: o, cache: c, counts: n}, nil
}

// Load implements memory.Store.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if opts.Fresh || opts.Salvage || opts.Recent <= 0 || opts.Recent > s.opts.Window || key.Validate() != nil {
		return s.Backend.Load(ctx, key, opts)
	}
	id := s.cache.entryID(key)
	e, outcome := s.cache.read(ctx, id, opts.Recent)
	if outcome == Hit {
		head := opts
		head.Recent = 0
		snap, err := s.Backend.Load(ctx, key, head)
		if err != nil {
			return nil, err
		}
		if snap.Recent, outcome = e.window(snap, opts.Recent); outcome == Hit {
			s.opts.Observe(OpLoad, Hit)
			return snap, nil
		}
	}
	s.opts.Observe(OpLoad, outcome)
	snap, err := s.Backend.Load(ctx, key, opts)
	if err == nil && outcome != Failed && outcome != Open {
		s.cache.fill(ctx, id, e, snap)
	}
	return snap, err
}

// Commit implements memory.Store.
func (s *Store) Commit(ctx context.Context, delta *memory.Delta) error {
	if err := s.Backend.Commit(ctx, delta); err != nil {
		return err
	}
	// The turn is committed: the end of the caller's context no longer matters.
	ctx = context.WithoutCancel(ctx)
	id := s.cache.entryID(delta.Key)
	retracted := slices.ContainsFunc(delta.Messages, func(m memory.Message) bool { return m.Retracted })
	if delta.Clear || delta.Undo != nil || retracted {
		s.cache.forget(ctx, id)
	} else {
		s.cache.extend(ctx, id, delta)
	}
	return nil
}

// Repair implements memory.Store.
func (s *Store) Repair(ctx context.Context, key memory.Key, m *memory.Repair) error {
	err := s.Backend.Repair(ctx, key, m)
	if key.Validate() == nil {
		s.cache.forget(context.WithoutCancel(ctx), s.cache.entryID(key))
	}
	return err
}

// Delete implements memory.Admin. The entry goes whatever the store says: it may have
// deleted the session without an answer.
func (s *Store) Delete(ctx context.Context, key memory.Key) error {
	err := s.Backend.Delete(ctx, key)
	if key.Validate() == nil {
		s.cache.forget(context.WithoutCancel(ctx), s.cache.entryID(key))
	}
	return err
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
	keys, n, err := transfer.ImportKeys(ctx, s.Backend, r)
	for _, key := range keys {
		s.cache.forget(context.WithoutCancel(ctx), s.cache.entryID(key))
	}
	return n, err
}

// Close implements memory.Connection. Removals that wait for Redis get one more chance.
func (s *Store) Close() error {
	err := s.Backend.Close()
	s.cache.close()
	return err
}
