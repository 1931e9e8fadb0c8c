package sqlstore

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
	if err := s.expireOne(ctx, key); err != nil {
		return err
	}
	return transfer.Export(ctx, s, key, w)
}

// Import implements memory.Transfer. Each session is added in a transaction of its own.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	if _, err := s.Expire(ctx); err != nil { // they cause no conflict
		return 0, err
	}
	n, err := transfer.Import(r, func(in *transfer.Incoming) (added bool, err error) {
		params, err := record.Params(in.State.Params)
		if err != nil { // unreachable: they come from JSON
			return false, fmt.Errorf("%w: %w", memory.ErrBadExport, err)
		}
		p := s.placeOf(in.Key)
		row := &sessionRow{
			digest: p.digest, key: in.Key, counters: in.Counters, created: micros(in.CreatedAt), updated: micros(in.UpdatedAt),
			state: in.State, params: []byte(params),
		}
		if err := row.hide(p); err != nil {
			return false, err
		}
		err = s.db.Change(ctx, func(run Run) (err error) {
			added, err = s.importSession(run, p, row, in)
			return err
		})
		return err == nil && added, err
	})
	if n > 0 {
		s.bound(ctx, memory.Key{}, n)
	}
	return n, err
}

// importSession adds a session unless it is there at the same version.
func (s *Store) importSession(run Run, p place, row *sessionRow, in *transfer.Incoming) (added bool, err error) {
	var stored *sessionRow
	if err := run(sessionQuery(row.digest, &stored)); err != nil {
		return false, err
	}
	switch {
	case stored.begun() && stored.counters.Version == in.Counters.Version:
		return false, nil
	case stored != nil:
		return false, fmt.Errorf("import session over version %d: %w", stored.counters.Version, memory.ErrConflict)
	}
	first, err := s.newSession(addSession, row, in.About)
	if err != nil {
		return false, err
	}
	if err := run.All(first); err != nil {
		return false, err
	}
	return true, importRows(run, p, in)
}

// importRows adds what the session holds besides its row.
func importRows(run Run, p place, in *transfer.Incoming) error {
	return in.Rows(&transfer.Parts{
		Message: func(m *memory.Message) error {
			extras, err := record.ExtrasOf(m)
			if err != nil {
				return err
			}
			q, err := putMessage(p, m, extras)
			if err != nil {
				return err
			}
			return run(q)
		},
		Turn: func(t *memory.Turn) error {
			params := ""
			if t.Snapshot != nil {
				var err error
				if params, err = record.Params(t.Snapshot.State.Params); err != nil { // unreachable: they come from JSON
					return fmt.Errorf("%w: %w", memory.ErrBadExport, err)
				}
			}
			row, err := newTurnRow(p, *t, params)
			if err != nil {
				return err
			}
			return run(row.put())
		},
		Step: func(step *memory.Step) error {
			q, err := putStep(insertStep, p, step)
			if err != nil {
				return err
			}
			return run(q)
		},
	})
}
