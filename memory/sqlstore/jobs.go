package sqlstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"github.com/slotway/slotway/memory"
)

// A job has no checksum: statements change it that do not read it first, and doing one once too often does
// no harm.
const jobColumns = `s.user_id, s.agent_id, s.session_id, j.kind, j.epoch, j.target_seq, j.run_at, j.attempts, j.dead, j.code, j.token, j.until`

func scanJob(scan func(into ...any) error) (memory.Job, error) {
	var j memory.Job
	var runAt, until int64
	err := scan(&j.Key.UserID, &j.Key.AgentID, &j.Key.SessionID, &j.Kind, &j.Epoch, &j.Target, &runAt, &j.Attempts, &j.Dead, &j.Code, &j.Token, &until)
	j.RunAt = moment(runAt)
	if until != 0 {
		j.Until = moment(until)
	}
	return j, err
}

// A failed job that is asked for again keeps its pause, a dead one is revived, a
// waiting one moves its target.
const wantJob = `INSERT INTO jobs (session, kind, epoch, target_seq, run_at, attempts, dead, code, token, until)
	VALUES ($1::uuid, $2, $3, $4, $5, 0, false, '', '', 0)
	ON CONFLICT (session, kind) DO UPDATE SET epoch = excluded.epoch, target_seq = excluded.target_seq, dead = false,
	run_at = CASE WHEN jobs.dead OR jobs.attempts = 0 AND excluded.run_at < jobs.run_at THEN excluded.run_at ELSE jobs.run_at END,
	attempts = CASE WHEN jobs.dead THEN 0 ELSE jobs.attempts END, code = CASE WHEN jobs.dead THEN '' ELSE jobs.code END`

func requestJob(d digest, w memory.WantedJob, h memory.Counters) *Query {
	at := int64(0)
	if !w.RunAt.IsZero() {
		at = micros(memory.Moment(w.RunAt))
	}
	return &Query{Text: wantJob, Args: []any{d[:], w.Kind, h.Epoch, h.NextSeq - 1, at}}
}

const (
	selectJobs = `SELECT ` + jobColumns + ` FROM jobs j JOIN sessions s ON s.session = j.session WHERE true`

	// Whoever comes first takes a job: the other finds another token, or the same one with a later end.
	takeJob = `UPDATE jobs SET attempts = $3, code = $4, token = $5, until = $6
		WHERE session = $1::uuid AND kind = $2 AND token = $7 AND until = $8 AND NOT dead`
	changeJob = `UPDATE jobs SET run_at = $3, attempts = $4, dead = $5, code = $6, token = '', until = 0
		WHERE session = $1::uuid AND kind = $2 AND token = $7 AND epoch = $8 AND target_seq = $9`
	endJob = `DELETE FROM jobs WHERE session = $1::uuid AND kind = $2 AND token = $3 AND epoch = $4 AND target_seq = $5`
)

// Claim implements memory.Jobs. An idle worker only reads. Processes compare leases by their own clocks,
// which need to agree within a small part of a lease.
func (s *Store) Claim(ctx context.Context, claim memory.Claim) ([]memory.Job, error) {
	due, err := s.due(ctx, &claim)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	var taken []memory.Job
	var statements []*Query
	for _, stored := range due {
		d, j := digestOf(stored.Key), stored.Leased(&claim, rand.Text())
		until := int64(0)
		if !stored.Until.IsZero() {
			until = micros(stored.Until)
		}
		statements = append(statements, &Query{
			Text: takeJob, Args: []any{d[:], j.Kind, int64(j.Attempts), j.Code, j.Token, micros(j.Until), stored.Token, until},
			Done: func(changed int64) {
				if changed > 0 {
					taken = append(taken, j)
				}
			},
		})
	}
	if err := s.db.Write(ctx, statements...); err != nil {
		return nil, err // what a lost try has leased is due again when the lease ends
	}
	return taken, nil
}

