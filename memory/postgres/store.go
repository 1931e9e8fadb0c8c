package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// Options of a store; the zero value is right.
type Options struct {
	CacheSessions    int           // sessions kept in memory; default 1024
	MaxConns         int           // connections of the pool, at most; default 16
	ConnectTimeout   time.Duration // for one connection; default 5 s, or what the dsn says
	StatementTimeout time.Duration // after which the server gives a statement up; default 5 s
	LockTimeout      time.Duration // of it, waiting for another transaction; default 3 s

	// RequireSync refuses a server that does not wait for a standby before it acknowledges a commit: Open
	// returns ErrDurability. A commit that no standby has confirmed in time has an unknown outcome.
	RequireSync bool
}

func (o *Options) withDefaults() Options {
	var opts Options
	if o != nil {
		opts = *o
	}
	if opts.MaxConns <= 0 {
		opts.MaxConns = 16
	}
	if opts.StatementTimeout <= 0 {
		opts.StatementTimeout = 5 * time.Second
	}
	if opts.LockTimeout <= 0 {
		opts.LockTimeout = 3 * time.Second
	}
	return opts
}

// Open connects to a database and brings its schema up to date; replicas that do so at the
// same time wait for each other. dsn is a URL (postgres://user@host:5432/name) or words
// (host=... dbname=...); a password is better left to PGPASSWORD or a passfile. Tables are
// made in the first schema of the search_path. ErrNewer, ErrForeign, ErrUnsuitable: nothing
// was changed. memory.ErrUnavailable: the database cannot be reached or used now. No error
// ever quotes the dsn.
func Open(ctx context.Context, dsn string, options *Options) (*sqlstore.Store, error) {
	d, err := connect(ctx, dsn, options.withDefaults())
	if err != nil {
		return nil, fmt.Errorf("open session database: %w", explain(ctx, err))
	}
	return sqlstore.New(d, d.opts.CacheSessions), nil
}

func connect(ctx context.Context, dsn string, opts Options) (*database, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	adjust(config.ConnConfig, &opts)
	config.MaxConns = int32(min(opts.MaxConns, 10_000))
	config.PingTimeout = answerTime
	config.MaxConnLifetimeJitter = config.MaxConnLifetime / 10
	d := &database{opts: opts}
	if d.durability, err = askDurability(ctx, config.ConnConfig, &opts); err != nil {
		return nil, err
	}
	if opts.RequireSync && d.durability.survives != survivesServer {
		return nil, errNotDurable
	}
	if err := prepare(ctx, config.ConnConfig); err != nil {
		return nil, err
	}
	config.ConnConfig.OnNotice = warned
	config.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
		if d.pooled.Load() {
			c.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
		}
		return nil
	}
	// The pool outlives ctx, which is for connecting only.
	if d.pool, err = pgxpool.NewWithConfig(context.WithoutCancel(ctx), config); err != nil {
		return nil, err
	}
	if err := d.Ping(ctx); err != nil {
		d.pool.Close()
		return nil, err
	}
	return d, nil
}

// adjust sets what does not depend on the dsn. Whether a silent server is gone is found out by TCP
// keepalive, which pgx switches on, and by the timeouts of statements.
func adjust(config *pgx.ConnConfig, opts *Options) {
	switch {
	case opts.ConnectTimeout > 0:
		config.ConnectTimeout = opts.ConnectTimeout
	case config.ConnectTimeout <= 0:
		config.ConnectTimeout = 5 * time.Second
	}
}

// What an acknowledged commit survives, the least first.
const (
	survivesNothing = "nothing" // synchronous_commit or fsync is off: a crash of the server takes the newest commits
	survivesCrash   = "disk"    // the server's own: a standby that takes over may lack the newest ones
	survivesServer  = "standby" // the loss of the server
)

// ErrDurability: the database promises less than Options.RequireSync demands.
var ErrDurability = errors.New("database acknowledges commits that no standby has")

var errNotDurable = fmt.Errorf("%w: %w; set synchronous_standby_names, and synchronous_commit to on", memory.ErrUnavailable, ErrDurability)

// durability is what a server said of itself at the start.
type durability struct {
	survives string // "": it is not one that says so
	standbys int
}

// askDurability asks the server what it promises.
func askDurability(ctx context.Context, config *pgx.ConnConfig, opts *Options) (d durability, err error) {
	ctx, cancel := context.WithTimeout(ctx, config.ConnectTimeout+opts.StatementTimeout)
	defer cancel()
	c, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return d, err
	}
	defer func() { _ = c.Close(ctx) }() // nothing is lost with it
	var commit string
	var fsync, waits bool
	err = c.QueryRow(ctx, `SELECT (SELECT count(*) FROM pg_stat_replication), current_setting('synchronous_commit'),
		current_setting('fsync') = 'on', current_setting('synchronous_standby_names') <> ''`, pgx.QueryExecModeExec).
		Scan(&d.standbys, &commit, &fsync, &waits)
	var server *pgconn.PgError
	switch {
	case errors.As(err, &server) && foreignCodes[server.Code]:
		return d, nil
	case err != nil:
		return d, err
	case commit == "off" || !fsync:
		d.survives = survivesNothing
	case commit == "local" || !waits:
		d.survives = survivesCrash
	default:
		d.survives = survivesServer
	}
	return d, nil
}

// foreignCodes are the errors of a server that speaks the protocol and is not PostgreSQL:
// undefined function, undefined object, undefined table, not supported.
var foreignCodes = map[string]bool{"42883": true, "42704": true, "42P01": true, "0A000": true}
