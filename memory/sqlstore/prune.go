package sqlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/memory"
)

// prunePage is how many sessions are looked at at a time.
const prunePage = 200

const (
	// Sessions are read in the order of their table, once. For one that has only a journal, updated_at is
	// the start of its last call.
	selectIdle = `SELECT session::uuid, ` + sessionColumns + `, expires_at, session FROM sessions
		WHERE updated_at < $1 AND substr(user_id, 1, 1) <> '$'`
	// One that was used meanwhile stays.
	eraseIdle = `DELETE FROM sessions WHERE session = $1::uuid AND version = $2 AND updated_at = $3`
)

// Prune implements memory.Admin. There is no index by age, which every turn would pay for, so it looks at
// every session. Each is deleted in a transaction of its own.
func (s *Store) Prune(ctx context.Context, before time.Time) (total int, err error) {
	for last := any(nil); ; {
		f := &filter{args: []any{micros(before)}}
		if last != nil {
			f.and("session > ?", last)
		}
		text := selectIdle + f.text.String() + ` ORDER BY session LIMIT ` + f.arg(int64(prunePage))
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
		for _, r := range idle {
			n, err := s.pruneIdle(ctx, r, before)
			if total += n; err != nil {
				return total, err
			}
		}
	}
}

// pruneIdle deletes a session whose row proves its age, and counts one that had a commit.
func (s *Store) pruneIdle(ctx context.Context, r *sessionRow, before time.Time) (n int, err error) {
	isOld := r.verify() == nil
	if isOld && !r.begun() { // its row has no checksum: its calls prove its age
		isOld, err = s.idleJournal(ctx, r.key, before)
	}
	if !isOld || err != nil {
		return 0, err
	}
	n, err = s.eraseRow(ctx, r, eraseIdle, r.counters.Version, r.updated)
	if !r.begun() {
		n = 0
	}
	return n, err
}

// eraseRow erases the session of a row by a statement that finds it as it was read, and returns how many that were.
func (s *Store) eraseRow(ctx context.Context, r *sessionRow, text string, args ...any) (gone int, err error) {
	first := &Query{Text: text, Args: append([]any{r.digest[:]}, args...), Erases: true, Done: func(changed int64) { gone = int(changed) }}
	if err := s.db.Write(ctx, s.erase(r.digest, first)...); err != nil {
		return 0, fmt.Errorf("erase a session: %w", err)
	}
	s.forget(ctx, r.digest)
	if gone > 0 && s.rules.Erased != nil {
		err = s.rules.Erased(ctx, r.key)
	}
	return gone, err
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
