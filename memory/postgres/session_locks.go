package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/slotway/slotway/memory"
)

// SessionLocksOptions are options of SessionLocks; the zero value is right.
type SessionLocksOptions struct {
	// Lease is how long the locks of a paused or disconnected replica stay taken; default 5 s, at
	// least 1 s. Those of a dead one are free as soon as the server sees its connection end.
	Lease time.Duration
}

// SessionLocks run the turns of one session one after another, across processes. A running turn
// holds a session-level advisory lock
// (https://www.postgresql.org/docs/current/explicit-locking.html#ADVISORY-LOCKS) on the one
// connection that each process has for all of its locks. The server releases the locks when that
// connection ends: with the process, or when nothing came over it for the length of the lease
// (idle_session_timeout). A process that goes on after that is fenced by the session version
// alone: a commit on top of a newer version is a conflict.
//
// The connection must lead to the server itself: Check refuses one through a pooler.
type SessionLocks struct {
	config *pgx.ConnConfig
	lease  time.Duration
	probe  *serverProbe // of the connection's server
	pooler atomic.Bool  // the newest connection led to one

	asked chan lockCall
	wake  chan struct{} // something was released
	done  chan struct{} // closed by Close
	ended chan struct{} // closed when the owner of the connection has ended

	closing sync.Once

	mu       sync.Mutex
	released []lockCall // that the server is not told of yet
}

// lockCall asks the goroutine that owns the connection for a lock, or tells it of one that is free.
type lockCall struct {
	lock       int64
	acquire    bool              // else release
	generation uint64            // of the connection that holds the lock, for release
	answer     chan<- lockAnswer // nil for release
}

type lockAnswer struct {
	acquired   bool
	generation uint64
	err        error
}

// releaseWithin is how long a released lock waits for another call to share its round trip. Another
// replica that wants it tries again no sooner (pauseForLock).
const releaseWithin = time.Millisecond

// maxLockBatch is how many locks the server is asked for in one statement.
const maxLockBatch = 256

// NewSessionLocks returns session locks in a database; dsn is as in Open. The connection is made
// on first use, and again when it is lost.
func NewSessionLocks(dsn string, options *SessionLocksOptions) (*SessionLocks, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("open session locks: %w", explain(context.Background(), err))
	}
	l := &SessionLocks{
		config: config, lease: 5 * time.Second,
		asked: make(chan lockCall), wake: make(chan struct{}, 1), done: make(chan struct{}), ended: make(chan struct{}),
	}
	if options != nil && options.Lease > 0 {
		l.lease = max(options.Lease, time.Second)
	}
	config.RuntimeParams["application_name"] = "slotway session locks"
	config.RuntimeParams["idle_session_timeout"] = strconv.FormatInt(l.lease.Milliseconds(), 10)
	config.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	if config.ConnectTimeout <= 0 {
		config.ConnectTimeout = l.lease
	}
	guardDials(config)
	l.probe = newServerProbe(&config.Config)
	go l.run()
	return l, nil
}

// Enter waits until no process runs a turn of the session, and returns how to leave again, which does
// not wait for the server: the turn is over, and its caller waits. The error is the context's, or
// memory.ErrUnavailable: at once while the server is known to be unreachable, also for callers that were
// waiting when that was found out.
func (l *SessionLocks) Enter(ctx context.Context, key memory.Key) (leave func(), err error) {
	call := lockCall{lock: lockNumber(key), acquire: true}
	for try := 0; ; try++ {
		a := l.ask(ctx, call)
		if a.err != nil {
			return nil, a.err
		}
		if a.acquired {
			return func() { l.release(lockCall{lock: call.lock, generation: a.generation}) }, nil
		}
		if err := pauseForLock(ctx, try); err != nil {
			return nil, err
		}
	}
}

// release has the server told of a lock, together with what is asked next. One that cannot be released is
// free once its connection has ended.
func (l *SessionLocks) release(call lockCall) {
	l.mu.Lock()
	l.released = append(l.released, call)
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default: // it was woken already
	}
}

// takeReleased returns the locks to release.
func (l *SessionLocks) takeReleased() (calls []lockCall) {
	l.mu.Lock()
	defer l.mu.Unlock()
	calls, l.released = l.released, nil
	return calls
}

// Ready reports memory.ErrUnavailable while the server is known to be unreachable, or to be behind
// a pooler. It sends no query: once there is a connection, it is used all the time.
func (l *SessionLocks) Ready() error {
	if l.pooler.Load() {
		return errPooler
	}
	if l.probe.unreachable.Load() {
		return errUnreachable
	}
	return nil
}

