package postgres

import (
	"cmp"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
)

const (
	selectSession = `SELECT ` + sessionColumns + `, expires_at FROM sessions WHERE session = $1`
	selectStarted = `SELECT ` + stepColumns + ` FROM plan_steps WHERE session = $1 AND status = 'started' ORDER BY place, idempotency_key`
	selectTurn    = `SELECT ` + turnColumns + ` FROM turns WHERE session = $1 AND request_id = $2 AND request_id <> ''`

	// The n newest active messages are among those from the window's begin on (memory.Counters.Window).
	selectWindow = `SELECT ` + messageColumns + ` FROM messages WHERE session = $1
		AND seq >= (SELECT greatest(floor_seq, next_seq - $2 - gone) FROM sessions WHERE session = $1) ORDER BY seq`

	// A session without a row has no messages, or has lost its row.
	selectLostSession = `SELECT 1 FROM messages WHERE session = $1
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE session = $1 AND version > 0) LIMIT 1`
)

// Load implements memory.Store. It is one round trip and reads one moment: the session's
// row, its open journal rows, the window, and the turn that is asked for.
func (s *Store) Load(ctx context.Context, key memory.Key, opts memory.LoadOptions) (*memory.Snapshot, error) {
	if err := key.Validate(); err != nil {
		return nil, err
	}
	if opts.RequestID != "" { // a turn begins, and its commit would be refused
		if err := s.requireStandby(); err != nil {
			return nil, err
		}
	}
	if opts.Salvage {
		return s.salvage(ctx, key, opts)
	}
	d := digestOf(key)
	var (
		r      *sessionRow
		snap   *memory.Snapshot
		recent []memory.Message
		damage error // the session has lost its row
	)
	before, known := s.baselines.seen(d)
	var at *serverState // nil: the server does not say
	if !s.monitor.disabled {
		at = &serverState{}
	}
	err := s.readForTurnAt(ctx, at, func(b *pgx.Batch) {
		r, recent, damage = nil, nil, nil
		snap = memory.NewSnapshot(key)
		queueSession(b, key, &r)
		queueSteps(b, selectStarted, d, &snap.OpenSteps)
		if opts.Recent > 0 {
			queueRows(b, &recent, messagesOf(d, false), selectWindow, d, int64(opts.Recent))
		}
		queueReplay(b, d, opts.RequestID, snap)
		if !known { // it may be new: no round trip more
			queueLost(b, d, &damage)
		}
	})
	if err != nil {
		return nil, err
	}
	snap.Lineage = at.lineage()
	if known && before.isNewerThan(r, snap.Lineage) {
		s.baselines.drop(d)
		s.monitor.regressed()
	}
	if r == nil || r.counters.Version == 0 {
		snap.Replay = nil
		if err = damage; known {
			err = s.checkNotLost(ctx, d)
		}
	} else {
		err = s.fill(snap, r, recent, opts.Recent, at.durability() != durabilityStandby)
	}
	if err == nil && opts.RequestID != "" && reliesOnRead(snap) {
		err = s.confirmDurable(ctx)
	}
	return snap, err
}

// fill adds the session's row and its newest active messages to a snapshot. safe: the server would
// acknowledge all that it shows.
func (s *Store) fill(snap *memory.Snapshot, r *sessionRow, recent []memory.Message, n int, safe bool) error {
	s.baselines.put(digestOf(r.key), baseline{r.counters, r.created}, snap.Lineage, safe)
	r.describe(snap)
	if n <= 0 {
		return nil
	}
	if err := dense(digestOf(r.key), recent, r.counters.Window(int64(n)), r.counters.NextSeq); err != nil {
		return err
	}
	active := active(recent)
	if extra := len(active) - n; extra > 0 {
		active = active[extra:]
	}
	snap.Recent = active
	return nil
}

// dense verifies that messages are those from one number up to, not including, another: a missing
// one is damage, too.
func dense(d digest, list []memory.Message, from, until int64) error {
	for i := range list {
		if list[i].Seq != from+int64(i) {
			return corrupt("messages", d, from+int64(i))
		}
	}
	if from+int64(len(list)) != max(until, from) {
		return corrupt("messages", d, from+int64(len(list)))
	}
	return nil
}

