package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"

	"github.com/slotway/slotway/memory"
)

//go:embed migrations/*.sql
var migrations embed.FS

// applicationID marks the files of this program (PRAGMA application_id): "SLTS".
const applicationID = 0x534c5453

// MigrationStatus is one schema migration.
type MigrationStatus struct {
	Version   int64     `json:"version"`
	Name      string    `json:"name"`
	Applied   bool      `json:"applied"`
	AppliedAt time.Time `json:"applied_at,omitzero"`
}

// Losing is the direction that takes back the newest migration even if the older schema has no
// place for something that is stored, which is then lost.
const Losing = "down, losing"

// Migrate brings the schema up to date ("up"), takes back the newest migration if nothing is
// lost by it ("down", else ErrLoses) or whatever is (Losing), or changes nothing ("status"),
// and returns all migrations in order. Whichever way it went, "up" makes a sound file of it
// again. Open migrates up by itself. No store may have the file open while it goes down.
func Migrate(ctx context.Context, file, direction string) ([]MigrationStatus, error) {
	if !slices.Contains([]string{"up", "down", Losing, "status"}, direction) {
		return nil, fmt.Errorf("migrate %q: the direction is up, down or status", direction)
	}
	exists, err := examine(file)
	if err == nil && !exists {
		if direction != "up" {
			return listMigrations()
		}
		err = create(ctx, file)
	}
	if err != nil {
		return nil, fmt.Errorf("migrate session database: %w", err)
	}
	var list []MigrationStatus
	for range 3 { // another process may be migrating the same new file; once it is done, nothing is left to do
		if list, err = migrate(ctx, file, direction); err == nil || ctx.Err() != nil ||
			errors.Is(err, ErrForeign) || errors.Is(err, ErrLoses) || errors.Is(err, ErrNewer) || errors.Is(err, ErrNotDatabase) || errors.Is(explain(err), memory.ErrCorrupt) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("migrate session database: %w", explain(err))
	}
	return list, nil
}

func migrate(ctx context.Context, file, direction string) (list []MigrationStatus, err error) {
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
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := recognise(ctx, db); err != nil {
		return nil, explain(err)
	}
	if err := wholePages(file); err != nil {
		return nil, err
	}
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
	switch direction {
	case "up":
		_, err = p.Up(ctx)
	case "down", Losing:
		err = down(ctx, file, p, current, direction == Losing)
	}
	if err == nil {
		list, err = migrationStatus(ctx, p)
	}
	return list, recordError(ctx, err)
}

// recordError says what is wrong when goose cannot read its own table.
func recordError(ctx context.Context, err error) error {
	var driver *sqlite.Error
	if err == nil || ctx.Err() != nil || errors.As(err, &driver) || errors.Is(err, ErrLoses) || errors.Is(err, memory.ErrCorrupt) {
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

func migrationStatus(ctx context.Context, p *goose.Provider) ([]MigrationStatus, error) {
	all, err := p.Status(ctx)
	if err != nil {
		return nil, err
	}
	var list []MigrationStatus
	for _, m := range all {
		list = append(list, MigrationStatus{
			Version: m.Source.Version, Name: migrationName(m.Source.Path),
			Applied: m.State == goose.StateApplied, AppliedAt: m.AppliedAt,
		})
	}
	return list, nil
}

// listMigrations is the status of a file that does not exist.
func listMigrations() ([]MigrationStatus, error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var list []MigrationStatus
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, err
		}
		list = append(list, MigrationStatus{Version: version, Name: migrationName(name)})
	}
	return list, nil
}

func migrationName(file string) string { return strings.TrimSuffix(path.Base(file), ".sql") }
