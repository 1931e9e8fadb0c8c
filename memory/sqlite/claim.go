package sqlite

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql/driver"
	"errors"
	"slices"

	"github.com/slotway/slotway/memory"
)

// selectDue reads along the index of a kind, so that the first rows cost the same however many
// wait: the caller stops as soon as it has enough. It skips those that another worker holds, which
// are as few as the workers.
const selectDue = `SELECT ` + jobColumns + ` FROM jobs j JOIN sessions s ON s.id = j.session
	WHERE j.kind = ?1 AND j.dead = 0 AND j.run_at <= ?2 AND j.until <= ?2 ORDER BY j.run_at, j.session`

// selectKinds jumps from kind to kind.
const selectKinds = `WITH RECURSIVE k (kind) AS (
	SELECT min(kind) FROM jobs WHERE dead = 0
	UNION ALL SELECT (SELECT min(kind) FROM jobs WHERE dead = 0 AND kind > k.kind) FROM k WHERE k.kind IS NOT NULL
) SELECT kind FROM k WHERE kind IS NOT NULL`

// errEnough ends a query early.
var errEnough = errors.New("enough rows")

// dueJobs are the jobs that a claim takes, damaged ones included: those may be due or not.
func dueJobs(c *conn, claim *memory.Claim) ([]jobRow, error) {
	kinds := slices.Clone(claim.Kinds)
	if len(kinds) == 0 {
		if err := c.query(selectKinds, func(row []driver.Value) error {
			kinds = append(kinds, asText(row[0]))
			return nil
		}); err != nil {
			return nil, err
		}
	}
	limit := max(claim.Limit, 1)
	var rows []jobRow
	for _, kind := range kinds {
		enough := len(rows) + limit
		if err := c.query(selectDue, func(row []driver.Value) error {
			j, err := scanJob(row)
			j.damaged = err != nil
			if rows = append(rows, j); len(rows) == enough {
				return errEnough
			}
			return nil
		}, kind, micros(claim.Now)); err != nil && !errors.Is(err, errEnough) {
			return nil, err
		}
	}
	slices.SortStableFunc(rows, func(a, b jobRow) int {
		return cmp.Or(a.RunAt.Compare(b.RunAt), cmp.Compare(a.session, b.session), cmp.Compare(a.Kind, b.Kind))
	})
	return rows[:min(len(rows), limit)], nil
}

// rebuildJob writes a damaged job as a new turn would ask for it: what there is to do is in the
// messages, and doing it twice does no harm.
func (w *writer) rebuildJob(r *jobRow) error {
	f, err := w.find(r.Key)
	if err != nil {
		return err
	}
	r.Job, r.damaged = memory.Job{}.Requested(memory.WantedJob{Kind: r.Kind}, r.Key, f.counters.Epoch, f.counters.NextSeq-1), false
	return w.putJob(r.session, &r.Job)
}

// Claim implements memory.Jobs. An idle worker only reads.
func (s *Store) Claim(ctx context.Context, claim memory.Claim) ([]memory.Job, error) {
	due := false
	first := claim
	first.Limit = 1
	err := s.readers.with(ctx, func(c *conn) error {
		rows, err := dueJobs(c, &first)
		due = len(rows) > 0
		return err
	})
	if err != nil || !due {
		return nil, explain(err)
	}
	var jobs []memory.Job
	if err := s.writer.do(ctx, func(w *writer) (err error) {
		jobs, err = w.claim(&claim)
		return err
	}); err != nil {
		return nil, err
	}
	return jobs, nil
}

// claim leases the jobs that are due.
func (w *writer) claim(claim *memory.Claim) ([]memory.Job, error) {
	rows, err := dueJobs(w.conn, claim)
	if err != nil {
		return nil, err
	}
	var jobs []memory.Job
	for _, r := range rows {
		if r.damaged {
			if err := w.rebuildJob(&r); err != nil {
				return nil, err
			}
		}
		j := r.Leased(claim, rand.Text())
		if err := w.putJob(r.session, &j); err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}
