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
	v := &salvager{key: key, digest: digestOf(key)}
	s.baselines.drop(v.digest)
	at := &serverState{}
	if s.monitor.disabled {
		at = nil
	}
	err := s.readForTurnAt(ctx, at, func(b *pgx.Batch) { v.queue(b, opts) })
	if err != nil || v.snap.StateLost || v.snap.State.Version == 0 || opts.Recent <= 0 {
		return v.snap, err
	}
	v.snap.Lineage = at.lineage()
	err = s.readForTurn(ctx, func(b *pgx.Batch) {
		v.snap.Recent = nil
		b.Queue(selectFrom, v.digest, v.from).Query(v.messages)
	})
	v.snap.Recent = v.snap.Recent[max(0, len(v.snap.Recent)-opts.Recent):]
	return v.snap, err
}

// salvager fills a snapshot from the rows of a session that are not damaged.
type salvager struct {
	key         memory.Key
	digest      digest
	snap        *memory.Snapshot
	from, until int64 // the messages to read, from included
}

// note lists a damaged row in the snapshot. It returns any other error.
func (v *salvager) note(err error) error {
	if errors.Is(err, memory.ErrCorrupt) {
		v.snap.Damaged = append(v.snap.Damaged, err.Error())
		return nil
	}
	return err
}

// queue begins a new snapshot and queues all reads but that of the messages. Those after the first
// depend on whether it found a state.
func (v *salvager) queue(b *pgx.Batch, opts memory.LoadOptions) {
	v.snap = memory.NewSnapshot(v.key)
	b.Queue(selectSession, v.digest).QueryRow(func(row pgx.Row) error { return v.state(row, opts.Recent) })
	b.Queue(selectExtent, v.digest).QueryRow(v.extent)
	b.Queue(selectStored, v.digest).QueryRow(v.stored)
	b.Queue(selectNewTurn, v.digest).QueryRow(v.lastTurn)
	b.Queue(selectStarted, v.digest).Query(v.openSteps)
	if opts.RequestID != "" {
		b.Queue(selectTurn, v.digest, []byte(opts.RequestID)).QueryRow(func(row pgx.Row) error { return v.replay(row, opts.RequestID) })
	}
}

// state reads the state, and which messages are the recent ones.
func (v *salvager) state(row pgx.Row, recent int) error {
	r, err := scanSession(v.key, row)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil // it may be lost: extent tells
	case errors.Is(err, memory.ErrCorrupt):
		v.snap.StateLost = true
		return v.note(err)
	case err != nil || r.counters.Version == 0:
		return err
	}
	r.describe(v.snap)
	v.from, v.until = v.snap.Window(int64(max(recent, 0))), v.snap.NextSeq
	return nil
}

// extent reads how many messages and turns there are. A session with messages and no state has
// lost its state.
func (v *salvager) extent(row pgx.Row) error {
	var seq, turns int64
	err := row.Scan(&seq, &turns)
	if v.snap.State.Version == 0 && !v.snap.StateLost && seq > 0 {
		v.snap.StateLost = true
		_ = v.note(corrupt("sessions", v.digest, 0))
	}
	if v.snap.StateLost {
		v.snap.NextSeq, v.snap.Turns = seq+1, turns
	}
	return err
}

// stored reads the columns of a damaged state that Repair needs.
func (v *salvager) stored(row pgx.Row) error {
	var version, created, epoch int64
	err := row.Scan(&version, &created, &epoch)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if v.snap.StateLost {
		v.snap.State.Version, v.snap.CreatedAt, v.snap.Epoch = version, moment(created), min(max(epoch, 0), math.MaxInt32)
	}
	return err
}

// lastTurn reads the last turn, if the state is lost.
func (v *salvager) lastTurn(row pgx.Row) error {
	t, err := scanTurn(v.digest, row)
	if errors.Is(err, pgx.ErrNoRows) || !v.snap.StateLost {
		return nil
	}
	if err == nil {
		v.snap.Last = &t
	}
	return v.note(err)
}

// openSteps reads the steps that have no outcome. It lists those that are damaged as unreadable.
func (v *salvager) openSteps(rows pgx.Rows) error {
	return each(rows, func() error {
		p, err := scanStep(v.digest, rows)
		if err == nil {
			v.snap.OpenSteps = append(v.snap.OpenSteps, p)
			return nil
		}
		v.snap.UnreadableSteps = append(v.snap.UnreadableSteps, p.IdempotencyKey)
		return v.note(err)
	})
}

// replay reads the turn of the request that comes again. Of a damaged one only the id of the
// request is left.
func (v *salvager) replay(row pgx.Row, request string) error {
	t, err := scanTurn(v.digest, row)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	t.Snapshot = nil
	v.snap.Replay = &t
	if errors.Is(err, memory.ErrCorrupt) {
		v.snap.Replay = &memory.Turn{RequestID: request}
	}
	return v.note(err)
}

// messages reads the recent messages, and lists the missing ones as damaged.
func (v *salvager) messages(rows pgx.Rows) error {
	from, next := newMessageScanner(v.digest), v.from
	gap := func(to int64) {
		for ; next < min(to, v.until); next++ {
			_ = v.note(corrupt("messages", v.digest, next))
		}
	}
	if err := each(rows, func() error {
		m, err := from.scan(rows)
		if m.Seq >= v.until { // of a turn that was faster: the commit will say so
			return nil
		}
		gap(m.Seq)
		next++
		if err == nil && !m.Retracted {
			v.snap.Recent = append(v.snap.Recent, m)
		}
		return v.note(err)
	}); err != nil {
		return err
	}
	gap(v.until)
	return nil
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
