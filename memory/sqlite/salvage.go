package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// salvage reads a session with damaged rows, past the cache.
func (s *Store) salvage(ctx context.Context, key memory.Key, opts memory.LoadOptions) (snap *memory.Snapshot, err error) {
	err = s.readers.with(ctx, func(c *conn) error {
		return c.read(func() error {
			r := &salvage{conn: c, snap: memory.NewSnapshot(key)}
			snap = r.snap
			return r.read(key, opts)
		})
	})
	return snap, explain(err)
}

// notOwned says why a session whose key is not proven is not read.
func notOwned(err error) error {
	if errors.Is(err, memory.ErrCorrupt) {
		return fmt.Errorf("the owner of this session is unknown, so it is not opened: %w", err)
	}
	return err
}

// salvage reads what is left of a session with damaged rows.
type salvage struct {
	conn *conn
	snap *memory.Snapshot
	id   int64
}

// note records a damaged row; any other error stays.
func (r *salvage) note(err error) error {
	if !errors.Is(err, memory.ErrCorrupt) {
		return err
	}
	r.snap.Damaged = append(r.snap.Damaged, err.Error())
	return nil
}

func (r *salvage) read(key memory.Key, opts memory.LoadOptions) (err error) {
	if r.id, err = verifiedID(r.conn, key); err != nil || r.id == 0 {
		return notOwned(err)
	}
	e, err := readState(r.conn, key)
	if err != nil {
		if err := r.note(err); err != nil {
			return err
		}
		if err := r.counters(); err != nil {
			return err
		}
	} else {
		r.snap = r.fill(e, key)
	}
	if err := r.steps(); err != nil {
		return err
	}
	if opts.RequestID != "" {
		if r.snap.Replay, err = readTurn(r.conn, r.id, opts.RequestID); err != nil {
			if err := r.note(err); err != nil {
				return err
			}
			r.snap.Replay = &memory.Turn{RequestID: opts.RequestID}
		}
	}
	if r.snap.StateLost || e.counters.Version == 0 {
		return nil
	}
	return r.messages(e.counters.Window(int64(max(opts.Recent, 0))), e.counters.NextSeq, opts.Recent)
}

// fill copies a sound state into the snapshot.
func (r *salvage) fill(e *entry, key memory.Key) *memory.Snapshot {
	if e.counters.Version > 0 {
		*r.snap = *e.snapshot(key, 0)
	}
	return r.snap
}

const (
	selectExtent  = `SELECT (SELECT max(id) FROM messages WHERE id >= ?1 AND id < ?2), (SELECT max(turn) FROM turns WHERE session = ?3)`
	selectStored  = `SELECT version, created_at, epoch FROM state WHERE session = ?`
	selectNewTurn = `SELECT ` + turnColumns + ` FROM turns WHERE session = ? AND turn = ?`
)

// counters derives the counters of a session without its state from the other rows.
func (r *salvage) counters() error {
	r.snap.StateLost = true
	if err := r.conn.query(selectExtent, func(row []driver.Value) error {
		if row[0] != nil {
			r.snap.NextSeq = asInt(row[0])&maxSeq + 1
		}
		r.snap.Turns = asInt(row[1])
		return nil
	}, messageID(r.id, 0), messageID(r.id+1, 0), r.id); err != nil {
		return err
	}
	if err := r.conn.query(selectStored, func(row []driver.Value) error {
		r.snap.State.Version, r.snap.Epoch = asInt(row[0]), min(max(asInt(row[2]), 0), math.MaxInt32)
		r.snap.CreatedAt = moment(row[1])
		return nil
	}, r.id); err != nil {
		return err
	}
	return r.conn.query(selectNewTurn, func(row []driver.Value) error {
		t, err := scanTurn(row)
		if err == nil {
			r.snap.Last = &t
		}
		return r.note(err)
	}, r.id, r.snap.Turns)
}

func (r *salvage) steps() error {
	return r.conn.query(selectStarted, func(row []driver.Value) error {
		p, err := scanStep(row)
		if err == nil {
			r.snap.OpenSteps = append(r.snap.OpenSteps, p)
			return nil
		}
		r.snap.UnreadableSteps = append(r.snap.UnreadableSteps, p.IdempotencyKey)
		return r.note(err)
	}, r.id)
}

// messages reads the sound ones; a missing one is damage, too.
func (r *salvage) messages(from, until int64, n int) error {
	s, next := &record.Sum{}, from
	gap := func(to int64) {
		for ; next < to; next++ {
			_ = r.note(corrupt("messages", messageID(r.id, next)))
		}
	}
	if err := r.conn.query(selectMessages, func(row []driver.Value) error {
		m, err := scanMessage(s, row)
		gap(asInt(row[0]) & maxSeq)
		next++
		if err == nil && !m.Retracted {
			r.snap.Recent = append(r.snap.Recent, m)
		}
		return r.note(err)
	}, messageID(r.id, from), messageID(r.id, until)); err != nil {
		return err
	}
	gap(until)
	r.snap.Recent = r.snap.Recent[max(0, len(r.snap.Recent)-max(n, 0)):]
	return nil
}

// Repair implements memory.Store.
func (s *Store) Repair(ctx context.Context, key memory.Key, m *memory.Repair) error {
	if err := key.Validate(); err != nil {
		return err
	}
	params := ""
	if m.State != nil {
		var err error
		if params, err = record.Params(m.State.Params); err != nil {
			return err
		}
	}
	err := s.writer.do(ctx, func(w *writer) error { return w.repair(key, m, params) })
	s.cache.drop(key)
	return err
}

const closeStep = `UPDATE plan_steps SET status = 'unknown' WHERE session = ? AND idempotency_key = ? AND status = 'started'`

// repair puts a state in the place of a damaged one. A journal row that is closed keeps its
// checksum, and so stays damaged: lookups of the call report that.
func (w *writer) repair(key memory.Key, m *memory.Repair, params string) error {
	sound := false
	id, err := verifiedID(w.conn, key)
	if err != nil {
		return notOwned(err)
	}
	e, err := readState(w.conn, key)
	switch {
	case id == 0:
		return memory.ErrConflict
	case err == nil:
		sound = true
	case !errors.Is(err, memory.ErrCorrupt):
		return err
	}
	w.changed[key] = nil
	if m.State != nil && (sound != m.Intact || sound && e.counters.Version != m.Base) {
		return memory.ErrConflict
	}
	for _, step := range slices.Sorted(slices.Values(m.UnreadableSteps)) {
		if _, err := w.exec(closeStep, id, step); err != nil {
			return err
		}
	}
	st := m.State
	if st == nil {
		return nil
	}
	if _, err := w.exec(`DELETE FROM state WHERE session = ?`, id); err != nil {
		return err
	}
	return w.insertState(&stateRow{
		id: id, key: key, counters: m.Counters, created: micros(memory.Moment(m.CreatedAt)), updated: micros(memory.Moment(m.Updated)),
		waiting: st.WaitingForParam, intent: st.LastIntentID, params: params,
		result: string(st.LastResult), plan: string(st.PlanExecution),
	})
}
