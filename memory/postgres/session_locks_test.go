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

func newLanes(t *testing.T, dsn string, lease time.Duration) *SessionLocks {
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

func laneKey(session string) memory.Key {
	return memory.Key{UserID: "lanes", AgentID: "a", SessionID: session}
}

func mustEnter(t *testing.T, l *SessionLocks, key memory.Key) (leave func()) {
	t.Helper()
	leave, err := l.Enter(t.Context(), key)
	if err != nil {
		t.Fatalf("Enter: %v", err)
	}
	return leave
}

// Of three processes, with several turns each, one at a time is in the lane of a session.
// (Turns of one process are in line already when they come here.)
func TestOneProcessAtATime(t *testing.T) {
	dsn := testDSN(t)
	var inside, most, entered atomic.Int64
	var all sync.WaitGroup
	for range 3 {
		l := newLanes(t, dsn, 0)
		all.Go(func() {
			for range 50 {
				leave, err := l.Enter(t.Context(), laneKey("one"))
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

func TestLanesOfSessionsAreApart(t *testing.T) {
	dsn := testDSN(t)
	a, b := newLanes(t, dsn, 0), newLanes(t, dsn, 0)
	defer mustEnter(t, a, laneKey("apart-1"))()
	defer mustEnter(t, b, laneKey("apart-2"))()
}

// Who gives up waiting leaves nothing behind.
func TestGivingUpALane(t *testing.T) {
	dsn := testDSN(t)
	a, b := newLanes(t, dsn, 0), newLanes(t, dsn, 0)
	leave := mustEnter(t, a, laneKey("given up"))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := b.Enter(ctx, laneKey("given up")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Enter: %v, want %v", err, context.DeadlineExceeded)
	}
	leave()
	mustEnter(t, b, laneKey("given up"))()
	mustEnter(t, a, laneKey("given up"))()
}

// The lanes of a process that died are free when its connection has ended; those who are
// still there go on, also the process itself, with a new connection.
func TestLanesOfADeadProcessAreFree(t *testing.T) {
	dsn := testDSN(t)
	a, b := newLanes(t, dsn, time.Hour), newLanes(t, dsn, 0)
	leave := mustEnter(t, a, laneKey("dead"))
	execute(t, dsn, `SELECT pg_terminate_backend(pid) FROM pg_locks
		WHERE locktype = 'advisory' AND (classid::bigint << 32 | objid::bigint) = $1`, lockNumber(laneKey("dead")))
	leaveB := mustEnter(t, b, laneKey("dead"))
	leave() // of a connection that is gone: it must not take the other's lane away
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := a.Enter(ctx, laneKey("dead")); err == nil {
		t.Error("two processes are in the lane")
	}
	leaveB()
	mustEnter(t, a, laneKey("dead"))()
}

// A process that is paused keeps its lanes for the length of the lease alone. The owner of
// its connection stands still here, as SIGSTOP would have it.
func TestLanesOfAPausedProcessAreFree(t *testing.T) {
	dsn := testDSN(t)
	paused, other := newLanes(t, dsn, time.Second), newLanes(t, dsn, 0)
	leave := mustEnter(t, paused, laneKey("paused"))
	stand, on := make(chan lockAnswer), make(chan struct{})
	go func() {
		defer close(on)
		paused.asked <- lockCall{lock: 1, acquire: true, answer: stand} // its answer is not taken
		mustEnter(t, other, laneKey("paused"))()
		<-stand
	}()
	<-on
	leave()
}

// A busy lane and idle ones outlive the lease many times: the server hears of them.
func TestALaneIsKept(t *testing.T) {
	dsn := testDSN(t)
	a, b := newLanes(t, dsn, time.Second), newLanes(t, dsn, 0)
	defer mustEnter(t, a, laneKey("kept"))()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if _, err := b.Enter(ctx, laneKey("kept")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Enter: %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestLanesWithoutADatabase(t *testing.T) {
	if _, err := NewSessionLocks("postgres://secret:password@host:port/", nil); err == nil {
		t.Error("a dsn that is none was taken")
	}
	l, err := NewSessionLocks("postgres://u@127.0.0.1:1/none?connect_timeout=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Enter(t.Context(), laneKey("s")); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("Enter: %v, want %v", err, memory.ErrUnavailable)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := l.Enter(t.Context(), laneKey("s")); !errors.Is(err, memory.ErrClosed) {
		t.Errorf("Enter after Close: %v, want %v", err, memory.ErrClosed)
	}
}
