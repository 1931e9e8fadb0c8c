package main

import (
	"context"
	"path/filepath"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
)

// database is where the processes of a service keep their sessions, as it is read beside them.
type database interface {
	open(ctx context.Context) (memory.Backend, error)

	// jobs counts those that are still to be done, and those that were given up: because their
	// workers were killed, or because they failed.
	jobs(ctx context.Context) (waiting, killed, failed int, err error)
}

// path is the file of a service that is one process.
func (s *service) path() string { return filepath.Join(s.dir, "memory.db") }

// sqliteFile is that file as a database.
type sqliteFile string

func (f sqliteFile) open(ctx context.Context) (memory.Backend, error) {
	return sqlite.Open(ctx, string(f), nil)
}

// countJobs has a row for each fate of a job: given up or not, and why.
const countJobs = `SELECT dead, code = 'lease_expired', count(*) FROM jobs GROUP BY 1, 2`

func (f sqliteFile) jobs(ctx context.Context) (waiting, killed, failed int, err error) {
	var t jobCount
	err = query(ctx, string(f), countJobs, t.row)
	return t.waiting, t.killed, t.failed, err
}

// jobCount adds up the rows of countJobs.
type jobCount struct{ waiting, killed, failed int }

func (t *jobCount) row(scan func(...any) error) error {
	var dead, expired bool
	var n int
	if err := scan(&dead, &expired, &n); err != nil {
		return err
	}
	switch {
	case !dead:
		t.waiting += n
	case expired:
		t.killed += n
	default:
		t.failed += n
	}
	return nil
}
