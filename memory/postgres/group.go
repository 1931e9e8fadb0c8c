package postgres

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/slotway/slotway/memory"
)

// Turns of many sessions come at once. Each round trip wakes a process of the server and one here,
// which costs more than most statements. So a few connections carry what turns read and write: what
// comes while they are in use is sent together next, in one round trip and one transaction. A call
// that finds a connection free is sent at once, alone.
const (
	groupLanes = 3  // connections in use at a time, for reads and for changes each
	mostGroup  = 32 // calls that share a transaction

	// overtakeAfter is how long a call waits for others. A lock, a slow statement or a silent server holds up
	// those who share its connection, and nobody else.
	overtakeAfter = 250 * time.Millisecond
)

// groupCall is the part that one call has in a transaction.
type groupCall struct {
	queue func(b *pgx.Batch) // may be called again
	at    *serverState       // gets the state of the server; nil: no one needs it
	order digest             // of the session
	err   error              // what the answers to its own statements say

	group atomic.Pointer[group] // that it is sent in; nil: it still waits
	done  chan struct{}
}

// group is a transaction with the parts of several calls.
type group struct {
	cancel  context.CancelFunc
	callers atomic.Int64 // who wait for it, and the lane while it collects
}

// abandoned is the group of calls that were given up before they were sent.
var abandoned = &group{}

// leave ends a transaction that nobody waits for any more.
func (g *group) leave() {
	if g.callers.Add(-1) == 0 {
		g.cancel()
	}
}

// lanes send calls in groups.
type lanes struct {
	calls chan *groupCall
	done  <-chan struct{} // the store is closed
	reads bool            // a caller may leave before there is an answer
	most  time.Duration   // for one transaction, a connection for it included
	send  func(ctx context.Context, calls []*groupCall) error
}

func (s *Store) newLanes(reads bool, send func(ctx context.Context, calls []*groupCall) error) *lanes {
	l := &lanes{calls: make(chan *groupCall, groupLanes*mostGroup), done: s.done.Done(), reads: reads, most: s.opts.StatementTimeout + answerTime, send: send}
	for range min(groupLanes, max(s.opts.MaxConns/2, 1)) {
		s.running.Go(l.run)
	}
	return l
}

// call waits until a call was sent and answered. Until it is sent, the end of ctx withdraws it, and one that
// has waited for too long is sent on a connection of its own.
func (l *lanes) call(ctx context.Context, c *groupCall) error {
	if err := ctx.Err(); err != nil {
		return unstarted{err}
	}
	c.done = make(chan struct{})
	gone, closed := ctx.Done(), l.done
	late := time.NewTimer(overtakeAfter)
	defer late.Stop()
	select {
	case l.calls <- c:
	case <-late.C:
		return l.alone(ctx, c)
	case <-gone:
		return unstarted{ctx.Err()}
	case <-closed:
		return memory.ErrClosed
	}
	for {
		select {
		case <-c.done:
			return c.err
		case <-gone:
			if c.group.CompareAndSwap(nil, abandoned) {
				return unstarted{ctx.Err()}
			}
			if l.reads {
				c.group.Load().leave()
				return ctx.Err()
			}
			gone = nil
		case <-late.C:
			if c.group.CompareAndSwap(nil, abandoned) {
				return l.alone(ctx, c)
			}
		case <-closed:
			if c.group.CompareAndSwap(nil, abandoned) {
				return memory.ErrClosed
			}
			closed = nil
		}
	}
}

// alone sends a call as if there were no others.
func (l *lanes) alone(ctx context.Context, c *groupCall) error {
	return cmp.Or(l.send(ctx, []*groupCall{c}), c.err)
}

// run is one lane. It takes what waits whenever it is free.
func (l *lanes) run() {
	for {
		select {
		case <-l.done:
			return
		case c := <-l.calls:
			l.serve(c)
		}
	}
}

