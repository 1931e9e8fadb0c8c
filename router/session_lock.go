package router

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/slotway/slotway/memory"
)

// sessionLocks makes the turns of one session run one after another, in the order in which they
// arrived.
type sessionLocks struct {
	mu   sync.Mutex // guards held
	held map[memory.Key]*sessionLock
	max  int // turns of one session that may wait
}

// sessionLock is the lock of a session with a turn under way.
type sessionLock struct {
	waiting []chan struct{} // in the order of arrival; closed to hand over the lock
}

func newSessionLocks(max int) *sessionLocks {
	return &sessionLocks{held: map[memory.Key]*sessionLock{}, max: max}
}

// acquire waits for the session's lock and returns the function that releases it. It fails with
// the context's error, or with ErrBusy if too many turns are waiting already.
func (l *sessionLocks) acquire(ctx context.Context, key memory.Key) (release func(), err error) {
	release = func() { l.release(key) }
	l.mu.Lock()
	lock, busy := l.held[key]
	if !busy {
		l.held[key] = &sessionLock{}
		l.mu.Unlock()
		return release, nil
	}
	if len(lock.waiting) >= l.max {
		l.mu.Unlock()
		return nil, ErrBusy
	}
	mine := make(chan struct{})
	lock.waiting = append(lock.waiting, mine)
	l.mu.Unlock()
	select {
	case <-mine:
		return release, nil
	case <-ctx.Done():
		l.cancel(key, mine)
		return nil, ctx.Err()
	}
}

// release hands the lock to the next turn, or drops it if no turn waits.
func (l *sessionLocks) release(key memory.Key) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lock := l.held[key]
	if len(lock.waiting) == 0 {
		delete(l.held, key)
		return
	}
	close(lock.waiting[0])
	lock.waiting = lock.waiting[1:]
}

// cancel removes a waiting turn. If the turn got the lock at the same moment, cancel releases it.
func (l *sessionLocks) cancel(key memory.Key, mine chan struct{}) {
	l.mu.Lock()
	if lock := l.held[key]; lock != nil {
		if i := slices.Index(lock.waiting, mine); i >= 0 {
			lock.waiting = slices.Delete(lock.waiting, i, i+1)
			l.mu.Unlock()
			return
		}
	}
	l.mu.Unlock()
	l.release(key)
}

// count returns how many turns are under way, and how many wait for one of them.
func (l *sessionLocks) count() (running, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, lock := range l.held {
		waiting += len(lock.waiting)
	}
	return len(l.held), waiting
}

// storeLock is a session's lock across processes.
type storeLock struct {
	locker  SessionLocker // nil: no other process uses the store
	key     memory.Key
	release func()
}

// acquire waits for the lock. If the turn holds it already, acquire releases it first and queues
// again: a process that was paused may have lost its lock without noticing.
func (l *storeLock) acquire(ctx context.Context) error {
	if l.locker == nil {
		return nil
	}
	l.release()
	l.release = func() {}
	release, err := l.locker.Enter(ctx, l.key)
	if err != nil {
		return fmt.Errorf("session is busy: %w", err)
	}
	l.release = release
	return nil
}
