package postgres

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

const (
	selectExtent = `SELECT coalesce((SELECT max(seq) FROM messages WHERE session = $1), 0),
		coalesce((SELECT max(turn) FROM turns WHERE session = $1), 0)`
	selectStored  = `SELECT version, created_at, epoch FROM sessions WHERE session = $1`
	selectNewTurn = `SELECT ` + turnColumns + ` FROM turns WHERE session = $1 ORDER BY turn DESC LIMIT 1`
	selectFrom    = `SELECT ` + messageColumns + ` FROM messages WHERE session = $1 AND seq >= $2 ORDER BY seq`
	closeSteps    = `UPDATE plan_steps SET status = 'unknown' WHERE session = $1 AND idempotency_key = ANY($2) AND status = 'started'`
)

// salvage reads a session with damaged rows. Damage does not change, so the rows need not be read
// at one moment; Repair compares the counters of the state that was found.
func (s *Store) salvage(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	d := digestOf(key)
	s.baselines.drop(d)
	var snap *memory.Snapshot
	var from, until int64
	pass := func(err error) error {
		if errors.Is(err, memory.ErrCorrupt) {
			snap.Damaged = append(snap.Damaged, err.Error())
			return nil
		}
		return err
	}
	at := &serverState{}
	if s.monitor.disabled {
		at = nil
	}
	err := s.readForTurnAt(ctx, at, func(b *pgx.Batch) {
		snap = memory.NewSnapshot(key)
		b.Queue(selectSession, d).QueryRow(func(row pgx.Row) error {
			r, err := scanSession(key, row)
			switch {
			case errors.Is(err, pgx.ErrNoRows):
				return nil // it may be lost: selectExtent tells
			case errors.Is(err, memory.ErrCorrupt):
				snap.StateLost = true
				return pass(err)
			case err != nil || r.counters.Version == 0:
				return err
			}
			r.describe(snap)
			from, until = snap.Window(int64(max(opts.Recent, 0))), snap.NextSeq
			return nil
		})
		b.Queue(selectExtent, d).QueryRow(func(row pgx.Row) error {
			var seq, turns int64
			err := row.Scan(&seq, &turns)
			if snap.State.Version == 0 && !snap.StateLost && seq > 0 {
				snap.StateLost = true
				_ = pass(corrupt("sessions", d, 0))
			}
			if snap.StateLost {
				snap.NextSeq, snap.Turns = seq+1, turns
			}
			return err
		})
		b.Queue(selectStored, d).QueryRow(func(row pgx.Row) error {
			var version, created, epoch int64
			err := row.Scan(&version, &created, &epoch)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if snap.StateLost {
				snap.State.Version, snap.CreatedAt, snap.Epoch = version, moment(created), min(max(epoch, 0), math.MaxInt32)
			}
			return err
		})
		b.Queue(selectNewTurn, d).QueryRow(func(row pgx.Row) error {
			t, err := scanTurn(d, row)
			if errors.Is(err, pgx.ErrNoRows) || !snap.StateLost {
				return nil
			}
			if err == nil {
				snap.Last = &t
			}
			return pass(err)
		})
		b.Queue(selectStarted, d).Query(func(rows pgx.Rows) error {
			return each(rows, func() error {
				p, err := scanStep(d, rows)
				if err == nil {
					snap.OpenSteps = append(snap.OpenSteps, p)
					return nil
				}
				snap.UnreadableSteps = append(snap.UnreadableSteps, p.IdempotencyKey)
				return pass(err)
			})
		})
		if opts.RequestID != "" {
			b.Queue(selectTurn, d, []byte(opts.RequestID)).QueryRow(func(row pgx.Row) error {
				t, err := scanTurn(d, row)
				if errors.Is(err, pgx.ErrNoRows) {
					return nil
				}
				t.Snapshot = nil
				snap.Replay = &t
				if errors.Is(err, memory.ErrCorrupt) {
					snap.Replay = &memory.Turn{RequestID: opts.RequestID}
				}
				return pass(err)
			})
		}
	})
	if err != nil || snap.StateLost || snap.State.Version == 0 || opts.Recent <= 0 {
		return snap, err
	}
	snap.Lineage = at.lineage()
	err = s.readForTurn(ctx, func(b *pgx.Batch) {
		snap.Recent = nil
		b.Queue(selectFrom, d, from).Query(func(rows pgx.Rows) error {
			sum, next := &record.Sum{}, from
			gap := func(to int64) {
				for ; next < min(to, until); next++ {
					_ = pass(corrupt("messages", d, next))
				}
			}
			if err := each(rows, func() error {
				m, err := scanMessage(sum, d, rows)
				if m.Seq >= until { // of a turn that was faster: the commit will say so
					return nil
				}
				gap(m.Seq)
				next++
				if err == nil && !m.Retracted {
					snap.Recent = append(snap.Recent, m)
				}
				return pass(err)
			}); err != nil {
				return err
			}
			gap(until)
			return nil
		})
	})
	snap.Recent = snap.Recent[max(0, len(snap.Recent)-opts.Recent):]
	return snap, err
}

// Repair implements memory.Store. A journal row that is closed keeps its checksum, and so stays
// damaged: lookups of the call report that.
func (s *Store) Repair(ctx context.Context, key memory.Key, m *memory.Repair) error {
	if err := key.Validate(); err != nil {
		return err
	}
	d := digestOf(key)
	s.baselines.drop(d)
	var q *statement
	if m.State != nil {
		params, err := record.Params(m.State.Params)
		if err != nil {
			return err
		}
		r := &sessionRow{
			key: key, counters: m.Counters, created: micros(memory.Moment(m.CreatedAt)), updated: micros(memory.Moment(m.Updated)), state: *m.State, params: params,
		}
		q = &statement{}
		q.insertSession(r, r.checksum(&record.Sum{}), memory.About{})
		// The digest names the session's key, whatever the row says.
		q.write(` ON CONFLICT (session) DO UPDATE SET user_id = excluded.user_id, agent_id = excluded.agent_id,
			session_id = excluded.session_id, `, assignExcluded)
	}
	return s.retry(ctx, func() error {
		return s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
			r, err := scanSession(key, tx.QueryRow(ctx, selectSession+` FOR NO KEY UPDATE`, d))
			sound := err == nil
			if err != nil && !errors.Is(err, memory.ErrCorrupt) && !errors.Is(err, pgx.ErrNoRows) {
				return err
			}
			if q != nil && (sound != m.Intact && !(sound && r.counters.Version == 0) || sound && r.counters.Version != m.Base) {
				return memory.ErrConflict
			}
			keys := make([][]byte, 0, len(m.UnreadableSteps))
			for _, key := range slices.Sorted(slices.Values(m.UnreadableSteps)) {
				keys = append(keys, bytesOf(key))
			}
			if _, err := tx.Exec(ctx, closeSteps, d, keys); err != nil || q == nil {
				return err
			}
			_, err = tx.Exec(ctx, q.text.String(), q.args...)
			return err
		})
	}, true)
}
