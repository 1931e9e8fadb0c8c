package sqlite

import (
	"context"
	"database/sql/driver"

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
