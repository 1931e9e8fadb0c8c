package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"github.com/slotway/slotway/memory/migration"
)

//go:embed migrations/*.sql
var migrations embed.FS

// lockKey is the advisory lock that is held while the schema changes, together with a hash of the
// schema's name: "SLTS", the application id of SQLite files.
const lockKey = 0x534c5453

// migrationTable records what was applied. goose's own name may be another program's.
const migrationTable = "slotway_migrations"

// Migrate brings the schema up to date ("up") or changes nothing ("status"), and returns all
// migrations in order. Open migrates up by itself. Replicas wait for each other.
func Migrate(ctx context.Context, dsn, direction string) ([]migration.Status, error) {
	if err := migration.CheckDirection(direction); err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("migrate session database: %w", explain(ctx, err))
	}
	var list []migration.Status
	if err := withProvider(ctx, config, func(db *sql.DB, p *goose.Provider) (err error) {
		if direction == "up" {
			err = locked(ctx, db, func() error { return up(ctx, p) })
		}
		if err == nil {
			list, err = migration.Of(ctx, p)
		}
		return err
	}); err != nil {
		return nil, fmt.Errorf("migrate session database: %w", explain(ctx, err))
	}
	return list, nil
}

// prepare brings the schema up to date, and takes no lock where it is.
func prepare(ctx context.Context, config *pgx.ConnConfig) error {
	return withProvider(ctx, config, func(db *sql.DB, p *goose.Provider) error {
		var encoding, schema string
		if err := db.QueryRowContext(ctx, `SELECT current_setting('server_encoding'), coalesce(current_schema(), '')`).Scan(&encoding, &schema); err != nil {
			return err
		}
		if encoding != "UTF8" {
			return fmt.Errorf("%w: its encoding must be UTF8; create one with ENCODING 'UTF8'", ErrUnsuitable)
		}
		if schema == "" {
			return fmt.Errorf("%w: no schema of the search_path exists; create it", ErrUnsuitable)
		}
		if done, err := current(ctx, db); done || err != nil {
			return err
		}
		return locked(ctx, db, func() error { return up(ctx, p) })
	})
}

// withProvider runs f with a goose provider on connections of its own.
func withProvider(ctx context.Context, config *pgx.ConnConfig, f func(*sql.DB, *goose.Provider) error) (err error) {
	config = config.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // nothing stays prepared
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, folder, goose.WithTableName(migrationTable))
	if err != nil {
		return err
	}
	return f(db, p)
}

// current reports whether the newest migration of this release is applied. A newer one is
// ErrNewer.
func current(ctx context.Context, db *sql.DB) (bool, error) {
	var recorded bool
	if err := db.QueryRowContext(ctx, `SELECT to_regclass(quote_ident(current_schema()) || '.`+migrationTable+`') IS NOT NULL`).Scan(&recorded); err != nil || !recorded {
		return false, err
	}
	var version int64
	if err := db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM `+migrationTable+` WHERE is_applied`).Scan(&version); err != nil {
		return false, err
	}
	latest, err := migration.Newest(migrations)
	if err == nil && version > latest {
		err = newer(version, latest)
	}
	return version == latest, err
}

func newer(version, latest int64) error {
	return fmt.Errorf("%w: it is at %d, and %d is known; use the newer release", ErrNewer, version, latest)
}

// locked runs f while a transaction on another connection holds the advisory lock of the schema. A
// lock of a transaction stays with it behind any pooler, and ends with its connection when the
// process dies.
func locked(ctx context.Context, db *sql.DB, f func() error) (err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if e := tx.Rollback(); err == nil { // it holds nothing but the lock
			err = e
		}
	}()
	// Others may migrate meanwhile: wait for them, whatever the timeouts of the role are.
	if _, err := tx.ExecContext(ctx, `SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
		set_config('idle_in_transaction_session_timeout', '0', true)`); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))`, int32(lockKey)); err != nil {
		return err
	}
	return f()
}

func up(ctx context.Context, p *goose.Provider) error {
	version, latest, err := p.GetVersions(ctx)
	if err != nil {
		return err
	}
	if version > latest {
		return newer(version, latest)
	}
	_, err = p.Up(ctx)
	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == "42P07" {
		return fmt.Errorf("%w: it has a table of the same name; give sessions a database or a schema of their own", ErrForeign)
	}
	return err
}
