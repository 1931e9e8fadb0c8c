package postgres

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

const (
	selectAll   = `SELECT ` + messageColumns + ` FROM messages WHERE session = $1 ORDER BY seq`
	selectAbout = `SELECT title, tags, about_crc FROM sessions WHERE session = $1`
)

// Export implements memory.Store.
func (s *Store) Export(ctx context.Context, key memory.Key, w io.Writer) error {
	if err := key.Validate(); err != nil {
		return err
	}
	var (
		a *memory.Archive
		r *sessionRow
		d = digestOf(key)
	)
	if err := s.read(ctx, func(b *pgx.Batch) {
		a, r = &memory.Archive{Key: key}, nil
		queueSession(b, key, &r)
		b.Queue(selectAbout, d).Query(func(rows pgx.Rows) error {
			return each(rows, func() error {
				var title []byte
				var tags [][]byte
				var crc int32
				err := rows.Scan(&title, &tags, &crc)
				if err == nil {
					a.About, err = aboutOf(key, title, tags, crc)
				}
				return err
			})
		})
		queueMessages(b, d, &a.Messages, selectAll, d)
		queueTurns(b, d, &a.Turns, selectTurns, d, 0, true)
		queueSteps(b, selectSteps, d, &a.Steps)
	}); err != nil {
		return err
	}
	if r == nil || r.head.Version == 0 {
		return s.absent(ctx, d)
	}
	if err := dense(d, a.Messages, 1, r.head.NextSeq); err != nil {
		return err
	}
	a.Head, a.State, a.CreatedAt, a.UpdatedAt = r.head, r.state, moment(r.created), moment(r.updated)
	return a.Write(w) // after the connection was given back: w may be slow
}

// importChunk is how many rows one statement of an import adds.
const importChunk = 1000

// Import implements memory.Store. Each session is added in a transaction of its own.
func (s *Store) Import(ctx context.Context, r io.Reader) (int, error) {
	n := 0
	err := memory.ReadArchives(r, func(a *memory.Archive) error {
		added, err := s.add(ctx, a)
		if added {
			n++
		}
		return err
	})
	return n, err
}

// add adds a session unless it is there. After a try that was lost, one that is there is
// the one that was added.
func (s *Store) add(ctx context.Context, a *memory.Archive) (added bool, err error) {
	statements, err := importOf(a)
	if err != nil {
		return false, err
	}
	d := digestOf(a.Key)
	doubt := false
	err = s.retry(ctx, func() error {
		added = false
		err := s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
			if tag, err := tx.Exec(ctx, statements[0].text.String(), statements[0].args...); err != nil {
				return err
			} else if tag.RowsAffected() == 0 {
				return unlessSame(ctx, tx, d, a)
			}
			for _, q := range statements[1:] {
				if _, err := tx.Exec(ctx, q.text.String(), q.args...); err != nil {
					return err
				}
			}
			added = true
			return nil
		})
		added = err == nil && (added || doubt)
		doubt = doubt || lost(err)
		return err
	}, true)
	if err == nil && (!added || doubt) {
		err = s.vouch(ctx)
	}
	return added, err
}

// unlessSame reports a session that is there at another version.
func unlessSame(ctx context.Context, tx pgx.Tx, d digest, a *memory.Archive) error {
	var stored counters
	if err := scanCounters(tx.QueryRow(ctx, selectCounters, d), &stored); err != nil {
		return err
	}
	if stored.head.Version != a.Head.Version {
		return fmt.Errorf("import session over version %d: %w", stored.head.Version, memory.ErrConflict)
	}
	return nil
}

// importOf is a whole session as statements. The first adds no row when there is one.
func importOf(a *memory.Archive) ([]*statement, error) {
	params, err := record.Params(a.State.Params)
	if err != nil { // unreachable: they come from JSON
		return nil, fmt.Errorf("%w: %w", memory.ErrBadExport, err)
	}
	extras := make([]record.Extras, len(a.Messages))
	for i := range a.Messages {
		if extras[i], err = record.ExtrasOf(&a.Messages[i]); err != nil {
			return nil, err
		}
	}
	pasts := make([]string, len(a.Turns))
	for i := range a.Turns {
		if a.Turns[i].Past == nil {
			continue
		}
		if pasts[i], err = record.JSON(a.Turns[i].Past); err != nil {
			return nil, fmt.Errorf("%w: %w", memory.ErrBadExport, err)
		}
	}
	r := &sessionRow{
		key: a.Key, head: a.Head, created: micros(a.CreatedAt), updated: micros(a.UpdatedAt), state: a.State, params: params,
	}
	first := &statement{}
	first.insertSession(r, r.checksum(&record.Sum{}), a.About)
	first.write(` ON CONFLICT DO NOTHING`)
	d := digestOf(a.Key)
	all := []*statement{first}
	for i := 0; i < len(a.Messages); i += importChunk {
		to := min(i+importChunk, len(a.Messages))
		all = append(all, importRows(d, func(q *statement) { q.messages("s", d, a.Messages[i:to], extras[i:to]) }))
	}
	for i := 0; i < len(a.Turns); i += importChunk {
		to := min(i+importChunk, len(a.Turns))
		all = append(all, importRows(d, func(q *statement) { q.turns("s", d, a.Turns[i:to], pasts[i:to]) }))
	}
	for i := 0; i < len(a.Steps); i += importChunk {
		to := min(i+importChunk, len(a.Steps))
		all = append(all, importRows(d, func(q *statement) { q.steps("s", d, a.Steps[i:to], int64(i)) }))
	}
	return all, nil
}

func importRows(d digest, insert func(q *statement)) *statement {
	q := &statement{}
	q.write(`WITH s AS (SELECT `, q.arg(d, "uuid"), ` AS session) `)
	insert(q)
	return q
}
