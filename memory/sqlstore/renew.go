package sqlstore

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
	"github.com/slotway/slotway/memory/seal"
)

const (
	selectExtent = `SELECT (SELECT coalesce(max(seq), 0) FROM messages WHERE session = $1::uuid), (SELECT coalesce(max(turn), 0) FROM turns WHERE session = $1::uuid)`
	selectNewest = `SELECT ` + turnColumns + ` FROM turns WHERE session = $1::uuid AND NOT undone ORDER BY turn DESC LIMIT 2`
)

var replaceRow = `UPDATE sessions SET (` + sessionColumns + `) = (` + placeholders(2, 19) + `) WHERE session = $1::uuid`

// Renew implements memory.Store.
func (s *Store) Renew(ctx context.Context, key memory.Key, at time.Time) (lost bool, err error) {
	if err := key.Validate(); err != nil {
		return false, err
	}
	p := s.placeOf(key)
	defer s.forget(ctx, p.digest)
	err = s.db.Change(ctx, func(run Run) error {
		l := &loading{place: p, key: key}
		queries := l.queries()
		queries[0].Text += " FOR UPDATE"
		if err := run.All(queries); err != nil {
			return err
		}
		damage := cmp.Or(l.lost, l.row.check(p, key))
		isSound := damage == nil && l.row.begun()
		if damage == nil {
			damage = l.stated()
		}
		if !seal.Damaged(damage) { // nil: another try has renewed it
			return damage
		}
		r, isLost, err := l.renewed(run, isSound, memory.Moment(at))
		if err != nil {
			return err
		}
		lost = isLost
		if l.row != nil {
			return run(&Query{Text: replaceRow, Args: append([]any{p.digest[:]}, r.values()...), Must: memory.ErrConflict})
		}
		first, err := s.newSession(addSession, r, memory.About{})
		if err != nil {
			return err
		}
		return run.All(first)
	})
	return lost, err
}

// renewed is the row of a session whose state cannot be read, and whether anything was lost. The newest turn that can be
// read has all of it, if nothing was committed after it. isSound: the row itself can be read, and its state was elsewhere.
func (l *loading) renewed(run Run, isSound bool, at time.Time) (r *sessionRow, isLost bool, err error) {
	var last, turns int64
	var newest memory.Turn
	err = run.All([]*Query{
		{Text: selectExtent, Args: []any{l.digest[:]}, Row: func(scan func(into ...any) error) error { return scan(&last, &turns) }},
		{Text: selectNewest, Args: []any{l.digest[:]}, Row: func(scan func(into ...any) error) error {
			t, err := scanTurn(&l.place, scan)
			if seal.Damaged(err) {
				return nil
			}
			if newest.Snapshot == nil {
				newest = t
			}
			return err
		}},
	})
	if err != nil {
		return nil, false, err
	}
	past := memory.TurnSnapshot{}
	if newest.Snapshot != nil {
		past, at = *newest.Snapshot, newest.At
	}
	r = &sessionRow{
		digest: l.digest, key: l.key, created: micros(at), updated: micros(at), state: memory.State{Params: map[string]any{}},
		counters: memory.Counters{Version: turns, NextSeq: last + 1, Floor: last + 1, Turns: turns, Epoch: past.Counters.Epoch + 1},
	}
	if was := l.row; was != nil {
		h := was.counters
		isNewest := h.Version == past.Counters.Version && past.Counters.NextSeq == last+1
		if h.Version > turns && h.Version <= maxVersion {
			r.counters.Version = h.Version
		}
		r.counters.Epoch = max(r.counters.Epoch, min(max(h.Epoch, 0), math.MaxInt32)+1)
		if isSound {
			r.counters = h
		} else if isNewest {
			r.counters = past.Counters
		}
		if was.created > 0 && was.created < r.created {
			r.created = was.created
		}
	}
	if isLost = past.Counters != r.counters; past.Counters.Epoch == r.counters.Epoch {
		r.state = past.State
	}
	r.counters.Version++
	params, err := record.Params(r.state.Params)
	r.params = []byte(params)
	return r, isLost, cmp.Or(err, r.hide(l.place))
}

// maxVersion is above any version that a session can reach by itself.
const maxVersion = 1 << 40
