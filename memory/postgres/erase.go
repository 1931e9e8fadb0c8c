package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/slotway/slotway/memory"
)

// found turns a statement that changed no row into memory.ErrNotFound.
func found(tag pgconn.CommandTag) error {
	if tag.RowsAffected() == 0 {
		return memory.ErrNotFound
	}
	return nil
}

// The row of the session goes first, by itself: that waits for a commit under way, and the
// statements behind it then see what it wrote.
const eraseSession = `DELETE FROM sessions WHERE session = $1`

// eraseRest deletes from the other tables, by lists of sessions.
var eraseRest = [...]string{
	`DELETE FROM messages WHERE session = ANY($1)`,
	`DELETE FROM turns WHERE session = ANY($1)`,
	`DELETE FROM plan_steps WHERE session = ANY($1)`,
	`DELETE FROM jobs WHERE session = ANY($1)`,
	`DELETE FROM views WHERE session = ANY($1)`,
}

// Delete implements memory.Admin. The rows are gone for every query at once; their bytes stay
// in the files until VACUUM reuses the room, and in the write-ahead log and its archive as
// long as those are kept.
func (s *Store) Delete(ctx context.Context, key memory.Key) error {
	if err := key.Validate(); err != nil {
		return err
	}
	if err := s.requireStandby(); err != nil {
		return err
	}
	d := digestOf(key)
	err := s.resolve(ctx, func(ctx context.Context) error {
		return s.write(ctx, func(b *pgx.Batch) {
			b.Queue(eraseSession, d).Exec(found)
			for _, text := range eraseRest {
				b.Queue(text, []digest{d})
			}
		})
	}, func(ctx context.Context) (bool, error) { return s.erased(ctx, d) })
	s.baselines.drop(d)
	if errors.Is(err, memory.ErrNotFound) { // an earlier call may have erased it
		if unsure := s.confirmDurable(ctx); unsure != nil {
			return unsure
		}
	}
	return err
}

// erased asks whether there is no row of a session.
func (s *Store) erased(ctx context.Context, d digest) (yes bool, err error) {
	err = s.read(ctx, func(b *pgx.Batch) {
		b.Queue(`SELECT NOT EXISTS (SELECT 1 FROM sessions WHERE session = $1)`, d).QueryRow(func(row pgx.Row) error { return row.Scan(&yes) })
	})
	return yes, err
}

// pruneBatch is how many sessions one transaction deletes, so that turns do not wait long.
const pruneBatch = 100

// Sessions are read in the order of their digests, once. For one that has only a journal,
// updated_at is the start of its last call.
const selectIdle = `SELECT session FROM sessions WHERE session > $1 AND updated_at < $2 AND left(user_id, 1) <> '$' ORDER BY session LIMIT $3`

const (
	// FOR UPDATE waits for a commit under way, and then reads the row again.
	selectStillIdle = `SELECT ` + sessionColumns + `, expires_at, session FROM sessions WHERE session = ANY($1) AND updated_at < $2 FOR UPDATE`
	eraseIdle       = `DELETE FROM sessions WHERE session = ANY($1)`
)

// Prune implements memory.Admin.
func (s *Store) Prune(ctx context.Context, before time.Time) (int, error) {
	total, last := 0, digest{}
	for {
		idle, err := readRows(ctx, s, func(row pgx.Row) (d digest, err error) {
			err = row.Scan(&d)
			return d, err
		}, selectIdle, last, micros(before), pruneBatch)
		if err != nil || len(idle) == 0 {
			return total, err
		}
		n, err := s.prune(ctx, idle, before)
		total += n
		if err != nil || len(idle) < pruneBatch {
			return total, err
		}
		last = idle[len(idle)-1]
	}
}

// prune deletes those of the sessions that are still idle and counts the visible ones.
func (s *Store) prune(ctx context.Context, idle []digest, before time.Time) (n int, err error) {
	err = s.retry(ctx, func() error {
		n = 0
		return s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
			gone, visible, err := stillIdle(ctx, tx, idle, before)
			if err != nil {
				return err
			}
			n = visible
			b := &pgx.Batch{}
			b.Queue(eraseIdle, gone)
			for _, text := range eraseRest {
				b.Queue(text, gone)
			}
			return tx.SendBatch(ctx, b).Close()
		})
	}, true)
	for _, d := range idle {
		s.baselines.drop(d)
	}
	return n, err
}

// stillIdle locks the sessions that are idle and whose rows match their checksums, and counts the
// visible ones.
func stillIdle(ctx context.Context, tx pgx.Tx, idle []digest, before time.Time) (gone []digest, visible int, err error) {
	rows, err := tx.Query(ctx, selectStillIdle, idle, micros(before))
	if err != nil {
		return nil, 0, err
	}
	var bare []digest
	if err := each(rows, func() error {
		var d digest
		r, err := scanRow(rows, &d)
		switch {
		case err != nil:
			return err
		case r.counters.Version == 0:
			bare = append(bare, d)
		case digestOf(r.key) == d && r.sound():
			gone = append(gone, d)
		}
		return nil
	}); err != nil {
		return nil, 0, err
	}
	visible = len(gone)
	for _, d := range bare { // their rows have no checksum: their calls prove their age
		old, err := idleJournal(ctx, tx, d, before)
		if err != nil {
			return nil, 0, err
		}
		if old {
			gone = append(gone, d)
		}
	}
	return gone, visible, nil
}

// idleJournal reports whether all calls of a session are sound and from before a moment.
func idleJournal(ctx context.Context, tx pgx.Tx, d digest, before time.Time) (bool, error) {
	rows, err := tx.Query(ctx, selectSteps, d)
	if err != nil {
		return false, err
	}
	old := true
	err = each(rows, func() error {
		p, err := scanStep(d, rows)
		old = old && p.StartedAt.Before(before)
		return err
	})
	if errors.Is(err, memory.ErrCorrupt) {
		return false, nil
	}
	return old, err
}
