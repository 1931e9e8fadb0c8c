package pgvector

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/memory/recall"
)

// Options of a store. The zero value is ready to use.
type Options struct {
	Collection string        // prefix of table names; default "slotway"
	MaxConns   int           // most connections; default 4
	Connect    time.Duration // time limit for opening one; default 5 s

	// ExactRows is the most rows of a scope that are compared one by one, instead of searching the
	// index; default 10,000, which takes 19 ms (BenchmarkNearest). It is for vectors of 256 numbers
	// and shrinks in proportion for longer ones.
	ExactRows int
}

func (o Options) withDefaults() Options {
	if o.Collection == "" {
		o.Collection = "slotway"
	}
	if o.MaxConns <= 0 {
		o.MaxConns = 4
	}
	if o.Connect <= 0 {
		o.Connect = 5 * time.Second
	}
	if o.ExactRows <= 0 {
		o.ExactRows = 10_000
	}
	return o
}

// Store keeps vectors in PostgreSQL. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	opts Options

	making  chan struct{} // held while the schema is made
	mu      sync.Mutex    // guards the fields below
	made    map[int]bool  // vector lengths whose table exists
	indexed bool          // the extension has iterative index scans
}

var _ recall.VectorStore = (*Store)(nil)

// collection matches names that may begin the name of a table without quotes.
var collection = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// Open returns a store for a database. It does not connect yet: the database may be down. Close it.
// ErrDSN, ErrCollection: the arguments cannot be used.
func Open(ctx context.Context, dsn string, opts *Options) (*Store, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	o = o.withDefaults()
	if !collection.MatchString(o.Collection) {
		return nil, ErrCollection
	}
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, ErrDSN
	}
	config.MaxConns, config.MinConns = int32(min(o.MaxConns, 1000)), 0
	config.ConnConfig.ConnectTimeout = o.Connect
	// Statements are not prepared, for poolers, and every plan knows its scope, which a generic
	// plan does not.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, ErrDSN
	}
	return &Store{pool: pool, opts: o, making: make(chan struct{}, 1), made: map[int]bool{}}, nil
}

// Close closes the connections. It may be called more than once.
func (s *Store) Close() { s.pool.Close() }

// Name implements recall.Vectors.
func (s *Store) Name() string { return "pgvector/" + s.opts.Collection }

// Ping implements recall.VectorStore.
func (s *Store) Ping(ctx context.Context) error {
	var there bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')
	OR EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')`).Scan(&there)
	if err == nil && !there {
		err = ErrVersion
	}
	return sanitize("ask for the extension", err)
}

// scopes and rows return names of tables. They need no quotes.
func (s *Store) scopes() string      { return s.opts.Collection + "_scopes" }
func (s *Store) rows(dim int) string { return fmt.Sprintf("%s_%d", s.opts.Collection, dim) }

// modelID returns the digest of a model's name.
func modelID(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// exactRows returns the most rows of a scope that are compared one by one.
func (s *Store) exactRows(dim int) int64 {
	const usual = 256
	if dim <= usual {
		return int64(s.opts.ExactRows)
	}
	return max(int64(s.opts.ExactRows)/int64(dim)*usual, 1)
}
