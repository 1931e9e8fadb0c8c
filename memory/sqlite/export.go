package sqlite

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// Export implements memory.Store.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	if err := key.Validate(); err != nil {
		return err
	}
	var a *memory.Archive
	err := s.readers.with(ctx, func(c *conn) error {
		return c.read(func() (err error) {
			a, err = readArchive(c, key)
			return err
		})
	})
	if err != nil {
		return explain(err)
	}
	return a.Write(w) // after the read has ended: w may be slow
}

const selectTurns = `SELECT ` + turnColumns + ` FROM turns WHERE session = ? ORDER BY turn`

func readArchive(c *conn, key memory.Key) (*memory.Archive, error) {
	e, err := readState(c, key)
	if err != nil {
		return nil, err
	}
	if e == nil || e.head.Version == 0 {
		return nil, memory.ErrNotFound
	}
	a := &memory.Archive{Key: key, Head: e.head, CreatedAt: e.created, UpdatedAt: e.updated, State: e.state}
	if a.About, err = readAbout(c, e.id, key); err != nil {
		return nil, err
	}
	if a.Messages, err = readMessages(c, e.id, 1, e.head.NextSeq); err != nil {
		return nil, err
	}
	if a.Steps, err = readSteps(c, selectSteps, e.id); err != nil {
		return nil, err
	}
	err = c.query(selectTurns, func(row []driver.Value) error {
		t, err := scanTurn(row)
		a.Turns = append(a.Turns, t)
		return err
	}, e.id)
	return a, err
}

// importChange adds one whole session.
type importChange struct {
	a      *memory.Archive
	params string
	extras []record.Extras
	added  bool
}

// Import implements memory.Store. Each session is added in a transaction of its own.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	n := 0
	err := memory.ReadArchives(r, func(a *memory.Archive) error {
		c, err := newImport(a)
		if err != nil {
			return err
		}
		if err := s.writer.do(ctx, c); err != nil {
			return err
		}
		if c.added {
			n++
		}
		return nil
	})
	return n, err
}

func newImport(a *memory.Archive) (*importChange, error) {
	if a.Head.NextSeq > maxSeq {
		return nil, fmt.Errorf("%w: a session holds at most %d messages", memory.ErrBadExport, maxSeq)
	}
	params, err := record.JSON(a.State.Params)
	if err != nil { // unreachable: they come from JSON
		return nil, fmt.Errorf("%w: %w", memory.ErrBadExport, err)
	}
	c := &importChange{a: a, params: params, extras: make([]record.Extras, len(a.Messages))}
	for i := range a.Messages {
		if c.extras[i], err = record.ExtrasOf(&a.Messages[i]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// apply implements change.
func (c *importChange) apply(w *writer) error {
	c.added = false
	a, k := c.a, c.a.Key
	known, version := false, int64(0)
	if err := w.conn.query(selectHead, func(row []driver.Value) error {
		known, version = true, asInt(row[1])
		return nil
	}, k.UserID, k.AgentID, k.SessionID); err != nil {
		return err
	}
	if known && version == a.Head.Version {
		return nil
	}
	if known {
		return fmt.Errorf("import session over version %d: %w", version, memory.ErrConflict)
	}
	id, err := w.addSession(k)
	if err != nil {
		return err
	}
	if err := w.insertState(&stateRow{
		id: id, key: k, head: a.Head, created: micros(a.CreatedAt), updated: micros(a.UpdatedAt),
		waiting: a.State.WaitingForParam, intent: a.State.LastIntentID, params: c.params,
		result: string(a.State.LastResult), plan: string(a.State.PlanExecution),
	}); err != nil {
		return err
	}
	if err := w.describe(id, k, a.About); err != nil {
		return err
	}
	if err := w.addMessages(id, a.Messages, c.extras); err != nil {
		return err
	}
	for i := range a.Turns {
		past := ""
		if a.Turns[i].Past != nil {
			if past, err = record.JSON(a.Turns[i].Past); err != nil {
				return err
			}
		}
		if err := w.addTurn(id, &a.Turns[i], past); err != nil {
			return err
		}
	}
	for i := range a.Steps {
		if err := w.insertStep(id, &a.Steps[i]); err != nil {
			return err
		}
	}
	c.added = true
	return nil
}
