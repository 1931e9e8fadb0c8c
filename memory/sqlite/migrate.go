package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"

	"github.com/pressly/goose/v3"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/migration"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks the files of this program (PRAGMA application_id): "SLTS".
const applicationID = 0x534c5453

// Migrate brings the schema up to date ("up") or changes nothing ("status"), and returns all
// migrations in order. Open migrates up by itself.
func Migrate(ctx context.Context, file, direction string) ([]migration.Status, error) {
	if err := migration.CheckDirection(direction); err != nil {
		return nil, err
	}
	exists, err := examine(file)
	if err == nil && !exists {
		if direction != "up" {
			return migration.Known(migrations)
		}
		err = create(ctx, file)
	}
	if err != nil {
		return nil, fmt.Errorf("migrate session database: %w", err)
	}
	var list []migration.Status
	for range 3 { // another process may be migrating the same new file; once it is done, nothing is left to do
		if list, err = migrate(ctx, file, direction); err == nil || ctx.Err() != nil ||
			errors.Is(err, ErrForeign) || errors.Is(err, ErrNewer) || errors.Is(err, ErrNotDatabase) || errors.Is(explain(err), memory.ErrCorrupt) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("migrate session database: %w", explain(err))
	}
	return list, nil
}

func migrate(ctx context.Context, file, direction string) (list []migration.Status, err error) {
	name, err := dataSource(file, url.Values{
		"_pragma": {busyPragma(defaultBusy), "synchronous(FULL)"}, "_txlock": {"immediate"},
	})
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	c, err := openConn(file, busyPragma(defaultBusy), "synchronous(FULL)")
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	defer func() { err = errors.Join(err, db.Close(), explain(c.close())) }()
	if err := recognise(c); err != nil {
		return nil, explain(err)
	}
	if err := wholePages(file); err != nil {
		return nil, err
	}
	return record(ctx, db, direction == "up")
}

// record reads the record of migrations; up: after those that are missing have been made.
func record(ctx context.Context, db *sql.DB, up bool) (list []migration.Status, err error) {
	p, err := provider(db)
	if err != nil {
		return nil, err
	}
	current, target, err := p.GetVersions(ctx)
	if err != nil {
		return nil, recordError(ctx, err)
	}
	if current > target {
		return nil, newer(current, target)
	}
	if up || current == target { // then it only reads the whole record
		_, err = p.Up(ctx)
	}
	if err == nil {
		list, err = migration.Of(ctx, p)
	}
	return list, recordError(ctx, err)
}

// recordError says what is wrong when goose cannot read its own table.
func recordError(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || codeOf(err) != sqlite3.SQLITE_OK || errors.Is(err, memory.ErrCorrupt) {
		return err
	}
	return fmt.Errorf("%w: the record of migrations cannot be read; %s: %w", memory.ErrCorrupt, textCorrupt, err)
}

func provider(db *sql.DB) (*goose.Provider, error) {
	folder, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db, folder)
}
