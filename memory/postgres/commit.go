package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// commit is one Delta on its way into the database. It owns its delta.
type commit struct {
	d      *memory.Delta
	digest digest
	params string          // JSON
	extras []record.Extras // of each message

	// What the next try starts from.
	before  baseline
	assumed bool // it comes from the cache, not from the database
	known   journal
	tries   int // that were sent

	// What the last try wrote, by which landed recognises it.
	after   memory.Counters
	crc     int32
	turnCRC int32
}

// Commit implements memory.Store. It is one statement and one round trip as long as the session's
// counters are cached from a Load or Commit of this replica. A commit of outcomes
// of calls that this replica did not start reads their rows first, and an undo takes several round trips.
func (s *Store) Commit(ctx context.Context, d *memory.Delta) error {
	if err := d.Validate(); err != nil {
		return err
	}
	c, err := newCommit(d.Clone())
	if err != nil {
		return err
	}
	if len(d.Steps) == 0 { // else it holds the outcome of a call, which is nowhere else
		if err := s.requireStandby(); err != nil {
			return err
		}
	}
	if err := s.commit(ctx, c); err != nil {
		s.baselines.drop(c.digest)
		return err
	}
	s.baselines.put(c.digest, baseline{c.after, c.before.created}, s.monitor.state.Load().lineage(), true)
	if due(c.d.Jobs, time.Now()) {
		s.notifyJobs()
	}
	return nil
}

// newCommit encodes what does not depend on the session.
func newCommit(d *memory.Delta) (*commit, error) {
	params, extras, err := record.Encode(d)
	if err != nil {
		return nil, err
	}
	for i := range d.Steps {
		d.Steps[i].StartedAt, d.Steps[i].EndedAt = memory.Moment(d.Steps[i].StartedAt), memory.Moment(d.Steps[i].EndedAt)
	}
	return &commit{d: d, digest: digestOf(d.Key), params: params, extras: extras}, nil
}

// commit tries until the outcome is known.
func (s *Store) commit(ctx context.Context, c *commit) error {
	remembered, found := s.baselines.get(c.digest, c.d.Base)
	if found && len(c.d.Steps) > 0 { // and the session has a row
		c.known, found = s.baselines.journal(c.digest, c.d.Steps)
	}
	first := true
	return s.resolve(ctx, func(ctx context.Context) error {
		if found {
			found, first = false, false // they are asked for the next time
			c.before, c.assumed = remembered, true
			return s.attempt(ctx, c)
		}
		if err := s.locate(ctx, c, first); err != nil {
			return err
		}
		first = false
		return s.attempt(ctx, c)
	}, func(ctx context.Context) (bool, error) { return s.landed(ctx, c) })
}

const selectBaseline = `SELECT version, epoch, next_seq, floor_seq, turns, gone, created_at FROM sessions WHERE session = $1`

// scanBaseline reads selectBaseline; no row is a session that does not exist.
func scanBaseline(row pgx.Row, c *baseline) error {
	h := &c.counters
	err := row.Scan(&h.Version, &h.Epoch, &h.NextSeq, &h.Floor, &h.Turns, &h.Gone, &c.created)
	if errors.Is(err, pgx.ErrNoRows) {
		*c, err = baseline{counters: memory.NewCounters()}, nil
	}
	return err
}

// locate reads the session's counters, and the rows of the calls whose outcome the delta holds.
func (s *Store) locate(ctx context.Context, c *commit, first bool) error {
	if first && c.d.Base == 0 && len(c.d.Steps) == 0 {
		c.before, c.assumed = baseline{counters: memory.NewCounters(), created: micros(c.d.At)}, true
		return nil // whether there is a session is found by inserting it
	}
	c.assumed = false
	err := s.readForTurn(ctx, func(b *pgx.Batch) {
		b.Queue(selectBaseline, c.digest).QueryRow(func(row pgx.Row) error { return scanBaseline(row, &c.before) })
		c.known.queue(b, c.digest, c.d.Steps)
	})
	if err != nil {
		return unstarted{err}
	}
	if c.before.counters.Version == 0 {
		c.before.created = micros(c.d.At)
	}
	return nil
}

// attempt writes the delta on top of c.before. errMissed: the row has changed.
func (s *Store) attempt(ctx context.Context, c *commit) error {
	after, err := c.before.counters.After(c.d)
	if err != nil && c.assumed {
		return errMissed // what is remembered may be of a session that was deleted and begun anew
	}
	if err != nil {
		return err
	}
	if c.d.Undo != nil || after.Gone > 0 && after.Floor > c.before.counters.Floor {
		return s.transact(ctx, func(ctx context.Context, tx pgx.Tx) error { return c.commitUndo(ctx, tx, after) })
	}
	q, err := c.statement(after)
	if err != nil {
		return err
	}
	c.tries++
	return c.explain(s.writeForTurn(ctx, c.digest, c.tries == 1, func(b *pgx.Batch) { b.Queue(q.text.String(), q.args...).QueryRow(scanHit) }))
}