// pauseForLock waits longer from try to try, 1 to 32 ms with jitter.
func pauseForLock(ctx context.Context, try int) error {
	d := time.Millisecond << min(try, 5)
	timer := time.NewTimer(d/2 + rand.N(d/2+1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lockNumber is the number of a session's advisory lock. Two sessions of the same number wait for
// each other, and nothing worse.
func lockNumber(key memory.Key) int64 {
	h := sha256.New()
	for _, part := range []string{key.UserID, key.AgentID, key.SessionID} {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(part))))
		h.Write([]byte(part))
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}

// ask has the owner of the connection execute a call, and waits for the answer whatever becomes of
// ctx: no lock is taken unnoticed.
func (l *SessionLocks) ask(ctx context.Context, call lockCall) lockAnswer {
	answer := make(chan lockAnswer, 1)
	call.answer = answer
	select {
	case l.asked <- call:
		return <-answer
	case <-ctx.Done():
		return lockAnswer{err: ctx.Err()}
	case <-l.done:
		return lockAnswer{err: memory.ErrClosed}
	}
}

// Close releases all locks. Turns that run on are fenced by the session version alone.
func (l *SessionLocks) Close() error {
	l.closing.Do(func() { close(l.done) })
	<-l.ended
	l.probe.close()
	return nil
}

// run owns the connection. Calls that come in while the server answers are sent together, next.
func (l *SessionLocks) run() {
	defer close(l.ended)
	link := &lockConn{config: l.config, probe: l.probe, within: l.lease, pooler: &l.pooler}
	defer link.close()
	beat := time.NewTicker(l.lease / 4)
	defer beat.Stop()
	var due <-chan time.Time // when what was released is no longer kept back
	for {
		var calls []lockCall
		select {
		case <-l.done:
			return
		case <-beat.C:
			link.ping()
			continue
		case <-l.wake:
			if due == nil {
				due = time.After(releaseWithin)
			}
			continue
		case <-due:
		case call := <-l.asked:
			calls = append(calls, call)
		}
		for more := true; more && len(calls) < maxLockBatch; {
			select {
			case call := <-l.asked:
				calls = append(calls, call)
			default:
				more = false
			}
		}
		// A session that is asked for again was released before that.
		if calls, due = append(l.takeReleased(), calls...), nil; len(calls) == 0 {
			continue
		}
		if err := link.execute(calls); err != nil {
			l.refuse(err)
		}
	}
}

// refuse answers the calls that came in while the server was found to be unreachable: otherwise
// each of them would find that out again, one after the other.
func (l *SessionLocks) refuse(err error) {
	for {
		select {
		case call := <-l.asked:
			call.answer <- lockAnswer{err: err}
		default:
			return
		}
	}
}

// lockConn is the connection of the locks. It is made again when it is lost; each time begins a
// generation.
type lockConn struct {
	config     *pgx.ConnConfig
	probe      *serverProbe
	within     time.Duration // for one round trip
	pooler     *atomic.Bool
	conn       *pgx.Conn // nil: none
	generation uint64    // counts the connections made so far
}

// execute sends calls in one round trip and answers them. The error is that of all of them.
func (k *lockConn) execute(calls []lockCall) error {
	ctx, cancel := context.WithTimeout(context.Background(), k.within)
	defer cancel()
	answers := make([]lockAnswer, len(calls))
	err := k.probe.call(context.Background(), func() error {
		used := k.conn != nil
		err := k.send(ctx, calls, answers)
		if err != nil && used { // the connection was lost since, and what it held with it
			err = k.send(ctx, calls, answers)
		}
		return err
	})
	if err != nil {
		err = fmt.Errorf("lock the session: %w", explain(context.Background(), err))
	}
	for i := range calls {
		if !calls[i].acquire {
			continue
		}
		if err != nil {
			answers[i] = lockAnswer{err: err}
		}
		calls[i].answer <- answers[i]
	}
	return err
}

// send drops a connection on which it fails.
func (k *lockConn) send(ctx context.Context, calls []lockCall, answers []lockAnswer) (err error) {
	if err := k.open(ctx); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			k.drop()
		}
	}()
	var places []int
	var locks []int64
	var acquire []bool
	for i := range calls {
		answers[i].generation = k.generation
		if calls[i].acquire || calls[i].generation == k.generation { // else it ended with its connection
			places, locks, acquire = append(places, i), append(locks, calls[i].lock), append(acquire, calls[i].acquire)
		}
	}
	if len(places) == 0 {
		return nil
	}
	rows, err := k.conn.Query(ctx, lockAll, locks, acquire)
	if err != nil {
		return err
	}
	defer rows.Close()
	for n := 0; rows.Next() && n < len(places); n++ {
		if err := rows.Scan(&answers[places[n]].acquired); err != nil {
			return err
		}
	}
	return rows.Err()
}

// lockAll takes and releases locks, one after the other.
const lockAll = `SELECT CASE WHEN acquire THEN pg_try_advisory_lock(lock) ELSE pg_advisory_unlock(lock) END
	FROM unnest($1::bigint[], $2::boolean[]) AS x(lock, acquire)`

// ping keeps the server from ending an idle connection.
func (k *lockConn) ping() {
	if k.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), k.within)
	defer cancel()
	if k.probe.call(context.Background(), func() error { return k.conn.Ping(ctx) }) != nil {
		k.drop() // the next call makes a new one
	}
}

func (k *lockConn) open(ctx context.Context) (err error) {
	if k.conn != nil {
		return nil
	}
	k.conn, err = dialLocks(ctx, k.config, k.within)
	k.pooler.Store(errors.Is(err, ErrPooler))
	if err != nil {
		k.conn = nil
		return err
	}
	k.generation++
	return nil
}

func (k *lockConn) drop() {
	if k.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = k.conn.Close(ctx) // its locks are what matters, and they end with it
	k.conn = nil
}

func (k *lockConn) close() { k.drop() }
