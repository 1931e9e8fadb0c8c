package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/memory"
)

// A server with a synchronous standby answers a COMMIT when the standby has it. When that wait is
// ended from outside (a cancel, an administrator, a shutdown), the rows are visible all the same,
// although no standby may have them: a failover loses them. PostgreSQL tells so by a warning, or by
// ending the connection. So rows that are found after such a wait prove nothing by themselves. They
// count once a later commit was waited for to its end, because a standby receives the write-ahead
// log in order.

// errLocal: the server gave up waiting; as far as is known, the change is on its own disk alone.
var errLocal = errors.New("no standby has confirmed the commit")

// waitGivenUp is the key of a connection's custom data that records the server's warning.
const waitGivenUp = "slotway: wait for a standby given up"

// warned takes the warnings of a server. The text is in the server's language, and the code is
// that of every plain warning: one about something else costs one query.
func warned(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.Code == "01000" && n.SeverityUnlocalized != "INFO" {
		c.CustomData()[waitGivenUp] = true
	}
}

// confirmed returns how a change that was sent has ended: err, or errLocal. It is errLocal, too,
// where the server no longer waits for standbys although that is required.
func (s *Store) confirmed(c *pgxpool.Conn, err error) error {
	about := c.Conn().PgConn().CustomData()
	given := about[waitGivenUp] != nil
	delete(about, waitGivenUp)
	if given {
		s.monitor.unconfirmed.Add(1)
		s.standby.check()
	}
	if err == nil && (given || s.requireDurability() != nil) {
		return errLocal
	}
	return err
}

// touchLog commits a record of the write-ahead log and nothing else. It needs no rights.
const touchLog = `SELECT pg_logical_emit_message(true, 'slotway', '')`

// waitDurable returns when all that can be read now is as durable as an answered commit.
func (s *Store) waitDurable(ctx context.Context) error {
	return s.withConn(ctx, func(c *pgxpool.Conn) error {
		b := &pgx.Batch{}
		s.queueTimeouts(b, nil)
		b.Queue(touchLog)
		return s.confirmed(c, s.checkPooler(c.SendBatch(ctx, b).Close()))
	})
}

// confirmDurable is waitDurable for answers that rest on something this call did not commit
// itself: the reply of an earlier try, a call that was started, a session that is gone. Until
// there is a standby, the outcome of that try stays unknown.
func (s *Store) confirmDurable(ctx context.Context) error {
	until, cancel := context.WithTimeout(ctx, s.opts.StatementTimeout+answerTime)
	defer cancel()
	_, err := s.ask(until, func(context.Context) (bool, error) { return true, nil })
	return explain(ctx, err)
}

// reliesOnRead reports whether a turn acts on what it has read without a commit of its own.
func reliesOnRead(snap *memory.Snapshot) bool { return snap.Replay != nil || len(snap.OpenSteps) > 0 }
