package sqlite

import (
	"context"
	"fmt"
	"io"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
	"github.com/slotway/slotway/memory/transfer"
)

// Export implements memory.Transfer.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	return transfer.Export(ctx, s, key, w)
}

// importChange adds one whole session.
type importChange struct {
	in     *transfer.Incoming
	params string // JSON

	added bool // outcome of apply
}

// Import implements memory.Transfer.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	n := 0
	err := transfer.ReadIncoming(r, func(in *transfer.Incoming) error {
		c, err := newImport(in)
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

func newImport(in *transfer.Incoming) (*importChange, error) {
	if in.Counters.NextSeq > maxSeq {
		return nil, fmt.Errorf("%w: a session holds at most %d messages", memory.ErrBadExport, maxSeq)
	}
	params, err := record.JSON(in.State.Params)
	if err != nil { // unreachable: they come from JSON
		return nil, fmt.Errorf("%w: %w", memory.ErrBadExport, err)
	}
	return &importChange{in: in, params: params}, nil
}

// apply implements change.
func (c *importChange) apply(w *writer) error {
	c.added = false
	a, k := c.in, c.in.Key
	f, err := w.find(k)
	if err != nil {
		return err
	}
	if f.id != 0 && f.counters.Version == a.Counters.Version {
		return nil
	}
	if f.id != 0 {
		return fmt.Errorf("import session over version %d: %w", f.counters.Version, memory.ErrConflict)
	}
	id, err := w.addSession(k)
	if err != nil {
		return err
	}
	if err := w.insertState(&stateRow{
		id: id, key: k, counters: a.Counters, created: micros(a.CreatedAt), updated: micros(a.UpdatedAt),
		waiting: a.State.WaitingForParam, intent: a.State.LastIntentID, params: c.params,
		result: string(a.State.LastResult), plan: string(a.State.PlanExecution),
	}); err != nil {
		return err
	}
	if err := w.describe(id, k, a.About); err != nil {
		return err
	}
	if err := c.rows(w, id); err != nil {
		return err
	}
	c.added = true
	return nil
}

// rows adds what the session holds besides its state, some at a time.
func (c *importChange) rows(w *writer, session int64) error {
	err := c.in.EachMessage(func(list []memory.Message) error {
		extras := make([]record.Extras, len(list))
		for i := range list {
			var err error
			if extras[i], err = record.ExtrasOf(&list[i]); err != nil {
				return err
			}
		}
		return w.addMessages(session, list, extras)
	})
	if err != nil {
		return err
	}
	if err := c.in.EachTurn(func(list []memory.Turn) error {
		for i := range list {
			if err := w.importTurn(session, &list[i]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return c.in.EachStep(func(list []memory.Step) error {
		for i := range list {
			if err := w.insertStep(session, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *writer) importTurn(session int64, t *memory.Turn) (err error) {
	past := ""
	if t.Snapshot != nil {
		if past, err = record.JSON(t.Snapshot); err != nil {
			return err
		}
	}
	return w.addTurn(session, t, past)
}
