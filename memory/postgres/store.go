package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/memory"
)

var _ memory.Backend = (*Store)(nil)

// Options of a store; the zero value is right.
type Options struct {
	MaxConns         int           // connections of the pool, at most; default 16
	ConnectTimeout   time.Duration // for one connection; default 5 s, or what the dsn says
	StatementTimeout time.Duration // after which the server gives a statement up; default 5 s
	LockTimeout      time.Duration // of it, waiting for another transaction; default 3 s
	CacheCounters    int           // sessions whose counters are cached; default 16384, negative none

	// Pooled says that the dsn leads to a pooler in transaction mode that knows no prepared
	// statements (PgBouncer before 1.21, or with max_prepared_statements = 0). Without it
	// statements are prepared on each connection, which saves the server most of its work; that
	// a pooler is in the way is then found out by a few tries that fail and are made again.
	Pooled bool

	// ListenDSN is for the one connection that listens for jobs (Wake). It must not lead through a
	// pooler in transaction mode. Default: the dsn.
	ListenDSN string
	// RequireSync refuses a server that does not wait for a standby before it acknowledges a
	// commit: Open returns ErrDurability, and so does every commit when that ceases later.
	RequireSync bool
	// Notify is called with news about the server, from any goroutine; it must not call the store.
	Notify func(Notice)
	// NoNotify: jobs cause no notifications, and Wake listens to none; workers find jobs by polling.
	NoNotify bool
}

func (o *Options) withDefaults() Options {
	var opts Options
	if o != nil {
		opts = *o
	}
	opts.MaxConns = positive(opts.MaxConns, 16)
	opts.StatementTimeout = positive(opts.StatementTimeout, 5*time.Second)
	opts.LockTimeout = positive(opts.LockTimeout, 3*time.Second)
	if opts.CacheCounters == 0 {
		opts.CacheCounters = 16384
	}
	if opts.Notify == nil {
		opts.Notify = func(Notice) {}
	}
	return opts
}

func positive[T int | time.Duration](value, fallback T) T {
	if value <= 0 {
		return fallback
	}
	return value
}

// Store keeps sessions in a PostgreSQL database.
type Store struct {
	pool      *pgxpool.Pool
	probe     *serverProbe // of the pool's server
	dialGuard *dialGuard   // of the pool
	standby   *standbyProbe
	listening *pgx.ConnConfig
	baselines *baselineCache
	monitor   *serverMonitor
	opts      Options
	notifier  *notifier // nil: jobs cause no notifications
	reads     *lanes    // of what turns read
	writes    *lanes    // of what turns change

	pooled  atomic.Bool // nothing is prepared
	closing sync.Once
	mu      sync.Mutex      // held while a listener starts, or closed becomes true
	closed  atomic.Bool     // no connection is lent and nothing is started any more
	done    context.Context // ended by Close
	stop    context.CancelFunc
	running sync.WaitGroup // listeners and lanes
}

// Open connects to a database and brings its schema up to date; replicas that do so at the
// same time wait for each other. dsn is a URL (postgres://user@host:5432/name) or words
// (host=... dbname=...); a password is better left to PGPASSWORD or a passfile. Tables are
// made in the first schema of the search_path. ErrNewer, ErrForeign, ErrUnsuitable: nothing
// was changed. memory.ErrUnavailable: the database cannot be reached or used now. No error
// ever quotes the dsn.
func Open(ctx context.Context, dsn string, options *Options) (*Store, error) {
	opts := options.withDefaults()
	config, err := configOf(dsn, &opts)
	if err != nil {
		return nil, fmt.Errorf("open session database: %w", explain(ctx, err))
	}
	dials := guardDials(config.ConnConfig)
	watch, err := inspectServer(ctx, config.ConnConfig, &opts)
	if err != nil {
		return nil, fmt.Errorf("open session database: %w", explain(ctx, err))
	}
	dials.direct.Store(watch.direct && !opts.Pooled)
	if promise := watch.state.Load().durability(); opts.RequireSync && promise != durabilityStandby {
		return nil, fmt.Errorf("open session database: %w", errNotDurable)
	}
	if err := prepare(ctx, config.ConnConfig); err != nil {
		return nil, fmt.Errorf("open session database: %w", explain(ctx, err))
	}
	s := &Store{opts: opts, monitor: watch, baselines: newBaselineCache(opts.CacheCounters), dialGuard: dials, listening: config.ConnConfig.Copy()}
	s.probe = newServerProbe(&config.ConnConfig.Config)
	if opts.ListenDSN != "" {
		if s.listening, err = connConfigOf(opts.ListenDSN, &opts); err != nil {
			return nil, fmt.Errorf("open session database: %w", explain(ctx, err))
		}
	}
	s.pooled.Store(opts.Pooled)
	config.ConnConfig.OnNotice = warned
	s.standby = newStandbyProbe(s, config.ConnConfig)
	config.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
		c.DefaultQueryExecMode = s.mode()
		return nil
	}
	// The pool outlives ctx, which is for connecting only.
	if s.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), config); err != nil {
		return nil, fmt.Errorf("open session database: %w", explain(ctx, err))
	}
	s.done, s.stop = context.WithCancel(context.Background())
	s.reads, s.writes = s.newLanes(true, s.readAll), s.newLanes(false, s.writeAll)
	if !opts.NoNotify {
		s.notifier = startNotifier(s)
	}
	if err := s.Ping(ctx); err != nil {
		_ = s.Close() // the first error says more
		return nil, fmt.Errorf("open session database: %w", err)
	}
	return s, nil
}

// configOf reads a dsn for a pool.
func configOf(dsn string, opts *Options) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	adjust(config.ConnConfig, opts)
	config.MaxConns = int32(min(opts.MaxConns, 10_000))
	config.PingTimeout = opts.StatementTimeout
	config.MaxConnLifetimeJitter = config.MaxConnLifetime / 10
	return config, nil
}

// connConfigOf reads a dsn for one connection.
func connConfigOf(dsn string, opts *Options) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	adjust(config, opts)
	guardDials(config)
	return config, nil
}

// adjust sets what does not depend on the dsn.
func adjust(config *pgx.ConnConfig, opts *Options) {
	switch {
	case opts.ConnectTimeout > 0:
		config.ConnectTimeout = opts.ConnectTimeout
	case config.ConnectTimeout <= 0:
		config.ConnectTimeout = 5 * time.Second
	}
}

// mode is how statements are sent. Behind a pooler only their descriptions are kept, here, while
// the server parses each statement anew: nothing depends on a connection of the server, which the
// pooler swaps.
func (s *Store) mode() pgx.QueryExecMode {
	if s.pooled.Load() {
		return pgx.QueryExecModeCacheDescribe
	}
	return pgx.QueryExecModeCacheStatement
}

// Ping implements memory.Connection.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.requireStandby(); err != nil {
		return err
	}
	err := s.read(ctx, func(b *pgx.Batch) {
		b.Queue(`SELECT count(*) FROM sessions WHERE session = $1`, digest{}).QueryRow(func(row pgx.Row) error {
			var n int64
			return row.Scan(&n)
		})
	})
	if err == nil {
		err = s.requireDurability()
	}
	return err
}

// Close implements memory.Connection. Channels of Wake are closed.
func (s *Store) Close() error {
	s.closing.Do(func() {
		s.mu.Lock()
		s.closed.Store(true)
		s.mu.Unlock()
		if s.notifier != nil {
			s.notifier.close()
		}
		s.stop()
		s.running.Wait()
		s.standby.close()
		s.probe.close()
		s.pool.Close()
	})
	return nil
}
