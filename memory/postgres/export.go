package postgres

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
	"github.com/slotway/slotway/memory/transfer"
)

// Export implements memory.Transfer.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	return transfer.Export(ctx, s, key, w)
}

// Import implements memory.Transfer. Each session is added in a transaction of its own.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	return transfer.Import(r, func(in *transfer.Incoming) (bool, error) { return s.add(ctx, in) })
}

// add adds a session unless it is there. After a try that was lost, one that is there is
// the one that was added.
func (s *Store) add(ctx context.Context, in *transfer.Incoming) (added bool, err error) {
	first, err := importOf(in)
	if err != nil {
		return false, err
	}
	d := digestOf(in.Key)
	unsure := false
	err = s.retry(ctx, func() error {
		added = false
		err := s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
			if tag, err := tx.Exec(ctx, first.text.String(), first.args...); err != nil {
				return err
			} else if tag.RowsAffected() == 0 {
				return unlessSame(ctx, tx, d, in.Counters.Version)
			}
			if err := importRows(ctx, tx, d, in); err != nil {
				return err
			}
			added = true
			return nil
		})
		added = err == nil && (added || unsure)
		unsure = unsure || lost(err)
		return err
	}, true)
	if err == nil && (!added || unsure) {
		err = s.confirmDurable(ctx)
	}
	return added, err
}

// unlessSame reports a session that is there at another version.
func unlessSame(ctx context.Context, tx pgx.Tx, d digest, version int64) error {
	var stored baseline
	if err := scanBaseline(tx.QueryRow(ctx, selectBaseline, d), &stored); err != nil {
		return err
	}
	if stored.counters.Version != version {
		return fmt.Errorf("import session over version %d: %w", stored.counters.Version, memory.ErrConflict)
	}
	return nil
}

// importOf is the statement that adds a session without its rows, and no row when there is one.
func importOf(in *transfer.Incoming) (*statement, error) {
	params, err := record.Params(in.State.Params)
	if err != nil { // unreachable: they come from JSON
		return nil, fmt.Errorf("%w: %w", memory.ErrBadExport, err)
	}
	r := &sessionRow{
		key: in.Key, counters: in.Counters, created: micros(in.CreatedAt), updated: micros(in.UpdatedAt), state: in.State, params: params,
	}
	first := &statement{}
	first.insertSession(r, r.checksum(&record.Sum{}), in.About)
	first.write(` ON CONFLICT DO NOTHING`)
	return first, nil
}

// importRows adds what the session holds besides its state, some at a time.
func importRows(ctx context.Context, tx pgx.Tx, d digest, in *transfer.Incoming) error {
	insert := func(rows func(q *statement)) error {
		q := &statement{}
		q.write(`WITH s AS (SELECT `)
		q.arg(d, "uuid")
		q.write(` AS session) `)
		rows(q)
		_, err := tx.Exec(ctx, q.text.String(), q.args...)
		return err
	}
	if err := in.EachMessage(func(list []memory.Message) (err error) {
		extras := make([]record.Extras, len(list))
		for i := range list {
			if extras[i], err = record.ExtrasOf(&list[i]); err != nil {
				return err
			}
		}
		return insert(func(q *statement) { q.messages("s", d, list, extras) })
	}); err != nil {
		return err
	}
	if err := in.EachTurn(func(list []memory.Turn) (err error) {
		pasts := make([]string, len(list))
		for i := range list {
			if list[i].Snapshot == nil {
				continue
			}
			if pasts[i], err = record.JSON(list[i].Snapshot); err != nil {
				return fmt.Errorf("%w: %w", memory.ErrBadExport, err)
			}
		}
		return insert(func(q *statement) { q.turns("s", d, list, pasts) })
	}); err != nil {
		return err
	}
	at := int64(0)
	return in.EachStep(func(list []memory.Step) error {
		from := at
		at += int64(len(list))
		return insert(func(q *statement) { q.steps("s", d, list, from) })
	})
}
