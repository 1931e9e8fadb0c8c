// Package migration holds what the schemas of the databases have in common: the directions of a
// migration, the list of those that were applied, and what a step down would delete.
package migration

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

// DownLosingData is the direction that takes back the newest migration even if that deletes stored
// data.
const DownLosingData = "down, losing"

// CheckDirection reports an unknown direction.
func CheckDirection(direction string) error {
	if !slices.Contains([]string{"up", "down", DownLosingData, "status"}, direction) {
		return fmt.Errorf("migrate %q: the direction is up, down or status", direction)
	}
	return nil
}

// ErrDataLoss: the older schema has no place for something that is stored.
var ErrDataLoss = errors.New("the older schema cannot hold some stored data")

// Loss is something that the step down from a migration deletes.
type Loss struct {
	Count string // the query that counts it
	Text  string // names it, with %d for the count
}

// Losses lists what the step down from each migration deletes; an empty list is nothing. A
// migration that is not listed is never taken back.
type Losses map[int64][]Loss

// Check reports ErrDataLoss where the step down from a migration would delete something, unless lose
// is set. backup says how to keep a copy.
func (l Losses) Check(version int64, lose bool, backup string, count func(query string) (int64, error)) error {
	list, known := l[version]
	if !known {
		return fmt.Errorf("%w: migration %d cannot be taken back", ErrDataLoss, version)
	}
	if lose {
		return nil
	}
	var texts []string
	for _, loss := range list {
		n, err := count(loss.Count)
		if err != nil {
			return err
		}
		if n > 0 {
			texts = append(texts, fmt.Sprintf(loss.Text, n))
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return fmt.Errorf("%w: taking back migration %d loses %s; nothing was changed. If that is meant, keep a copy with %s, "+
		"then run 'slotway migrate down --lose'", ErrDataLoss, version, strings.Join(texts, "; "), backup)
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
