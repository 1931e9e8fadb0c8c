package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"

	"github.com/slotway/slotway/memory"
)

// Start implements memory.Store.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	if err := key.Validate(); err != nil {
		return err
	}
	step = step.Clone()
	step.Status = memory.StepStarted
	step.StartedAt, step.EndedAt = memory.Moment(step.StartedAt), memory.Moment(step.EndedAt)
	if err := step.Validate(); err != nil {
		return err
	}
	if err := s.writer.do(ctx, func(w *writer) error { return w.start(key, base, &step) }); err != nil {
		s.cache.drop(key)
		return err
	}
	return nil
}

// start adds a journal row. For a session without a commit it reserves the number; no listing shows
// that.
func (w *writer) start(key memory.Key, base int64, step *memory.Step) error {
	f, err := w.find(key)
	if err != nil {
		return err
	}
	if f.counters.Version != base {
		return memory.ErrConflict
	}
	id := f.id
	if id == 0 {
		if id, err = w.addSession(key); err != nil {
			return err
		}
	}
	started, err := w.started(id, step)
	if err != nil {
		return err
	}
	if started {
		return memory.ErrStarted
	}
	if err := w.insertStep(id, step); err != nil {
		return err
	}
	failpoint("after_start")
	var next *entry
	if cached, certain := w.held(key); certain && cached.counters.Version == base {
		e := *cached
		e.openSteps = append(slices.Clone(e.openSteps), *step)
		next = &e
	}
	w.changed[key] = next
	return nil
}

const selectStarting = `SELECT 1 FROM plan_steps WHERE session = ?1 AND idempotency_key = ?2
	UNION ALL SELECT 1 FROM plan_steps WHERE session = ?1 AND origin = ?3 AND origin <> ''`

// started reports whether the journal has a call.
func (w *writer) started(session int64, p *memory.Step) (is bool, err error) {
	err = w.conn.query(selectStarting, func([]driver.Value) error { is = true; return nil }, session, p.IdempotencyKey, p.Origin)
	return is, err
}

const selectStep = `SELECT ` + stepColumns + ` FROM plan_steps WHERE session = ? AND idempotency_key = ?`

// findStep returns the row's id, 0 if there is none.
func (w *writer) findStep(session int64, idempotencyKey string) (id int64, step memory.Step, err error) {
	err = w.conn.query(selectStep, func(row []driver.Value) error {
		id = asInt(row[0])
		step, err = scanStep(row)
		return err
	}, session, idempotencyKey)
	return id, step, err
}

const insertStep = `INSERT INTO plan_steps (session, idempotency_key, turn, plan, step, tool, args, status, attempts,
	result, error_code, started_at, ended_at, crc, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

func (w *writer) insertStep(session int64, p *memory.Step) error {
	_, err := w.exec(insertStep, session, p.IdempotencyKey, p.Turn, p.Plan, p.Step, p.Tool, string(p.Args), string(p.Status),
		int64(p.Attempts), string(p.Result), p.ErrorCode, micros(p.StartedAt), micros(p.EndedAt), stepSum(&w.sum, session, p), p.Origin)
	return err
}

const updateStep = `UPDATE plan_steps SET status = ?, attempts = ?, result = ?, error_code = ?, ended_at = ?, crc = ? WHERE id = ?`

// finishStep writes an outcome over the started row, or adds the row.
func (w *writer) finishStep(session int64, outcome memory.Step) error {
	outcome.StartedAt, outcome.EndedAt = memory.Moment(outcome.StartedAt), memory.Moment(outcome.EndedAt)
	id, started, err := w.findStep(session, outcome.IdempotencyKey)
	if err != nil {
		return err
	}
	if id == 0 {
		return w.insertStep(session, &outcome)
	}
	p := started.WithOutcome(outcome)
	_, err = w.exec(updateStep, string(p.Status), int64(p.Attempts), string(p.Result), p.ErrorCode, micros(p.EndedAt),
		stepSum(&w.sum, session, &p), id)
	return err
}
