package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
	"time"
)

// pruneBatch is how many sessions one transaction deletes, so that turns do not wait long.
const pruneBatch = 20

// pruneStretch is how many sessions are looked at before others may use the connection: a few milliseconds.
const pruneStretch = 2000

// The age of a session with only a journal is that of its last call. One with messages but no
// state has lost the state, so its age is unknown: it stays.
const isIdle = ` FROM sessions s LEFT JOIN state st ON st.session = s.id
	WHERE coalesce(st.updated_at, (SELECT max(started_at) FROM plan_steps WHERE session = s.id), 0) < ?1
	AND (st.session IS NOT NULL OR NOT EXISTS (SELECT 1 FROM messages WHERE id >= s.id << 24 AND id < (s.id + 1) << 24))
	AND substr(s.user_id, 1, 1) <> '$'`

const (
	selectStretch = `SELECT max(id) FROM (SELECT id FROM sessions WHERE id > ? ORDER BY id LIMIT 0 + ?)`
	selectIdle    = `SELECT s.id` + isIdle + ` AND s.id > ?2 AND s.id <= ?3`
	selectIdleOne = `SELECT st.session IS NOT NULL` + isIdle + ` AND s.id = ?2`
)

// Prune implements memory.Admin. There is no index by age, which every turn would pay for, so it looks at
// every session: on a reader, for a stretch at a time. The writer, for whom all turns wait, only sees those
// that were found.
func (s *Store) Prune(ctx context.Context, before time.Time) (int, error) {
	n, moment := 0, micros(before)
	for after := int64(0); ; {
		idle, last, err := s.idle(ctx, moment, after)
		if err != nil || last == 0 {
			return n, err
		}
		for ids := range slices.Chunk(idle, pruneBatch) {
			c := &pruneChange{before: moment, ids: ids}
			if err := s.writer.do(ctx, c.apply); err != nil {
				return n, err
			}
			n += c.visible
		}
		after = last
	}
}

// idle returns the sessions of the next stretch that were not used since a moment, and the last that it
// looked at; 0: there was none.
func (s *Store) idle(ctx context.Context, before, after int64) (ids []int64, last int64, err error) {
	err = s.readers.with(ctx, func(c *conn) error {
		if err := c.query(selectStretch, func(row []driver.Value) error {
			if row[0] != nil {
				last = asInt(row[0])
			}
			return nil
		}, after, int64(pruneStretch)); err != nil || last == 0 {
			return err
		}
		return c.query(selectIdle, func(row []driver.Value) error {
			ids = append(ids, asInt(row[0]))
			return nil
		}, before, after, last)
	})
	return ids, last, explain(err)
}

// pruneChange deletes sessions, unless they have been used meanwhile.
type pruneChange struct {
	before int64
	ids    []int64

	visible int // sessions deleted that had a commit
}

// apply is a change.
func (c *pruneChange) apply(w *writer) error {
	c.visible = 0
	for _, id := range c.ids {
		idle, visible := false, false
		if err := w.conn.query(selectIdleOne, func(row []driver.Value) error {
			idle, visible = true, asInt(row[0]) != 0
			return nil
		}, c.before, id); err != nil {
			return err
		}
		if !idle {
			continue
		}
		sound, err := w.ageVerified(id)
		if err != nil {
			return err
		}
		if !sound {
			continue
		}
		if err := w.erase(id); err != nil {
			return err
		}
		w.cleared = true
		if visible {
			c.visible++
		}
	}
	return nil
}
