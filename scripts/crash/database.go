package main

import (
	"context"
	"path/filepath"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
)

// database gives access to the database of a service while its processes run.
type database interface {
	open(ctx context.Context) (memory.Backend, error)

	// jobs counts the pending jobs, and the dead ones by cause: killed workers or failures.
	jobs(ctx context.Context) (waiting, killed, failed int, err error)
}

// path returns the database file of a service without replicas.
func (s *service) path() string { return filepath.Join(s.dir, "memory.db") }

// sqliteFile is the path of a SQLite database.
type sqliteFile string

func (f sqliteFile) open(ctx context.Context) (memory.Backend, error) {
	return sqlite.Open(ctx, string(f), nil)
}

// countJobs counts jobs by whether they are dead and whether a lease expired.
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
