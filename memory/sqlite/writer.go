package sqlite

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

// maxGroup bounds how many changes one transaction takes.
const maxGroup = 256

// change writes to the database inside a transaction of the writer. It may run again after a
// rollback, so it keeps nothing from an earlier run. It never runs once do has returned: what it
// sets is its caller's then.
type change func(run sqlstore.Run) error

// pending is a change whose caller waits.
type pending struct {
	change change
	state  atomic.Int32  // queued, then begun or left
	err    error         // set before done receives
	done   chan struct{} // receives when the outcome is durable
}

// What became of a change that was queued: the writer began it, or its caller left.
const (
	queued int32 = iota
	begun
	left
)

// begin reports whether the change is to run, now or once more. Its caller stays from then on.
func (p *pending) begin() bool {
	return p.state.CompareAndSwap(queued, begun) || p.state.Load() == begun
}

// waiting are those that nobody uses: a commit makes none.
var waiting = sync.Pool{New: func() any { return &pending{done: make(chan struct{}, 1)} }}

// writer owns the only connection that changes the file.
type writer struct {
	conn   *conn
	claim  *claim // nil: this process runs no turns
	dirty  bool   // the change being applied has written something
	erased bool   // a change of the group has deleted what must not stay readable

	lasted  atomic.Int64 // when a commit succeeded last, in microseconds since 1970; 0: the last one failed
	queue   chan *pending
	stopped sync.WaitGroup

	mu     sync.RWMutex // guards closed and sends on queue
	closed bool
}

func startWriter(c *conn, own *claim) *writer {
	w := &writer{conn: c, claim: own, queue: make(chan *pending, 4*maxGroup)}
	w.stopped.Go(w.run)
	return w
}

// do queues a change and waits until it is durable. If ctx ends before the change has begun, it does
// not take place. One that has begun is waited for: it takes a sync of the disk.
func (w *writer) do(ctx context.Context, c change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p := waiting.Get().(*pending)
	p.change, p.err = c, nil
	p.state.Store(queued)
	if err := w.send(ctx, p); err != nil {
		return err
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		if p.state.CompareAndSwap(queued, left) {
			return ctx.Err()
		}
		<-p.done
	}
	err := p.err
	p.change = nil
	waiting.Put(p)
	return err
}

func (w *writer) send(ctx context.Context, p *pending) error {
	w.mu.RLock() // held while the queue is full: the writer drains it without this lock
	defer w.mu.RUnlock()
	if w.closed {
		return memory.ErrClosed
	}
	select {
	case w.queue <- p:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// close lets queued changes finish.
func (w *writer) close() error {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return nil
	}
	w.closed = true
	close(w.queue)
	w.mu.Unlock()
	w.stopped.Wait()
	return errors.Join(w.conn.close(), w.claim.release())
}

func (w *writer) run() {
	group := make([]*pending, 0, maxGroup)
	for p := range w.queue {
		group = w.gather(append(group[:0], p))
		w.erased = false
		w.commit(group)
		if w.erased { // a reader that keeps the log from being truncated leaves that to the next deletion
			_ = w.conn.exec("PRAGMA wal_checkpoint(TRUNCATE)")
		}
		for _, p := range group {
			p.done <- struct{}{}
		}
	}
}

// gather adds the changes that have queued up. Yielding once lets callers that the last commit
// released, and that have their next change ready, join this group.
func (w *writer) gather(group []*pending) []*pending {
	runtime.Gosched()
	for len(group) < maxGroup {
		select {
		case p, ok := <-w.queue:
			if !ok {
				return group
			}
			group = append(group, p)
		default:
			return group
		}
	}
	return group
}

// errApply marks a transaction that was undone because of one of its changes, not
// because the database could not be written.
var errApply = errors.New("a change of the group failed")

// commit makes the group durable. When one change fails after it has written something,
// the group is undone and each of its changes gets a transaction of its own.
func (w *writer) commit(group []*pending) {
	err := w.transact(group)
	if errors.Is(err, errApply) && len(group) > 1 {
		for i := range group {
			w.commit(group[i : i+1])
		}
		return
	}
	if err != nil && !errors.Is(err, errApply) {
		w.lasted.Store(0)
		for _, p := range group {
			p.err = explain(err)
		}
	}
}

// transact applies the group in one transaction. Changes that fail before they have
// written anything (a conflict) have their own err and do not disturb the others.
func (w *writer) transact(group []*pending) error {
	failpoint("before_begin")
	if err := w.conn.do("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	failpoint("after_begin")
	wrote := false
	for _, p := range group {
		if !p.begin() {
			continue
		}
		w.dirty = false
		p.err = explain(p.change(w.apply))
		if p.err != nil && (w.dirty || !refused(p.err)) {
			if !refused(p.err) {
				w.lasted.Store(0)
			}
			w.rollback()
			return errApply
		}
		wrote = wrote || w.dirty
	}
	var done commits
	if wrote {
		var err error
		if done, err = w.count(); err != nil {
			w.rollback()
			return err
		}
	}
	failpoint("before_commit")
	if err := w.conn.do("COMMIT"); err != nil {
		w.rollback()
		return err
	}
	w.lasted.Store(time.Now().UnixMicro())
	failpoint("after_commit")
	w.claim.note(done)
	return nil
}

// count adds the group to the commits of the database.
func (w *writer) count() (done commits, err error) {
	s, err := w.conn.prepared(`UPDATE commits SET n = n + 1 RETURNING id, n`)
	if err != nil {
		return done, err
	}
	return done, w.conn.each(s, func() error {
		done = commits{string(column(s, 0)), s.ColumnInt64(1)}
		return nil
	})
}

// apply runs a statement of a change.
func (w *writer) apply(q *sqlstore.Query) error {
	wrote, err := w.conn.run(q)
	w.dirty = w.dirty || wrote
	w.erased = w.erased || wrote && q.Erases
	failpoint("after_statement")
	return err
}

// rollback ignores errors: when it fails, SQLite has rolled back by itself.
func (w *writer) rollback() { _ = w.conn.exec("ROLLBACK") }

// refused reports an error that a change returned on purpose, or that undid one statement alone.
func refused(err error) bool {
	return errors.Is(err, memory.ErrConflict) || errors.Is(err, memory.ErrStarted) || errors.As(err, new(*sqlstore.Duplicate)) ||
		errors.Is(err, memory.ErrBadDelta) || errors.Is(err, memory.ErrNotFound) || errors.Is(err, memory.ErrLease)
}
