package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

const jobColumns = `s.user_id, s.agent_id, s.session_id, j.session, j.kind, j.epoch, j.target_seq, j.run_at, j.attempts, j.dead, j.code, j.token, j.until, j.crc`

// jobRow is a job with the number of its session.
type jobRow struct {
	memory.Job
	session int64
	damaged bool
}

// jobSum covers a row as it is stored; until is 0 when no worker has the job.
func jobSum(s *record.Sum, session int64, j *memory.Job, until int64) int64 {
	return s.Ints(session, j.Epoch, j.Target, micros(j.RunAt), int64(j.Attempts), flag(j.Dead), until).
		Texts(j.Kind, j.Code, j.Token).CRC()
}

func scanJob(row []driver.Value) (jobRow, error) {
	j := jobRow{
		session: asInt(row[3]),
		Job: memory.Job{
			Key:  scanKey(row),
			Kind: asText(row[4]), Epoch: asInt(row[5]), Target: asInt(row[6]), RunAt: moment(row[7]),
			Attempts: int(asInt(row[8])), Dead: asInt(row[9]) != 0, Code: asText(row[10]), Token: asText(row[11]),
		},
	}
	if until := asInt(row[12]); until != 0 {
		j.Until = moment(row[12])
	}
	if jobSum(&record.Sum{}, j.session, &j.Job, asInt(row[12])) != asInt(row[13]) {
		return j, corrupt("jobs", j.session)
	}
	return j, nil
}

const putJob = `INSERT OR REPLACE INTO jobs (session, kind, epoch, target_seq, run_at, attempts, dead, code, token, until, crc)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

func (w *writer) putJob(session int64, j *memory.Job) error {
	var until int64
	if !j.Until.IsZero() {
		until = micros(j.Until)
	}
	_, err := w.exec(putJob, session, j.Kind, j.Epoch, j.Target, micros(j.RunAt), int64(j.Attempts), flag(j.Dead), j.Code, j.Token, until,
		jobSum(&w.sum, session, j, until))
	return err
}

const selectJob = `SELECT ` + jobColumns + ` FROM jobs j JOIN sessions s ON s.id = j.session WHERE j.session = ? AND j.kind = ?`

func (w *writer) findJob(session int64, kind string) (found jobRow, err error) {
	err = w.conn.query(selectJob, func(row []driver.Value) (err error) {
		found, err = scanJob(row)
		return err
	}, session, kind)
	return found, err
}

// requestJobs writes the jobs that a turn asks for. It writes a damaged one anew: what there is to
// do is in the messages, and no turn fails because of it.
func (w *writer) requestJobs(session int64, d *memory.Delta, counters memory.Counters) error {
	for _, wanted := range d.Jobs {
		stored, err := w.findJob(session, wanted.Kind)
		if errors.Is(err, memory.ErrCorrupt) {
			stored, err = jobRow{}, nil
		}
		if err != nil {
			return err
		}
		j := stored.Requested(wanted, d.Key, counters.Epoch, counters.NextSeq-1)
		if err := w.putJob(session, &j); err != nil {
			return err
		}
	}
	return nil
}

// changeClaimed ends or gives back a claimed job: then says what stays of it; nil: nothing.
func (s *Store) changeClaimed(ctx context.Context, job memory.Job, then func(stored memory.Job) *memory.Job) error {
	return s.writer.do(ctx, func(w *writer) error {
		f, err := w.find(job.Key)
		if err != nil {
			return err
		}
		stored, err := w.findJob(f.id, job.Kind)
		if err != nil {
			return err
		}
		if job.Token == "" || stored.Token != job.Token {
			return memory.ErrLease
		}
		if stays := then(stored.Job); stays != nil {
			return w.putJob(f.id, stays)
		}
		_, err = w.exec(`DELETE FROM jobs WHERE session = ? AND kind = ?`, f.id, job.Kind)
		return err
	})
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

const selectJobs = `SELECT ` + jobColumns + ` FROM jobs j JOIN sessions s ON s.id = j.session
	WHERE (?1 = '' OR s.user_id = ?1) AND (?2 = '' OR s.agent_id = ?2) AND (?3 = '' OR s.session_id = ?3)
	AND (?4 = '' OR j.kind = ?4) AND j.dead >= ?5
	ORDER BY j.run_at, s.user_id, s.agent_id, s.session_id, j.kind LIMIT 0 + ?6`

func listJobs(c *conn, q memory.JobQuery, limit int64) ([]jobRow, error) {
	var list []jobRow
	err := c.query(selectJobs, func(row []driver.Value) error {
		j, err := scanJob(row)
		list = append(list, j)
		return err
	}, q.UserID, q.AgentID, q.SessionID, q.Kind, flag(q.Dead), limit)
	return list, err
}

// Jobs implements memory.Backlog.
func (s *Store) Jobs(ctx context.Context, q memory.JobQuery) ([]memory.Job, error) {
	var list []memory.Job
	err := s.readers.with(ctx, func(c *conn) error {
		rows, err := listJobs(c, q, int64(q.Size()))
		for _, r := range rows {
			list = append(list, r.Job)
		}
		return err
	})
	return list, explain(err)
}

// Revive implements memory.Backlog.
func (s *Store) Revive(ctx context.Context, q memory.JobQuery, now time.Time) (int, error) {
	q.Dead = true
	n := 0
	if err := s.writer.do(ctx, func(w *writer) error {
		rows, err := listJobs(w.conn, q, -1)
		if err != nil {
			return err
		}
		for _, r := range rows {
			j := r.Revived(now)
			if err := w.putJob(r.session, &j); err != nil {
				return err
			}
		}
		n = len(rows)
		return nil
	}); err != nil {
		return 0, err
	}
	return n, nil
}
