package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/memory"
)

// A server with a synchronous standby keeps the answer to a COMMIT back until the standby has
// it. When that wait is ended from outside (a cancel, an administrator, a stop), the rows are
// there all the same, for everybody to see, and no standby may have them: a failover loses
// them. PostgreSQL says so in a warning, or by the end of the connection. So what is found
// after such a wait proves nothing by itself. It counts once a later commit has been waited
// for to its end, because a standby gets the write-ahead log in its order.

// errLocal: the server gave the wait up; the change is on its own disk alone, as far as anybody knows.
var errLocal = errors.New("no standby has confirmed the commit")

// waitGivenUp is where a connection keeps, among its custom data, that its server warned.
const waitGivenUp = "slotway: wait for a standby given up"

// warned takes the warnings of a server. The text is in the server's language, and this is the
// code that any plain warning has: one that is about something else costs a question.
func warned(c *pgconn.PgConn, n *pgconn.Notice) {
	if n.Code == "01000" && n.SeverityUnlocalized != "INFO" {
		c.CustomData()[waitGivenUp] = true
	}
}

// confirmed is how a change that was sent has ended: err, or errLocal, also where the server
// has stopped to wait for standbys at all, against what is required.
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

// touchLog commits a record of the write-ahead log, and nothing else. It needs no rights.
const touchLog = `SELECT pg_logical_emit_message(true, 'slotway', '')`

// secure returns when all that can be read now is as safe as a commit that was answered.
func (s *Store) waitDurable(ctx context.Context) error {
	return s.withConn(ctx, func(c *pgxpool.Conn) error {
		b := &pgx.Batch{}
		s.queueTimeouts(b, nil)
		b.Queue(touchLog)
		return s.confirmed(c, s.checkPooler(c.SendBatch(ctx, b).Close()))
	})
}

// vouch is secure for what an answer rests on that this call did not commit itself: the reply
// of an earlier try, a call that was started, a session that is gone. The outcome of that try
// stays unknown until there is a standby.
func (s *Store) confirmDurable(ctx context.Context) error {
	until, cancel := context.WithTimeout(ctx, s.opts.StatementTimeout+answerTime)
	defer cancel()
	_, err := s.ask(until, func(context.Context) (bool, error) { return true, nil })
	return explain(ctx, err)
}

// rests reports whether a turn acts on what it has read, without a commit of its own.
func reliesOnRead(snap *memory.Snapshot) bool { return snap.Replay != nil || len(snap.OpenSteps) > 0 }
