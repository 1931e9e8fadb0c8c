package postgres

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/memory"
)

// answerTime is how long the server may take to report that a statement took too long.
const answerTime = 2 * time.Second

// maxTries is how often a transaction that had no effect is run in all.
const maxTries = 8

const (
	beginRead = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	// The timeouts hold until the transaction ends, whichever connection of a pooler it has.
	// Of a wait for a standby that was given up a server tells in a warning.
	setTimeouts = `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
		set_config('client_min_messages', 'warning', true)`
	setAndReadState = setTimeouts + `, ` + serverStateColumns
	setIdle         = `SELECT set_config('idle_in_transaction_session_timeout', $1, true)`
)

// millis is a duration as the settings of the server take it.
func millis(d time.Duration) string { return strconv.FormatInt(max(d.Milliseconds(), 1), 10) }

// queueTimeouts begins a transaction. at gets the state of the server in it; nil: no one needs it.
func (s *Store) queueTimeouts(b *pgx.Batch, at *serverState) {
	statement, lock := millis(s.opts.StatementTimeout), millis(s.opts.LockTimeout)
	if s.monitor.disabled {
		b.Queue(setTimeouts, statement, lock)
		return
	}
	b.Queue(setAndReadState, statement, lock).QueryRow(func(row pgx.Row) error {
		var st serverState
		if err := st.scan(row, nil, nil, nil); err != nil {
			return err
		}
		s.monitor.observe(st)
		if at != nil {
			*at = st
		}
		return nil
	})
}

// withConn runs f on a connection of the pool, unless the server is unreachable.
func (s *Store) withConn(ctx context.Context, f func(c *pgxpool.Conn) error) error {
	return s.probe.call(ctx, func() error {
		c, err := s.acquire(ctx)
		if err != nil {
			return err
		}
		defer c.Release() // destroys a connection that is broken, or in a transaction
		return f(c)
	})
}

// acquire takes a connection of the pool.
func (s *Store) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, unstarted{err}
	}
	if s.closed.Load() {
		return nil, memory.ErrClosed
	}
	c, err := s.pool.Acquire(ctx)
	if err != nil {
		if s.closed.Load() {
			return nil, memory.ErrClosed
		}
		s.probe.observe(ctx, err)
		return nil, unstarted{explain(ctx, err)}
	}
	return c, nil
}

// read sends queries in one round trip; they see one moment. queue may be called again, so its
// callbacks keep nothing from an earlier run. When ctx ends, the connection is closed, so that no
// one else reads the rest of an answer.
func (s *Store) read(ctx context.Context, queue func(b *pgx.Batch)) error {
	return s.retry(ctx, func() error {
		c := &groupCall{queue: queue}
		return cmp.Or(s.readAll(ctx, []*groupCall{c}), c.err)
	}, true)
}

// readForTurn is read for what a turn waits for. It is sent together with what other turns read. A
// server that does not answer at all delays it no longer than a commit, while other reads may take as
// long as their context allows.
func (s *Store) readForTurn(ctx context.Context, queue func(b *pgx.Batch)) error {
	return s.readForTurnAt(ctx, nil, queue)
}

func (s *Store) readForTurnAt(ctx context.Context, at *serverState, queue func(b *pgx.Batch)) error {
	within, cancel := context.WithTimeout(ctx, s.opts.StatementTimeout+answerTime)
	defer cancel()
	first := true
	err := s.retry(within, func() error {
		c := &groupCall{queue: queue, at: at}
		if first {
			first = false
			return s.reads.call(within, c)
		}
		return cmp.Or(s.readAll(within, []*groupCall{c}), c.err) // alone: it may be what failed the others
	}, true)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = explain(ctx, context.DeadlineExceeded) // it was not the caller who gave up
	}
	return err
}

// retry runs f until it has an effect or an error that stays. Reads are also run again
// after a connection was lost.
func (s *Store) retry(ctx context.Context, f func() error, reads bool) error {
	for try := 1; ; try++ {
		err := f()
		if err == nil || try == maxTries || ctx.Err() != nil || !again(err) && !(reads && lost(err)) {
			return explain(ctx, err)
		}
		pause(ctx, try)
	}
}

// pause waits longer from try to try, 1 to 128 ms with jitter.
func pause(ctx context.Context, try int) {
	d := time.Millisecond << min(try, 7)
	timer := time.NewTimer(d/2 + rand.N(d/2+1))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// writing returns the context of a change that is sent. The end of the caller's context does not
// interrupt it, which would leave the outcome open and cost a connection. The timeouts of the
// server bound it.
func (s *Store) writing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), s.opts.StatementTimeout+answerTime)
}

// write sends statements in one round trip, as one transaction. The error is the driver's.
func (s *Store) write(ctx context.Context, queue func(b *pgx.Batch)) error {
	c := &groupCall{queue: queue}
	return cmp.Or(s.writeAll(ctx, []*groupCall{c}), c.err)
}

// writeForTurn is write for what a turn changes in its session. A first try is sent together with what
// other turns change.
func (s *Store) writeForTurn(ctx context.Context, d digest, first bool, queue func(b *pgx.Batch)) error {
	if !first {
		return s.write(ctx, queue)
	}
	return s.writes.call(ctx, &groupCall{queue: queue, order: d})
}

// checkPooler stops using prepared statements once a pooler has mixed them up: a statement was
// missing, or was there already. Neither had an effect, and both are tried again.
func (s *Store) checkPooler(err error) error {
	if mixed(err) && s.pooled.CompareAndSwap(false, true) {
		s.dialGuard.direct.Store(false)
		s.pool.Reset() // connections are made anew as they come back
	}
	return err
}

// change is write for what may be done twice: it is sent again when it had no effect, or when its
// outcome is unknown.
func (s *Store) change(ctx context.Context, queue func(b *pgx.Batch)) error {
	if err := s.requireStandby(); err != nil {
		return err
	}
	return s.retry(ctx, func() error { return s.write(ctx, queue) }, true)
}

// transact runs f in a transaction of several round trips. The error is the driver's.
func (s *Store) transact(ctx context.Context, f func(ctx context.Context, tx pgx.Tx) error) error {
	if err := s.requireStandby(); err != nil {
		return unstarted{err}
	}
	return s.withConn(ctx, func(c *pgxpool.Conn) error { return s.transactOn(ctx, c, f) })
}

func (s *Store) transactOn(ctx context.Context, c *pgxpool.Conn, f func(ctx context.Context, tx pgx.Tx) error) error {
	ctx, cancel := s.writing(ctx)
	defer cancel()
	b := &pgx.Batch{}
	b.BeginTx(pgx.TxOptions{})
	s.queueTimeouts(b, nil)
	b.Queue(setIdle, millis(s.opts.StatementTimeout))
	results := c.SendBatch(ctx, b)
	if err := s.checkPooler(results.Close()); err != nil {
		return unsent{err}
	}
	tx := results.Tx()
	if err := f(ctx, tx); err != nil {
		// A rollback that does not come through ends with the connection, which is destroyed.
		_ = tx.Rollback(ctx)
		if lost(s.checkPooler(err)) {
			return unsent{err}
		}
		return err
	}
	return s.confirmed(c, s.checkPooler(tx.Commit(ctx)))
}
