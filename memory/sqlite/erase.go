package sqlite

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/slotway/slotway/memory"
)

// Delete implements memory.Admin. The content is overwritten in the file (secure_delete)
// and the WAL is truncated soon after.
func (s *Store) Delete(ctx context.Context, key memory.Key) error {
	if err := key.Validate(); err != nil {
		return err
	}
	err := s.writer.do(ctx, func(w *writer) error {
		f, err := w.find(key)
		if err != nil {
			return err
		}
		if f.id == 0 {
			return memory.ErrNotFound
		}
		w.changed[key] = nil
		return w.erase(f.id)
	})
	s.cache.drop(key)
	return err
}

// erase deletes a session's rows from every table.
func (w *writer) erase(id int64) error {
	for _, table := range [...]struct {
		text string
		args []driver.Value
	}{
		{`DELETE FROM messages WHERE id >= ? AND id < ?`, []driver.Value{messageID(id, 0), messageID(id+1, 0)}},
		{`DELETE FROM turns WHERE session = ?`, []driver.Value{id}},
		{`DELETE FROM plan_steps WHERE session = ?`, []driver.Value{id}},
		{`DELETE FROM jobs WHERE session = ?`, []driver.Value{id}},
		{`DELETE FROM views WHERE session = ?`, []driver.Value{id}},
		{`DELETE FROM state WHERE session = ?`, []driver.Value{id}},
		{`DELETE FROM sessions WHERE id = ?`, []driver.Value{id}},
	} {
		if _, err := w.exec(table.text, table.args...); err != nil {
			return err
		}
		failpoint("after_erased_table")
	}
	w.erased = true
	return nil
}

// pruneBatch is how many sessions one transaction deletes, so that turns do not wait long.
const pruneBatch = 20

// pruneChange deletes some of the sessions that have been idle since before a moment.
type pruneChange struct {
	before int64
	after  int64 // only sessions with a higher id

	// Outcome of apply.
	visible int   // sessions deleted that had a commit
	last    int64 // id of the last session that was looked at
	more    bool  // there may be idle sessions above it
}

// The age of a session with only a journal is that of its last call. One with messages but no
// state has lost the state, so its age is unknown: it stays.
const selectIdle = `SELECT s.id, st.session IS NOT NULL FROM sessions s LEFT JOIN state st ON st.session = s.id
	WHERE s.id > ?3 AND coalesce(st.updated_at, (SELECT max(started_at) FROM plan_steps WHERE session = s.id), 0) < ?1
	AND (st.session IS NOT NULL OR NOT EXISTS (SELECT 1 FROM messages WHERE id >= s.id << 24 AND id < (s.id + 1) << 24))
	AND substr(s.user_id, 1, 1) <> '$' ORDER BY s.id LIMIT 0 + ?2`

// Prune implements memory.Admin.
func (s *Store) Prune(ctx context.Context, before time.Time) (int, error) {
	n, after := 0, int64(0)
	for {
		c := &pruneChange{before: micros(before), after: after}
		err := s.writer.do(ctx, c.apply)
		if err != nil {
			return n, err
		}
		n += c.visible
		if !c.more {
			return n, nil
		}
		after = c.last
	}
}

// apply is a change.
func (c *pruneChange) apply(w *writer) error {
	type idle struct{ id, visible int64 }
	var list []idle
	if err := w.conn.query(selectIdle, func(row []driver.Value) error {
		list = append(list, idle{asInt(row[0]), asInt(row[1])})
		return nil
	}, c.before, int64(pruneBatch), c.after); err != nil {
		return err
	}
	c.visible, c.more = 0, len(list) == pruneBatch
	for _, s := range list {
		c.last = s.id
		sound, err := w.ageVerified(s.id)
		if err != nil {
			return err
		}
		if !sound {
			continue
		}
		if err := w.erase(s.id); err != nil {
			return err
		}
		w.cleared = true
		c.visible += int(s.visible)
	}
	return nil
}