// serve sends a call, and those that wait behind it.
func (l *lanes) serve(first *groupCall) {
	ctx, cancel := context.WithTimeout(context.Background(), l.most)
	defer cancel()
	g := &group{cancel: cancel}
	g.callers.Store(1)
	var calls []*groupCall
	for c, more := first, true; more; {
		g.callers.Add(1)
		if c.group.CompareAndSwap(nil, g) {
			calls = append(calls, c)
		} else {
			g.callers.Add(-1)
		}
		if more = len(calls) < mostGroup; more {
			select {
			case c = <-l.calls:
			default:
				more = false
			}
		}
	}
	g.leave()
	if len(calls) == 0 {
		return
	}
	// All processes lock the rows of their groups in one order, or two could wait for each other.
	slices.SortFunc(calls, func(a, b *groupCall) int { return bytes.Compare(a.order[:], b.order[:]) })
	err := l.send(ctx, calls)
	if len(calls) > 1 && ctx.Err() == nil && l.undone(err) { // else the time is up, or nobody waits
		l.apart(calls)
		return
	}
	for _, c := range calls {
		c.finish(err)
	}
}

// undone reports an error of one call that kept the others from having an effect, so that they may be
// sent again.
func (l *lanes) undone(err error) bool {
	if err == nil || errors.As(err, new(unstarted)) || errors.Is(err, memory.ErrClosed) {
		return false
	}
	return l.reads || !lost(err)
}

// apart sends calls that failed together each by itself, so that an error is told to whom it concerns.
func (l *lanes) apart(calls []*groupCall) {
	var all sync.WaitGroup
	for _, c := range calls {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), l.most)
			defer cancel()
			c.err = nil
			c.finish(l.send(ctx, []*groupCall{c}))
		})
	}
	all.Wait()
}

// finish tells the caller how a transaction has ended. The error of the transaction comes first:
// nothing that was read in it counts then.
func (c *groupCall) finish(err error) {
	c.err = cmp.Or(err, c.err)
	close(c.done)
}

// queueAll queues the statements of calls. What the answers to one mean to it, as a row that it does not
// find, stays with it; what ends the transaction is everybody's.
func queueAll(b *pgx.Batch, calls []*groupCall) {
	for _, c := range calls {
		first := len(b.QueuedQueries)
		c.queue(b)
		for _, q := range b.QueuedQueries[first:] {
			read := q.Fn
			if read == nil {
				continue
			}
			q.Fn = func(br pgx.BatchResults) error {
				err := read(br)
				if err != nil && ours(err) {
					c.err = cmp.Or(c.err, err)
					return nil
				}
				return err
			}
		}
	}
}

// readAll sends queries of several calls in one round trip; they see one moment.
func (s *Store) readAll(ctx context.Context, calls []*groupCall) error {
	return s.withConn(ctx, func(c *pgxpool.Conn) error {
		var at serverState
		b := &pgx.Batch{}
		b.Queue(beginRead)
		s.queueTimeouts(b, &at)
		queueAll(b, calls)
		b.Queue(`COMMIT`)
		err := s.checkPooler(c.SendBatch(ctx, b).Close())
		for _, c := range calls {
			if c.at != nil {
				*c.at = at
			}
		}
		return err
	})
}

// writeAll sends changes of several calls in one round trip, as one transaction: what is sent in a row up
// to a Sync is one (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
// The error is the driver's.
func (s *Store) writeAll(ctx context.Context, calls []*groupCall) error {
	return s.withConn(ctx, func(c *pgxpool.Conn) error {
		b := &pgx.Batch{}
		s.queueTimeouts(b, nil)
		queueAll(b, calls)
		ctx, cancel := s.writing(ctx)
		defer cancel()
		err := s.confirmed(c, s.checkPooler(c.SendBatch(ctx, b).Close()))
		if !errors.Is(err, errLocal) {
			return err
		}
		for _, c := range calls {
			c.err = cmp.Or(c.err, err) // what had no effect needs no standby
		}
		return nil
	})
}
