package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
)

// pruneBatch is how many sessions one transaction deletes, so that turns do not wait long.
const pruneBatch = 50

const (
	// Sessions are read in the order of their table, once. For one that has only a journal, updated_at is
	// the start of its last call.
	selectIdle = `SELECT session::uuid, ` + sessionColumns + `, expires_at, session FROM sessions
		WHERE updated_at < $1 AND substr(user_id, 1, 1) <> '$'`
	// One that was used meanwhile stays.
	eraseIdle = `DELETE FROM sessions WHERE session = $1::uuid AND version = $2 AND updated_at = $3`
)

// Prune implements memory.Admin. There is no index by age, which every turn would pay for, so it looks at
// every session.
func (s *Store) Prune(ctx context.Context, before time.Time) (total int, err error) {
	var last any
	for {
		f := &filter{args: []any{micros(before)}}
		if last != nil {
			f.and("session > ?", last)
		}
		text := selectIdle + f.text.String() + ` ORDER BY session LIMIT ` + f.arg(int64(pruneBatch))
		var idle []*sessionRow
		if err := s.db.Read(ctx, &Query{Text: text, Args: f.args, Row: func(scan func(into ...any) error) error {
			r := &sessionRow{}
			var d digest
			err := r.scan(behind(&d, scan), &last)
			r.digest = d
			idle = append(idle, r)
			return err
		}}); err != nil || len(idle) == 0 {
			return total, err
		}
		n, err := s.pruneIdle(ctx, idle, before)
		if total += n; err != nil || len(idle) < pruneBatch {
			return total, err
		}
	}
}

// pruneIdle deletes sessions whose rows prove their age, and counts those that had a commit.
func (s *Store) pruneIdle(ctx context.Context, idle []*sessionRow, before time.Time) (n int, err error) {
	var statements []*Query
	for _, r := range idle {
		old := r.verify() == nil
		if old && !r.begun() { // its row has no checksum: its calls prove its age
			if old, err = s.idleJournal(ctx, r.key, before); err != nil {
				return 0, err
			}
		}
		if !old {
			continue
		}
		statements = append(statements, s.erase(r.digest, &Query{
			Text: eraseIdle, Args: []any{r.digest[:], r.counters.Version, r.updated}, Erases: true,
			Done: func(changed int64) {
				if r.begun() {
					n += int(changed)
				}
			},
		})...)
	}
	if len(statements) == 0 {
		return 0, nil
	}
	if err := s.db.Write(ctx, statements...); err != nil {
		return 0, err
	}
	for _, r := range idle {
		s.forget(ctx, r.digest)
	}
	return n, nil
}

// idleJournal reports whether all calls of a session are sound and from before a moment.
func (s *Store) idleJournal(ctx context.Context, key memory.Key, before time.Time) (bool, error) {
	var none *sessionRow
	var lost error
	err := s.db.Read(ctx, lostQuery(digestOf(key), &none, &lost))
	var steps []memory.Step
	if err = cmp.Or(err, lost); err == nil {
		steps, err = s.Steps(ctx, key)
	}
	if errors.Is(err, memory.ErrCorrupt) {
		return false, nil
	}
	for i := range steps {
		if !steps[i].StartedAt.Before(before) {
			return false, err
		}
	}
	return true, err
}
