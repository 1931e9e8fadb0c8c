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

// Import implements memory.Transfer.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	return transfer.Import(r, func(in *transfer.Incoming) (added bool, err error) {
		if in.Counters.NextSeq > maxSeq {
			return false, fmt.Errorf("%w: a session holds at most %d messages", memory.ErrBadExport, maxSeq)
		}
		params, err := record.JSON(in.State.Params)
		if err != nil { // unreachable: they come from JSON
			return false, fmt.Errorf("%w: %w", memory.ErrBadExport, err)
		}
		err = s.writer.do(ctx, func(w *writer) (err error) {
			added, err = w.importSession(in, params)
			return err
		})
		return err == nil && added, err
	})
}

// importSession adds a session unless it is there at the same version.
func (w *writer) importSession(in *transfer.Incoming, params string) (added bool, err error) {
	f, err := w.find(in.Key)
	if err != nil || f.id != 0 && f.counters.Version == in.Counters.Version {
		return false, err
	}
	if f.id != 0 {
		return false, fmt.Errorf("import session over version %d: %w", f.counters.Version, memory.ErrConflict)
	}
	id, err := w.addSession(in.Key)
	if err != nil {
		return false, err
	}
	if err := w.insertState(&stateRow{
		id: id, key: in.Key, counters: in.Counters, created: micros(in.CreatedAt), updated: micros(in.UpdatedAt),
		waiting: in.State.WaitingForParam, intent: in.State.LastIntentID, params: params,
		result: string(in.State.LastResult), plan: string(in.State.PlanExecution),
	}); err != nil {
		return false, err
	}
	if err := w.describe(id, in.Key, in.About); err != nil {
		return false, err
	}
	return true, w.importRows(id, in)
}

// importRows adds what the session holds besides its state, some rows at a time.
func (w *writer) importRows(session int64, in *transfer.Incoming) error {
	err := in.EachMessage(func(list []memory.Message) error {
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
	if err := in.EachTurn(func(list []memory.Turn) error {
		for i := range list {
			if err := w.importTurn(session, &list[i]); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return in.EachStep(func(list []memory.Step) error {
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
