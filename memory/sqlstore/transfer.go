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
	n := 0
	err := transfer.ReadArchives(r, func(in *transfer.Archive) error {
		added, err := s.importArchive(ctx, in)
		if added {
			n++
		}
		return err
	})
	if n > 0 {
		s.bound(ctx, memory.Key{}, n)
	}
	return n, err
}

func (s *Store) importArchive(ctx context.Context, in *transfer.Archive) (added bool, err error) {
	in.Counters.Gone = 0 // the writer may not have known of damaged messages
	for i := range in.Messages {
		if m := &in.Messages[i]; m.Retracted && m.Seq >= in.Counters.Floor {
			in.Counters.Gone++
		}
	}
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
}

// importSession adds a session unless it is there at the same version.
func (s *Store) importSession(run Run, p place, row *sessionRow, in *transfer.Archive) (added bool, err error) {
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
func importRows(run Run, p place, in *transfer.Archive) error {
	for i := range in.Messages {
		extras, err := record.ExtrasOf(&in.Messages[i])
		if err != nil {
			return err
		}
		q, err := putMessage(p, &in.Messages[i], extras)
		if err != nil {
			return err
		}
		if err := run(q); err != nil {
			return err
		}
	}
	for _, turn := range in.Turns {
		params := ""
		if turn.Snapshot != nil {
			var err error
			if params, err = record.Params(turn.Snapshot.State.Params); err != nil { // unreachable: they come from JSON
				return fmt.Errorf("%w: %w", memory.ErrBadExport, err)
			}
		}
		row, err := newTurnRow(p, turn, params)
		if err != nil {
			return err
		}
		if err := run(row.put()); err != nil {
			return err
		}
	}
	for i := range in.Steps {
		q, err := putStep(insertStep, p, &in.Steps[i])
		if err != nil {
			return err
		}
		if err := run(q); err != nil {
			return err
		}
	}
	return nil
}
