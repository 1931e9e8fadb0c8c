package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// database is a pool of connections to a server.
type database struct {
	pool       *pgxpool.Pool
	opts       Options
	durability durability
	pooled     atomic.Bool // a pooler mixes up prepared statements: nothing is prepared any more
	closed     atomic.Bool
	closing    sync.Once
}

var _ sqlstore.DB = (*database)(nil)

// answerTime is how long the server may take to report that a statement took too long.
const answerTime = 2 * time.Second

// maxTries is how often a transaction that had no effect is run in all.
const maxTries = 8

const (
	beginRead = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	// The timeouts hold until the transaction ends, whichever connection of a pooler it has. Of a wait for a
	// standby that was given up a server tells in a warning.
	setTimeouts = `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
		set_config('idle_in_transaction_session_timeout', $1, true), set_config('client_min_messages', 'warning', true)`
)

func (d *database) queueTimeouts(b *pgx.Batch) {
	b.Queue(setTimeouts, millis(d.opts.StatementTimeout), millis(d.opts.LockTimeout))
}

// millis is a duration as the settings of the server take it.
func millis(d time.Duration) string { return strconv.FormatInt(max(d.Milliseconds(), 1), 10) }

// queue adds a query to a batch. One that must change a row divides by the number of those that it has
// changed: the server ends the transaction before it runs the next statement.
func queue(b *pgx.Batch, q *sqlstore.Query) {
	text := q.Text
	if q.Must != nil {
		if !strings.HasPrefix(text, "SELECT") {
			text += ` RETURNING 1`
		}
		b.Queue(`WITH x AS (`+text+`) SELECT 1 / count(*) FROM x`, q.Args...).QueryRow(func(row pgx.Row) error {
			var one int64
			return orMust(row.Scan(&one), q.Must)
		})
		return
	}
	queued := b.Queue(text, q.Args...)
	switch {
	case q.Row != nil:
		queued.Query(func(rows pgx.Rows) error {
			defer rows.Close()
			for rows.Next() {
				if err := q.Row(rows.Scan); err != nil {
					return err
				}
			}
			return rows.Err()
		})
	case q.Done != nil:
		queued.Exec(func(tag pgconn.CommandTag) error {
			q.Done(tag.RowsAffected())
			return nil
		})
	}
}

// orMust is the error of a query that must change a row: must, where it has changed none.
func orMust(err, must error) error {
	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == "22012" { // division by zero
		return must
	}
	return err
}

// Read implements sqlstore.DB. It is one round trip. When ctx ends, the connection is closed, so that no one
// else reads the rest of an answer.
func (d *database) Read(ctx context.Context, queries ...*sqlstore.Query) error {
	answered := false // some rows were handed on: a second run would hand them on again
	for _, q := range queries {
		if row := q.Row; row != nil {
			q.Row = func(scan func(into ...any) error) error {
				answered = true
				return row(scan)
			}
		}
	}
	return d.retry(ctx, func(err error) bool { return !answered && lost(err) }, func() error {
		return d.withConn(ctx, func(c *pgxpool.Conn) error {
			within, cancel := context.WithTimeout(ctx, d.opts.StatementTimeout+answerTime)
			defer cancel()
			b := &pgx.Batch{}
			b.Queue(beginRead)
			d.queueTimeouts(b)
			for _, q := range queries {
				queue(b, q)
			}
			b.Queue(`COMMIT`)
			return c.SendBatch(within, b).Close()
		})
	})
}

// Write implements sqlstore.DB. It is one round trip: what is sent in a row up to a Sync is one transaction
// (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
func (d *database) Write(ctx context.Context, statements ...*sqlstore.Query) error {
	return d.retry(ctx, nil, func() error {
		return d.withConn(ctx, func(c *pgxpool.Conn) error {
			within, cancel := d.writing(ctx)
			defer cancel()
			b := &pgx.Batch{}
			d.queueTimeouts(b)
			for _, q := range statements {
				queue(b, q)
			}
			return d.confirmed(c, c.SendBatch(within, b).Close())
		})
	})
}

// Change implements sqlstore.DB.
func (d *database) Change(ctx context.Context, f func(run sqlstore.Run) error) error {
	return d.retry(ctx, nil, func() error {
		return d.withConn(ctx, func(c *pgxpool.Conn) error {
			within, cancel := d.writing(ctx)
			defer cancel()
			tx, err := c.Begin(within)
			if err != nil {
				return unsent{err}
			}
			if err = d.changeIn(within, tx, f); err != nil {
				_ = tx.Rollback(within) // one that does not come through ends with the connection
				if lost(err) {
					return unsent{err}
				}
				return err
			}
			return d.confirmed(c, tx.Commit(within))
		})
	})
}

