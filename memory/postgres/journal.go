package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/record"
)

// journal holds the stored rows of the calls whose outcome a delta has.
type journal struct {
	rows map[string]memory.Step
	last int64 // place of the newest row of the session

	remembered bool // not read: the commit verifies that the rows are still so
}

const (
	selectKnown = `SELECT ` + stepColumns + ` FROM plan_steps WHERE session = $1 AND idempotency_key = ANY($2)`
	selectPlace = `SELECT coalesce(max(place), 0) FROM plan_steps WHERE session = $1`
)

// queue reads the rows of outcomes. Nobody changes them but a commit of the session.
func (j *journal) queue(b *pgx.Batch, d digest, outcomes []memory.Step) {
	*j = journal{rows: map[string]memory.Step{}}
	if len(outcomes) == 0 {
		return
	}
	keys := valuesOf(outcomes, func(_ int, p *memory.Step) []byte { return bytesOf(p.IdempotencyKey) })
	b.Queue(selectKnown, d, keys).Query(func(rows pgx.Rows) error {
		return each(rows, func() error {
			p, err := scanStep(d, rows)
			j.rows[p.IdempotencyKey] = p
			return err
		})
	})
	b.Queue(selectPlace, d).QueryRow(func(row pgx.Row) error { return row.Scan(&j.last) })
}

// merge returns the rows with their outcomes: those to add, and those to update.
func (j *journal) merge(outcomes []memory.Step) (added, updated []memory.Step) {
	known := map[string]bool{}
	for _, p := range outcomes {
		if known[p.IdempotencyKey] {
			continue
		}
		known[p.IdempotencyKey] = true
		stored, is := j.rows[p.IdempotencyKey]
		row := p
		if is {
			row = stored
		}
		for _, q := range outcomes {
			if q.IdempotencyKey == p.IdempotencyKey {
				row = row.WithOutcome(q)
			}
		}
		if is {
			updated = append(updated, row)
		} else {
			added = append(added, row)
		}
	}
	return added, updated
}

const startStep = `, p AS (INSERT INTO plan_steps (session, ` + stepColumns + `)
	SELECT s.session, $1::bytea, $2::bigint, $3::bytea, $4::bytea, $5::bytea, $6::bytea, $7::text, $8::bigint, $9::bytea, $10::bytea,
		$11::bigint, $12::bigint, $13::integer, (SELECT coalesce(max(place), 0) + 1 FROM plan_steps WHERE session = $14::uuid), $15::bytea FROM s
	ON CONFLICT DO NOTHING RETURNING 1)
	SELECT (SELECT count(*) FROM s), (SELECT count(*) FROM p)`

const (
	// FOR SHARE: a commit under way ends first, and the next one waits. Its row is then read
	// again, with the new version.
	startOn = `WITH s AS (SELECT session FROM sessions WHERE session = $14 AND version = $16 FOR SHARE)` + startStep

	// For a session without a commit its row is made, at version 0; no listing shows that.
	startFirst = `WITH s AS (INSERT INTO sessions (session, ` + sessionColumns + `, ` + aboutColumns + `)
		VALUES ($14, $16, $17, $18, 0, 0, 1, 1, 0, 0, 0, $11, '', '', '', '', '', 0, '', '{}', $19, $20)
		ON CONFLICT (session) DO UPDATE SET updated_at = greatest(sessions.updated_at, excluded.updated_at) WHERE sessions.version = 0
		RETURNING session)` + startStep
)

// Start implements memory.Store. It is one statement.
func (s *Store) Start(ctx context.Context, key memory.Key, base int64, step memory.Step) error {
	if err := key.Validate(); err != nil {
		return err
	}
	p := step.Clone()
	p.Status = memory.StepStarted
	p.StartedAt, p.EndedAt = memory.Moment(p.StartedAt), memory.Moment(p.EndedAt)
	if err := p.Validate(); err != nil {
		return err
	}
	if err := s.requireStandby(); err != nil {
		return err
	}
	d := digestOf(key)
	args := []any{
		bytesOf(p.IdempotencyKey), p.Turn, bytesOf(p.Plan), bytesOf(p.Step), bytesOf(p.Tool), bytesOf(p.Args), string(p.Status),
		int64(p.Attempts), bytesOf(p.Result), bytesOf(p.ErrorCode), micros(p.StartedAt), micros(p.EndedAt),
		stepSum(&record.Sum{}, d, &p), d, bytesOf(p.Origin),
	}
	text := startOn
	if base == 0 {
		text = startFirst
		args = append(args, key.UserID, key.AgentID, key.SessionID, wordsOf(key, memory.About{}), aboutSum(key, memory.About{}))
	} else {
		args = append(args, base)
	}
	tries := 0
	err := s.resolve(ctx, func(ctx context.Context) error {
		tries++
		return s.writeForTurn(ctx, d, tries == 1, func(b *pgx.Batch) { b.Queue(text, args...).QueryRow(scanStarted) })
	}, func(ctx context.Context) (bool, error) { return s.started(ctx, d, &p) })
	if err == nil {
		s.baselines.start(d, &p)
	}
	return err
}

func scanStarted(row pgx.Row) error {
	var session, added int64
	switch err := row.Scan(&session, &added); {
	case err != nil:
		return err
	case session == 0:
		return memory.ErrConflict
	case added == 0:
		return memory.ErrStarted
	}
	return nil
}

// started asks whether a try of Start that was lost took place: the row is as it wrote it.
func (s *Store) started(ctx context.Context, d digest, p *memory.Step) (yes bool, err error) {
	err = s.read(ctx, func(b *pgx.Batch) {
		yes = false
		b.Queue(selectKnown, d, [][]byte{bytesOf(p.IdempotencyKey)}).QueryRow(func(row pgx.Row) error {
			stored, err := scanStep(d, row)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			sum := &record.Sum{}
			yes = err == nil && stepSum(sum, d, &stored) == stepSum(sum, d, p)
			return err
		})
	})
	return yes, err
}
