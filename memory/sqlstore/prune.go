package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
)

// pruneBatch is how many sessions one transaction deletes, so that turns do not wait long.
const pruneBatch = 50

const (
	// Sessions are read in the order of their digests, once. For one that has only a journal, updated_at is
	// the start of its last call.
	selectIdle = `SELECT session, ` + sessionColumns + `, expires_at FROM sessions
		WHERE session > $1 AND updated_at < $2 AND substr(user_id, 1, 1) <> '$' ORDER BY session LIMIT $3`
	// One that was used meanwhile stays.
	eraseIdle = `DELETE FROM sessions WHERE session = $1 AND version = $2 AND updated_at = $3`
)

// Prune implements memory.Admin. There is no index by age, which every turn would pay for, so it looks at
// every session.
func (s *Store) Prune(ctx context.Context, before time.Time) (total int, err error) {
	last := make([]byte, len(digest{}))
	for {
		var idle []*sessionRow
		if err := s.db.Read(ctx, &Query{Text: selectIdle, Args: []any{last, micros(before), int64(pruneBatch)}, Row: func(scan func(into ...any) error) error {
			r := &sessionRow{}
			var d digest
			err := r.scan(behind(&d, scan))
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
		last = idle[len(idle)-1].digest[:]
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
		statements = append(statements, erase(r.digest, &Query{
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
	return n, nil
}

// idleJournal reports whether all calls of a session are sound and from before a moment.
func (s *Store) idleJournal(ctx context.Context, key memory.Key, before time.Time) (bool, error) {
	err := s.checkNotLost(ctx, digestOf(key))
	var steps []memory.Step
	if err == nil {
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