// due reads the jobs that a claim takes, kind by kind: those of other kinds may have piled up.
func (s *Store) due(ctx context.Context, claim *memory.Claim) (list []memory.Job, err error) {
	limit := int64(max(claim.Limit, 1))
	row := func(scan func(into ...any) error) error {
		j, err := scanJob(scan)
		list = append(list, j)
		return err
	}
	var queries []*Query
	kinds := claim.Kinds
	if len(kinds) == 0 {
		kinds = []string{""}
	}
	for _, kind := range kinds {
		f := &filter{}
		f.text.WriteString(" AND NOT j.dead")
		f.equal("j.kind", kind)
		f.and("j.run_at <= ?", micros(claim.Now))
		f.and("j.until <= ?", micros(claim.Now))
		text := selectJobs + f.text.String() + ` ORDER BY j.run_at, j.session LIMIT ` + f.arg(limit)
		queries = append(queries, &Query{Text: text, Args: f.args, Row: row})
	}
	if err := s.db.Read(ctx, queries...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b memory.Job) int { return cmp.Or(a.RunAt.Compare(b.RunAt), cmp.Compare(a.Kind, b.Kind)) })
	return list[:min(int64(len(list)), limit)], nil
}

// changeClaimed ends or gives back a claimed job: then says what stays of it; nil: nothing. A turn may ask
// for more meanwhile, which is then read again.
func (s *Store) changeClaimed(ctx context.Context, job memory.Job, then func(stored memory.Job) *memory.Job) error {
	d := digestOf(job.Key)
	for {
		var stored memory.Job
		f := &filter{}
		f.and("j.session = ?::uuid", d[:])
		f.and("j.kind = ?", job.Kind)
		if err := s.db.Read(ctx, &Query{Text: selectJobs + f.text.String(), Args: f.args, Row: func(scan func(into ...any) error) (err error) {
			stored, err = scanJob(scan)
			return err
		}}); err != nil {
			return err
		}
		if job.Token == "" || stored.Token != job.Token {
			return memory.ErrLease
		}
		q := &Query{Text: endJob, Args: []any{d[:], job.Kind, job.Token, stored.Epoch, stored.Target}, Must: memory.ErrConflict}
		if j := then(stored); j != nil {
			q.Text = changeJob
			q.Args = []any{d[:], job.Kind, micros(j.RunAt), int64(j.Attempts), j.Dead, j.Code, job.Token, stored.Epoch, stored.Target}
		}
		if err := s.db.Write(ctx, q); !errors.Is(err, memory.ErrConflict) {
			return err
		}
	}
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

// Jobs implements memory.Backlog.
func (s *Store) Jobs(ctx context.Context, q memory.JobQuery) (list []memory.Job, err error) {
	f := &filter{}
	f.key(q.UserID, q.AgentID, q.SessionID)
	f.equal("j.kind", q.Kind)
	if q.Dead {
		f.text.WriteString(" AND j.dead")
	}
	text := selectJobs + f.text.String() + ` ORDER BY j.run_at, s.user_id, s.agent_id, s.session_id, j.kind LIMIT ` + f.arg(int64(q.Size()))
	err = s.db.Read(ctx, &Query{Text: text, Args: f.args, Row: func(scan func(into ...any) error) error {
		j, err := scanJob(scan)
		list = append(list, j)
		return err
	}})
	return list, err
}

// Revive implements memory.Backlog.
func (s *Store) Revive(ctx context.Context, q memory.JobQuery, now time.Time) (n int, err error) {
	f := &filter{}
	at := f.arg(micros(memory.Moment(now)))
	f.equal("kind", q.Kind)
	kinds := f.text.String()
	f.text.Reset()
	f.key(q.UserID, q.AgentID, q.SessionID)
	err = s.db.Write(ctx, &Query{
		Text: `UPDATE jobs SET run_at = ` + at + `, attempts = 0, dead = false, code = '', token = '', until = 0
			WHERE dead` + kinds + ` AND session IN (SELECT s.session FROM sessions s WHERE true` + f.text.String() + `)`,
		Args: f.args,
		Done: func(changed int64) { n = int(changed) },
	})
	return n, err
}
