package pgvector

import (
	"context"
	_ "embed"
	"fmt"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory/recall"
)

// Driver opens stores in the database that memory.dsn names.
func Driver() recall.VectorDriver {
	return recall.VectorDriver{Backend: "pgvector", Open: func(ctx context.Context, m *settings.Memory) (recall.VectorStore, error) {
		return Open(ctx, m.DSN, m.VectorStore.CollectionName)
	}}
}

// Store keeps vectors in PostgreSQL. It is safe for concurrent use.
type Store struct {
	pool                *pgxpool.Pool
	messages, documents string // names of tables; they need no quotes
}

var _ recall.VectorStore = (*Store)(nil)

const (
	maxConnections = 4
	connectTimeout = 5 * time.Second
)

// word matches names that may begin the name of a table without quotes.
var word = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// Open returns a store for a database, whose tables have names that begin with the collection's. It
// does not connect yet: the database may be down. Close it. ErrDSN, ErrCollection: the arguments
// cannot be used.
func Open(ctx context.Context, dsn, collection string) (*Store, error) {
	if !word.MatchString(collection) {
		return nil, ErrCollection
	}
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, ErrDSN
	}
	config.MaxConns, config.MinConns = maxConnections, 0
	config.ConnConfig.ConnectTimeout = connectTimeout
	// Statements are not prepared, for poolers, and every plan knows its scope, which a generic
	// plan does not.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, ErrDSN
	}
	return &Store{pool: pool, messages: collection + "_vectors", documents: collection}, nil
}

// Close implements recall.VectorStore.
func (s *Store) Close() { s.pool.Close() }

// Name implements recall.VectorStore.
func (s *Store) Name() string { return "pgvector/" + s.documents }

// Ping implements recall.VectorStore.
func (s *Store) Ping(ctx context.Context) error {
	var there bool
	err := s.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')").Scan(&there)
	if err == nil && !there {
		err = ErrVersion
	}
	return sanitize("ask for the extension", err)
}

// table returns the name of the table of messages or of documents.
func (s *Store) table(documents bool) string {
	if documents {
		return s.documents
	}
	return s.messages
}

//go:embed schema.sql
var schema string

// create creates the tables, one process at a time: PostgreSQL reports an error to the second of two
// that create the same.
func (s *Store) create(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext($1::text))", s.Name()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS vector")
		if refused(err) {
			return ErrVersion
		}
		for _, table := range []string{s.messages, s.documents} {
			if err == nil {
				_, err = tx.Exec(ctx, fmt.Sprintf(schema, table), pgx.QueryExecModeSimpleProtocol)
			}
		}
		if noType(err) { // before 0.7 there is no halfvec
			return ErrVersion
		}
		return err
	})
}
