package pgvector

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"text/template"

	"github.com/jackc/pgx/v5"
)

// migrations holds the numbered steps of the schema, and rows.sql, which creates the table of one
// vector length in its newest form.
//
//go:embed migrations/*.sql
var migrations embed.FS

var statements = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(migrations, "migrations/*.sql")) })

// steps lists the migrations in their order.
var steps = []string{"0001_scopes.sql", "0002_documents.sql"}

// mostIndexed is the longest halfvec that an HNSW index takes.
const mostIndexed = 4000

// schema holds the values of the templates.
type schema struct {
	Name    string
	Dim     int
	Indexed bool
}

func (v schema) write(name string) (string, error) {
	var b strings.Builder
	err := statements().ExecuteTemplate(&b, name, v)
	return b.String(), err
}

// ensure creates the schema and the table of one vector length, unless this process has done so.
func (s *Store) ensure(ctx context.Context, dim int) error {
	s.mu.Lock()
	made := s.made[dim]
	s.mu.Unlock()
	if made {
		return nil
	}
	select {
	case s.making <- struct{}{}:
		defer func() { <-s.making }()
	case <-ctx.Done():
		return ctx.Err()
	}
	var indexed bool
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) (err error) {
		indexed, err = s.migrate(ctx, tx, dim)
		return err
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made[dim], s.indexed = true, indexed
	return nil
}

// forget makes the next put create the schema again: somebody dropped a table.
func (s *Store) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.made)
}

// indexes reports whether large scopes are indexed for vectors of a length.
func (s *Store) indexes(dim int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.indexed && dim <= mostIndexed
}

// migrate brings the schema up to date, one process at a time.
func (s *Store) migrate(ctx context.Context, tx pgx.Tx, dim int) (indexed bool, err error) {
	lock := fnv.New64a()
	_, _ = lock.Write([]byte("slotway pgvector " + s.opts.Collection)) // it returns nil
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1::bigint)", int64(lock.Sum64())); err != nil {
		return false, err
	}
	if indexed, err = extension(ctx, tx); err != nil {
		return false, err
	}
	table := s.opts.Collection + "_schema"
	if _, err := tx.Exec(ctx, "CREATE TABLE IF NOT EXISTS "+table+" (version integer PRIMARY KEY)"); err != nil {
		return false, err
	}
	var version int
	if err := tx.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM "+table).Scan(&version); err != nil {
		return false, err
	}
	v := schema{s.opts.Collection, dim, indexed && dim <= mostIndexed}
	for ; version < len(steps); version++ {
		if err := run(ctx, tx, v, steps[version]); err != nil {
			return false, err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO "+table+" VALUES ($1::integer)", version+1); err != nil {
			return false, err
		}
	}
	return indexed, run(ctx, tx, v, "rows.sql")
}

// run executes a file of statements.
func run(ctx context.Context, tx pgx.Tx, v schema, name string) error {
	text, err := v.write(name)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, text, pgx.QueryExecModeSimpleProtocol)
	return err
}

// extension makes sure that the extension is installed, and reports whether it has iterative index
// scans.
func extension(ctx context.Context, tx pgx.Tx) (indexed bool, err error) {
	const installed = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
	var version string
	err = tx.QueryRow(ctx, installed).Scan(&version)
	if errors.Is(err, pgx.ErrNoRows) {
		if _, err := tx.Exec(ctx, "CREATE EXTENSION vector"); err != nil {
			return false, fmt.Errorf("%w: it is not installed and cannot be", ErrVersion)
		}
		err = tx.QueryRow(ctx, installed).Scan(&version)
	}
	if err != nil {
		return false, err
	}
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil || major == 0 && minor < 7 {
		return false, fmt.Errorf("%w: it has another", ErrVersion)
	}
	return major > 0 || minor >= 8, nil
}
