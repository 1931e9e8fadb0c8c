// Package migration holds what the schemas of the databases have in common: the directions of a
// migration, and the list of those that were applied.
package migration

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// CheckDirection reports an unknown direction. The schema only goes forward.
func CheckDirection(direction string) error {
	if direction != "up" && direction != "status" {
		return fmt.Errorf("migrate %q: the direction is up or status; to go back, restore a backup from before", direction)
	}
	return nil
}

// Status is one schema migration.
type Status struct {
	Version   int64     `json:"version"`
	Name      string    `json:"name"`
	Applied   bool      `json:"applied"`
	AppliedAt time.Time `json:"applied_at,omitzero"`
}

// Of lists all migrations of a database, by version.
func Of(ctx context.Context, p *goose.Provider) ([]Status, error) {
	all, err := p.Status(ctx)
	if err != nil {
		return nil, err
	}
	var list []Status
	for _, m := range all {
		list = append(list, Status{
			Version: m.Source.Version, Name: name(m.Source.Path), Applied: m.State == goose.StateApplied, AppliedAt: m.AppliedAt,
		})
	}
	return list, nil
}

// Known lists the migrations in the folder "migrations" of files, by version, none of them
// applied.
func Known(files fs.FS) ([]Status, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var list []Status
	for _, file := range names {
		version, err := goose.NumericComponent(file)
		if err != nil {
			return nil, err
		}
		list = append(list, Status{Version: version, Name: name(file)})
	}
	slices.SortFunc(list, func(a, b Status) int { return int(a.Version - b.Version) })
	return list, nil
}

// Newest is the highest version of the migrations in the folder "migrations" of files.
func Newest(files fs.FS) (int64, error) {
	list, err := Known(files)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return list[len(list)-1].Version, nil
}

func name(file string) string { return strings.TrimSuffix(path.Base(file), ".sql") }
