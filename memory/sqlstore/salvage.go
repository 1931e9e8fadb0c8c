package sqlstore

import (
	"context"
	"math"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
	"github.com/slotway/slotway/memory/seal"
)

const (
	selectExtent = `SELECT (SELECT coalesce(max(seq), 0) FROM messages WHERE session = $1::uuid), (SELECT coalesce(max(turn), 0) FROM turns WHERE session = $1::uuid)`
	selectNewest = `SELECT ` + turnColumns + ` FROM turns WHERE session = $1::uuid ORDER BY turn DESC LIMIT 2`
)

// salvaged is what is left of a session with damaged rows.
func (s *Store) salvaged(ctx context.Context, l *loading) (*memory.Snapshot, error) {
	if err := l.row.check(l.place, l.key); seal.Damaged(err) {
		l.lose(err)
	} else if err != nil {
		return nil, err
	}
	snap := memory.NewSnapshot(l.key)
	if l.lost != nil {
		if err := s.salvageCounters(ctx, l, snap); err != nil {
			return nil, err
		}
	} else if l.row.begun() {
		stated := l.stated()
		l.row.describe(snap)
		l.salvageMessages(snap)
		if stated != nil { // the turns before have theirs
			snap.StateLost, snap.Intact, snap.State = true, true, memory.State{Params: map[string]any{}, Version: snap.State.Version}
			l.damage = append(l.damage, stated)
			if err := s.lastTurn(ctx, l, snap); err != nil {
				return nil, err
			}
		}
	}
	snap.Replay, snap.OpenSteps, snap.UnreadableSteps = l.replay, l.steps, l.broken
	if !l.row.begun() && l.lost == nil {
		snap.Replay = nil
	}
	if l.lost != nil {
		snap.Damaged = append(snap.Damaged, l.lost.Error())
	}
	for _, err := range l.damage {
		snap.Damaged = append(snap.Damaged, err.Error())
	}
	return snap, nil
}

// salvageMessages keeps the sound ones; a missing one is damage, too.
func (l *loading) salvageMessages(snap *memory.Snapshot) {
	var sound []memory.Message
	next := l.row.counters.Window(l.recent)
	gap := func(to int64) {
		for ; next < to; next++ {
			_ = l.note(corrupt("messages", l.digest, next))
		}
	}
	for _, m := range l.messages {
		gap(m.Seq)
		next++
		if !m.Damaged() {
			sound = append(sound, m)
		}
	}
	if l.recent > 0 {
		gap(l.row.counters.NextSeq)
	}
	snap.Recent = newest(sound, int(l.recent))
}

// salvageCounters derives the counters of a session without its row from the other rows.
func (s *Store) salvageCounters(ctx context.Context, l *loading, snap *memory.Snapshot) error {
	snap.StateLost = true
	var last int64
	if err := s.db.Read(ctx, &Query{Text: selectExtent, Args: []any{l.digest[:]}, Row: func(scan func(into ...any) error) error {
		return scan(&last, &snap.Turns)
	}}); err != nil {
		return err
	}
	snap.NextSeq = last + 1
	if r := l.row; r != nil {
		snap.State.Version, snap.Epoch, snap.CreatedAt = r.counters.Version, min(max(r.counters.Epoch, 0), math.MaxInt32), moment(r.created)
	}
	return s.lastTurn(ctx, l, snap)
}

// lastTurn reads the newest turn that is sound, of two.
func (s *Store) lastTurn(ctx context.Context, l *loading, snap *memory.Snapshot) error {
	return s.db.Read(ctx, &Query{Text: selectNewest, Args: []any{l.digest[:]}, Row: func(scan func(into ...any) error) error {
		t, err := scanTurn(&l.place, scan)
		if seal.Damaged(err) {
			return l.note(err)
		}
		if snap.Last == nil {
			snap.Last = &t
		}
		return err
	}})
}

const (
	// A journal row that is closed keeps its checksum, and so stays damaged: lookups of the call report that.
	closeStep = `UPDATE plan_steps SET status = 'unknown' WHERE session = $1::uuid AND idempotency_key = $2 AND status = 'started'`

	lockedRow  = selectSession + ` FOR UPDATE`
	repairLost = insertSession + `NOTHING`
)

var repairRow = `UPDATE sessions SET (` + sessionColumns + `) = (` + placeholders(2, 19) + `) WHERE session = $1::uuid`

// Repair implements memory.Store.
func (s *Store) Repair(ctx context.Context, key memory.Key, m *memory.Repair) error {
	if err := key.Validate(); err != nil {
		return err
	}
	p := s.placeOf(key)
	d := p.digest
	return s.db.Change(ctx, func(run Run) error {
		var stored *sessionRow
		q := sessionQuery(d, &stored)
		q.Text = lockedRow
		if err := run(q); err != nil {
			return err
		}
		sound := stored.begun() && stored.check(p, key) == nil
		if m.State != nil && (sound != m.Intact || sound && stored.counters.Version != m.Base) {
			return memory.ErrConflict
		}
		for _, step := range m.UnreadableSteps {
			if err := run(&Query{Text: closeStep, Args: []any{d[:], []byte(step)}}); err != nil {
				return err
			}
		}
		if m.State == nil {
			return nil
		}
		params, err := record.Params(m.State.Params)
		if err != nil {
			return err
		}
		r := &sessionRow{
			digest: d, key: key, counters: m.Counters, created: micros(memory.Moment(m.CreatedAt)), updated: micros(memory.Moment(m.Updated)),
			state: *m.State, params: []byte(params),
		}
		if err := r.hide(p); err != nil {
			return err
		}
		if stored != nil {
			return run(&Query{Text: repairRow, Args: append([]any{d[:]}, r.values()...), Must: memory.ErrConflict})
		}
		first, err := s.newSession(repairLost, r, memory.About{})
		if err != nil {
			return err
		}
		return run.All(first)
	})
}