// active leaves out the retracted messages; nil for none.
func active(list []memory.Message) []memory.Message {
	var out []memory.Message
	for _, m := range list {
		if !m.Retracted {
			if out == nil {
				out = make([]memory.Message, 0, len(list)+4) // a turn appends a few
			}
			out = append(out, m)
		}
	}
	return out
}

// queueSession reads the session's row into r; nil when there is none.
func queueSession(b *pgx.Batch, key memory.Key, r **sessionRow) {
	b.Queue(selectSession, digestOf(key)).QueryRow(func(row pgx.Row) (err error) {
		*r, err = scanSession(key, row)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
}

// checkNotLost reports messages without the row of their session: it was lost. It runs where no
// row was found.
func (s *Store) checkNotLost(ctx context.Context, d digest) error {
	var damage error
	return cmp.Or(s.readForTurn(ctx, func(b *pgx.Batch) {
		damage = nil
		queueLost(b, d, &damage)
	}), damage)
}

// queueLost asks whether there are messages without the row of their session.
func queueLost(b *pgx.Batch, d digest, damage *error) {
	b.Queue(selectLostSession, d).QueryRow(func(row pgx.Row) error {
		var one int
		err := row.Scan(&one)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			*damage = corrupt("sessions", d, 0)
		}
		return err
	})
}

// queueSteps reads the sound rows of a journal. The error names the first damaged one.
func queueSteps(b *pgx.Batch, text string, d digest, list *[]memory.Step) {
	b.Queue(text, d).Query(func(rows pgx.Rows) error {
		var damage error
		err := each(rows, func() error {
			p, err := scanStep(d, rows)
			if errors.Is(err, memory.ErrCorrupt) {
				damage = cmp.Or(damage, err)
				return nil
			}
			*list = append(*list, p)
			return err
		})
		return cmp.Or(err, damage)
	})
}

// errSkip makes a scan leave a row out.
var errSkip = errors.New("row is left out")

// queueRows reads rows into list.
func queueRows[T any](b *pgx.Batch, list *[]T, scan func(row pgx.Row) (T, error), text string, args ...any) {
	b.Queue(text, args...).Query(func(rows pgx.Rows) error {
		return each(rows, func() error {
			v, err := scan(rows)
			if errors.Is(err, errSkip) {
				return nil
			}
			*list = append(*list, v)
			return err
		})
	})
}

// readRows reads rows in a transaction of their own.
func readRows[T any](ctx context.Context, s *Store, scan func(row pgx.Row) (T, error), text string, args ...any) (list []T, err error) {
	err = s.read(ctx, func(b *pgx.Batch) {
		list = nil
		queueRows(b, &list, scan, text, args...)
	})
	return list, err
}

// messagesOf scans messages of a session. With salvage a placeholder stands for a damaged one.
func messagesOf(d digest, salvage bool) func(row pgx.Row) (memory.Message, error) {
	from := newMessageScanner(d)
	return func(row pgx.Row) (memory.Message, error) {
		m, err := from.scan(row)
		if salvage && errors.Is(err, memory.ErrCorrupt) {
			return memory.DamagedMessage(m.Seq), nil
		}
		return m, err
	}
}

// turnsOf scans turns of a session. With salvage damaged ones are left out.
func turnsOf(d digest, salvage bool) func(row pgx.Row) (memory.Turn, error) {
	return func(row pgx.Row) (memory.Turn, error) {
		t, err := scanTurn(d, row)
		if salvage && errors.Is(err, memory.ErrCorrupt) {
			return t, errSkip
		}
		return t, err
	}
}

// each calls f for every row.
func each(rows pgx.Rows, f func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := f(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// queueReplay reads the turn of a request, if one is asked for and committed.
func queueReplay(b *pgx.Batch, d digest, request string, snap *memory.Snapshot) {
	if request == "" {
		return
	}
	b.Queue(selectTurn, d, []byte(request)).QueryRow(func(row pgx.Row) error {
		t, err := scanTurn(d, row)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		t.Snapshot = nil
		snap.Replay = &t
		return err
	})
}
