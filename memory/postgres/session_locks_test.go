package postgres

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

func newLocks(t *testing.T, dsn string, lease time.Duration) *SessionLocks {
	t.Helper()
	l, err := NewSessionLocks(dsn, &SessionLocksOptions{Lease: lease})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func lockKeyOf(session string) memory.Key {
	return memory.Key{UserID: "locks", AgentID: "a", SessionID: session}
}

func mustEnter(t *testing.T, l *SessionLocks, key memory.Key) (leave func()) {
	t.Helper()
	leave, err := l.Enter(t.Context(), key)
	if err != nil {
		t.Fatalf("Enter: %v", err)
	}
	return leave
}

// Of three processes, with several turns each, one at a time is in the lock of a session.
// (Turns of one process are in line already when they come here.)
func TestOneProcessAtATime(t *testing.T) {
	dsn := testDSN(t)
	var inside, most, entered atomic.Int64
	var all sync.WaitGroup
	for range 3 {
		l := newLocks(t, dsn, 0)
		all.Go(func() {
			for range 50 {
				leave, err := l.Enter(t.Context(), lockKeyOf("one"))
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n > most.Load() {
					most.Store(n)
				}
				entered.Add(1)
				inside.Add(-1)
				leave()
			}
		})
	}
	all.Wait()
	if most.Load() != 1 || entered.Load() != 150 {
		t.Errorf("%d at once, %d entered", most.Load(), entered.Load())
	}
}

func TestLocksOfSessionsAreApart(t *testing.T) {
	dsn := testDSN(t)
	a, b := newLocks(t, dsn, 0), newLocks(t, dsn, 0)
	defer mustEnter(t, a, lockKeyOf("apart-1"))()
	defer mustEnter(t, b, lockKeyOf("apart-2"))()
}

// Who gives up waiting leaves nothing behind.
func TestGivingUpALock(t *testing.T) {
	dsn := testDSN(t)
	a, b := newLocks(t, dsn, 0), newLocks(t, dsn, 0)
	leave := mustEnter(t, a, lockKeyOf("given up"))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.Enter(ctx, lockKeyOf("given up")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Enter: %v, want %v", err, context.DeadlineExceeded)
	}
	leave()
	mustEnter(t, b, lockKeyOf("given up"))()
	mustEnter(t, a, lockKeyOf("given up"))()
}

// The locks of a process that died are free when its connection has ended; those who are
// still there go on, also the process itself, with a new connection.
func TestLocksOfADeadProcessAreFree(t *testing.T) {
	dsn := testDSN(t)
	a, b := newLocks(t, dsn, time.Hour), newLocks(t, dsn, 0)
	leave := mustEnter(t, a, lockKeyOf("dead"))
	execute(t, dsn, `SELECT pg_terminate_backend(pid) FROM pg_locks
		WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = $1`, lockNumber(lockKeyOf("dead")))
	leaveB := mustEnter(t, b, lockKeyOf("dead"))
	leave() // of a connection that is gone: it must not take the other's lock away
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := a.Enter(ctx, lockKeyOf("dead")); err == nil {
		t.Error("two processes hold the lock")
	}
	leaveB()
	mustEnter(t, a, lockKeyOf("dead"))()
}

// A process that is paused keeps its locks for the length of the lease alone. The owner of
// its connection stands still here, as SIGSTOP would have it.
func TestLocksOfAPausedProcessAreFree(t *testing.T) {
	dsn := testDSN(t)
	paused, other := newLocks(t, dsn, time.Second), newLocks(t, dsn, 0)
	leave := mustEnter(t, paused, lockKeyOf("paused"))
	stand, on := make(chan lockAnswer), make(chan struct{})
	go func() {
		defer close(on)
		paused.asked <- lockCall{lock: 1, acquire: true, answer: stand} // its answer is not taken
		mustEnter(t, other, lockKeyOf("paused"))()
		<-stand
	}()
	<-on
	leave()
}

// A busy lock and idle ones outlive the lease many times: the server hears of them.
func TestALockIsKept(t *testing.T) {
	dsn := testDSN(t)
	a, b := newLocks(t, dsn, time.Second), newLocks(t, dsn, 0)
	defer mustEnter(t, a, lockKeyOf("kept"))()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if _, err := b.Enter(ctx, lockKeyOf("kept")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Enter: %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestLocksWithoutADatabase(t *testing.T) {
	if _, err := NewSessionLocks("postgres://secret:password@host:port/", nil); err == nil {
		t.Error("a dsn that is none was taken")
	}
	l, err := NewSessionLocks("postgres://u@127.0.0.1:1/none?connect_timeout=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Enter(t.Context(), lockKeyOf("s")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("Enter: %v, want %v", err, memory.ErrUnavailable)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := l.Enter(t.Context(), lockKeyOf("s")); !errors.Is(err, memory.ErrClosed) {
		t.Errorf("Enter after Close: %v, want %v", err, memory.ErrClosed)
	}
}