// scanHit reads how many sessions a statement found as it expected them.
func scanHit(row pgx.Row) error {
	var n int64
	if err := row.Scan(&n); err != nil {
		return err
	}
	if n == 0 {
		return errMissed
	}
	return nil
}

// explain names the constraints that say something about the request.
func (c *commit) explain(err error) error {
	switch {
	case violated(err, "turns_by_request"):
		return fmt.Errorf("request id is committed already: %w", memory.ErrConflict)
	case violated(err, "plan_steps_pkey"):
		return errMissed // the call was started meanwhile: its row is read again
	}
	return err
}

const selectLanded = `SELECT version, crc, (SELECT crc FROM turns WHERE session = $1 AND turn = $2) FROM sessions WHERE session = $1`

// landed asks whether a lost try of the commit took place. The rows of the session and of the turn
// carry checksums over all they hold: a matching checksum proves that the try wrote it.
func (s *Store) landed(ctx context.Context, c *commit) (yes bool, err error) {
	var number int64 = -1
	if c.d.Turn != nil {
		number = c.d.Turn.Number
	}
	err = s.read(ctx, func(b *pgx.Batch) {
		yes = false
		b.Queue(selectLanded, c.digest, number).QueryRow(func(row pgx.Row) error {
			var version int64
			var crc int32
			var turn *int32 // nil: no such turn
			err := row.Scan(&version, &crc, &turn)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			yes = err == nil && (version == c.after.Version && crc == c.crc ||
				version > c.after.Version && c.d.Turn != nil && turn != nil && *turn == c.turnCRC)
			return err
		})
	})
	return yes, err
}

// row is the session's row after the commit.
func (c *commit) row(after memory.Counters) *sessionRow {
	return &sessionRow{
		key: c.d.Key, counters: after, created: c.before.created, updated: micros(c.d.At), state: c.d.State, params: c.params,
	}
}

// statement builds the whole commit. Every part of it takes its session from s, which is empty
// unless the row was as expected. That comparison is the fence: of several commits on one version
// one finds the row, and a replica that was paused finds another version.
func (c *commit) statement(after memory.Counters) (*statement, error) {
	q, d := newStatement(), c.d
	sum := &q.sum
	r := c.row(after)
	c.after, c.crc = after, r.checksum(sum)
	q.write(`WITH s AS (`)
	if c.before.counters.Version == 0 {
		q.insertSession(r, c.crc, memory.About{})
		q.write(` ON CONFLICT (session) DO UPDATE SET `, assignExcluded, ` WHERE sessions.version = 0`)
	} else {
		q.updateSession(c.before, r, c.crc)
		q.unchanged(c.digest, &c.known, d.Steps)
	}
	q.write(` RETURNING session)`)
	if len(d.Messages) > 0 {
		q.write(`, m AS (`)
		q.messages("s", c.digest, d.Messages, c.extras)
		q.write(`)`)
	}
	if d.Turn != nil {
		past, err := record.TurnSnapshot(after, d, c.params)
		if err != nil {
			return nil, fmt.Errorf("%w: state cannot be written as JSON", memory.ErrBadDelta)
		}
		c.turnCRC = turnSum(sum, c.digest, d.Turn, past)
		q.write(`, t AS (`)
		q.turns("s", c.digest, []memory.Turn{*d.Turn}, []string{past})
		q.write(`)`)
	}
	added, updated := c.known.merge(d.Steps)
	if len(added) > 0 {
		q.write(`, a AS (`)
		q.steps("s", c.digest, added, c.known.last)
		q.write(`)`)
	}
	if len(updated) > 0 {
		q.write(`, o AS (`)
		q.outcomes("s", c.digest, updated)
		q.write(`)`)
	}
	if len(d.Jobs) > 0 {
		q.write(`, j AS (`)
		q.jobs("s", d.Jobs, after)
		q.write(`)`)
	}
	q.write(` SELECT count(*) FROM s`)
	return q, nil
}

// due reports whether one of the jobs that were asked for can be done now.
func due(jobs []memory.WantedJob, now time.Time) bool {
	for _, w := range jobs {
		if !w.RunAt.After(now) {
			return true
		}
	}
	return false
}