func (d *database) changeIn(ctx context.Context, tx pgx.Tx, f func(run sqlstore.Run) error) error {
	send := func(fill func(b *pgx.Batch)) error {
		b := &pgx.Batch{}
		fill(b)
		return tx.SendBatch(ctx, b).Close()
	}
	if err := send(d.queueTimeouts); err != nil {
		return err
	}
	return f(func(q *sqlstore.Query) error {
		return orDuplicate(send(func(b *pgx.Batch) { queue(b, q) }))
	})
}

// writing returns the context of a change that is sent. The end of the caller's context does not
// interrupt it, which would leave the outcome open and cost a connection. The timeouts of the
// server bound it.
func (d *database) writing(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), d.opts.StatementTimeout+answerTime)
}

// withConn runs f on a connection of the pool.
func (d *database) withConn(ctx context.Context, f func(c *pgxpool.Conn) error) error {
	if err := ctx.Err(); err != nil {
		return unsent{err}
	}
	if d.closed.Load() {
		return memory.ErrClosed
	}
	within, cancel := context.WithTimeout(ctx, d.opts.StatementTimeout+answerTime) // however many idle connections are dead
	c, err := d.pool.Acquire(within)
	cancel()
	if d.closed.Load() && err != nil {
		return memory.ErrClosed
	}
	if err != nil {
		return unstarted{explain(ctx, err)}
	}
	defer c.Release() // destroys a connection that is broken, or in a transaction
	err = f(c)
	if mixed(err) && d.pooled.CompareAndSwap(false, true) {
		d.pool.Reset() // connections are made anew as they come back
	}
	return orDuplicate(err)
}

// retry runs f until it has an effect or an error that stays. harmless says after which other errors it may
// run again; nil: f is a change, and one whose connection was lost has an unknown outcome.
func (d *database) retry(ctx context.Context, harmless func(error) bool, f func() error) error {
	for try := 1; ; try++ {
		err := f()
		switch {
		case err == nil || ours(err):
			return err
		case try < maxTries && ctx.Err() == nil && (again(err) || harmless != nil && harmless(err)):
			pause(ctx, try)
		case harmless == nil && lost(err):
			return errOutcomeUnknown
		default:
			return explain(ctx, err)
		}
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

// waitGivenUp is the key of a connection's custom data that records the server's warning.
const waitGivenUp = "slotway: wait for a standby given up"

// warned takes the warnings of a server. A server with a synchronous standby answers a COMMIT when the standby
// has it. When that wait is ended from outside, as by a timeout, the rows are there all the same, and the
// server says so by a warning: a failover loses them. The text is in the server's language, and the code is
// that of every plain warning.
func warned(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.Code == "01000" && n.SeverityUnlocalized != "INFO" {
		c.CustomData()[waitGivenUp] = true
	}
}

// confirmed returns how a change that was sent has ended: err, or that no standby has confirmed it.
func (d *database) confirmed(c *pgxpool.Conn, err error) error {
	about := c.Conn().PgConn().CustomData()
	given := about[waitGivenUp] != nil
	delete(about, waitGivenUp)
	if err == nil && given {
		return errOutcomeUnknown
	}
	return err
}

// touchLog commits a record of the write-ahead log and nothing else. It needs no rights. A standby receives
// the log in order: once it has this, it has all that was read before.
const touchLog = `SELECT pg_logical_emit_message(true, 'slotway', '')`

// Confirm implements sqlstore.DB.
func (d *database) Confirm(ctx context.Context) error {
	if d.durability.survives != survivesServer {
		return nil
	}
	return d.Write(ctx, &sqlstore.Query{Text: touchLog})
}

// Position implements sqlstore.DB.
func (d *database) Position(part, whole string) string {
	return "position(" + part + "::bytea in " + whole + ")"
}

// Numbers implements sqlstore.DB.
func (d *database) Numbers() bool { return false }

// Now implements sqlstore.DB. The time of the statement does not change within it, as a database of many shards demands.
func (d *database) Now() string {
	return "(extract(epoch FROM statement_timestamp()) * 1000000)::bigint"
}

// Ping implements sqlstore.DB.
func (d *database) Ping(ctx context.Context) error {
	return d.Read(ctx, &sqlstore.Query{Text: `SELECT count(*) FROM sessions WHERE session = '00000000-0000-0000-0000-000000000000'`})
}

// Close implements sqlstore.DB.
func (d *database) Close() error {
	d.closing.Do(func() {
		d.closed.Store(true)
		d.pool.Close()
	})
	return nil
}
