package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
)

const jobColumns = `s.user_id, s.agent_id, s.session_id, j.kind, j.epoch, j.target_seq, j.run_at, j.attempts, j.dead, j.code, j.token, j.until`

func scanJob(row pgx.Row) (memory.Job, error) {
	var j memory.Job
	var runAt, until int64
	if err := row.Scan(&j.Key.UserID, &j.Key.AgentID, &j.Key.SessionID, &j.Kind, &j.Epoch, &j.Target, &runAt, &j.Attempts, &j.Dead,
		&j.Code, &j.Token, &until); err != nil {
		return j, err
	}
	j.RunAt = moment(runAt)
	if until != 0 {
		j.Until = moment(until)
	}
	return j, nil
}

// claimJobs leases what is due (memory.Job.Due) and not in the hands of another worker at
// this moment: SKIP LOCKED passes over those instead of waiting. A lease that has run out
// counts as a failure (memory.Job.Leased).
const claimJobs = `WITH due AS (
		SELECT d.session, d.kind FROM jobs d WHERE NOT d.dead AND d.run_at <= $1 AND d.until <= $1
		AND (cardinality($2::text[]) = 0 OR d.kind = ANY($2)) ORDER BY d.run_at LIMIT $3 FOR UPDATE SKIP LOCKED
	), taken AS (
		UPDATE jobs j SET attempts = j.attempts + CASE WHEN j.token = '' THEN 0 ELSE 1 END,
			code = CASE WHEN j.token = '' THEN j.code ELSE 'lease_expired' END, token = $4, until = $5
		FROM due WHERE j.session = due.session AND j.kind = due.kind RETURNING j.*
	)
	SELECT ` + jobColumns + ` FROM taken j JOIN sessions s ON s.session = j.session
	ORDER BY j.run_at, s.user_id, s.agent_id, s.session_id, j.kind`

// Claim implements memory.Jobs. An idle worker only reads. Replicas compare leases by their
// own clocks, which need to agree within a small part of a lease.
func (s *Store) Claim(ctx context.Context, claim memory.Claim) ([]memory.Job, error) {
	var list []memory.Job
	kinds := append([]string{}, claim.Kinds...)
	token := rand.Text()
	err := s.change(ctx, func(b *pgx.Batch) {
		list = nil
		queueRows(b, &list, scanJob, claimJobs, micros(claim.Now), kinds, int64(max(claim.Limit, 1)), token, micros(claim.Now.Add(claim.Lease)))
	})
	if err != nil {
		return nil, err // what a lost try has leased is due again when the lease ends
	}
	return list, nil
}

const (
	lockJob   = `SELECT ` + jobColumns + ` FROM jobs j JOIN sessions s ON s.session = j.session WHERE j.session = $1 AND j.kind = $2 FOR UPDATE OF j`
	putJob    = `UPDATE jobs SET run_at = $3, attempts = $4, dead = $5, code = $6, token = '', until = 0 WHERE session = $1 AND kind = $2`
	deleteJob = `DELETE FROM jobs WHERE session = $1 AND kind = $2`
)

// held ends or gives back a claimed job: then says what stays of it; nil: nothing.
func (s *Store) changeClaimed(ctx context.Context, job memory.Job, then func(stored memory.Job) *memory.Job) error {
	d := digestOf(job.Key)
	doubt := false // an earlier try may have done it
	return s.retry(ctx, func() error {
		err := s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
			stored, err := scanJob(tx.QueryRow(ctx, lockJob, d, job.Kind))
			if err != nil && !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
			switch {
			case doubt && stored.Token == "":
				return nil
			case job.Token == "" || stored.Token != job.Token:
				return memory.ErrLease
			}
			j := then(stored)
			if j == nil {
				_, err = tx.Exec(ctx, deleteJob, d, job.Kind)
				return err
			}
			_, err = tx.Exec(ctx, putJob, d, job.Kind, micros(j.RunAt), j.Attempts, j.Dead, j.Code)
			return err
		})
		doubt = doubt || lost(err)
		return err
	}, true)
}

// Finish implements memory.Jobs.
func (s *Store) Finish(ctx context.Context, job memory.Job) error {
	return s.changeClaimed(ctx, job, job.Finished)
}

// Fail implements memory.Jobs.
func (s *Store) Fail(ctx context.Context, job memory.Job, code string, retry time.Time) error {
	return s.changeClaimed(ctx, job, memory.FailedJob(code, retry))
}

// Release implements memory.Jobs.
func (s *Store) Release(ctx context.Context, job memory.Job) error {
	return s.changeClaimed(ctx, job, memory.ReleasedJob)
}

const jobFilter = `($1 = '' OR s.user_id = $1) AND ($2 = '' OR s.agent_id = $2) AND ($3 = '' OR s.session_id = $3)
	AND ($4 = '' OR j.kind = $4) AND ($5 = false OR j.dead)`

const selectJobs = `SELECT ` + jobColumns + ` FROM jobs j JOIN sessions s ON s.session = j.session WHERE ` + jobFilter + `
	ORDER BY j.run_at, s.user_id, s.agent_id, s.session_id, j.kind LIMIT $6`

func jobArgs(q memory.JobQuery) []any { return []any{q.UserID, q.AgentID, q.SessionID, q.Kind, q.Dead} }

// Jobs implements memory.Backlog.
func (s *Store) Jobs(ctx context.Context, q memory.JobQuery) ([]memory.Job, error) {
	return readRows(ctx, s, scanJob, selectJobs, append(jobArgs(q), int64(q.Size()))...)
}

// A revived job is as memory.Job.Revived has it.
const reviveJobs = `UPDATE jobs j SET run_at = $6, attempts = 0, dead = false, code = '', token = '', until = 0
	FROM sessions s WHERE s.session = j.session AND ` + jobFilter

// Revive implements memory.Backlog.
func (s *Store) Revive(ctx context.Context, q memory.JobQuery, now time.Time) (int, error) {
	q.Dead = true
	n := 0
	err := s.change(ctx, func(b *pgx.Batch) {
		n = 0
		b.Queue(reviveJobs, append(jobArgs(q), micros(now))...).Exec(func(tag pgconn.CommandTag) error {
			n = int(tag.RowsAffected())
			return nil
		})
	})
	if n > 0 && err == nil {
		s.notifyJobs()
	}
	return n, err
}
