package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// heldLanes replaces the lanes of a store that nobody uses yet: calls gather until they are let go, and are
// then one group.
func heldLanes(t *testing.T, s *Store, reads bool) (waiting func(n int), serve func()) {
	t.Helper()
	l := &lanes{calls: make(chan *groupCall, mostGroup), done: s.done.Done(), reads: reads, most: time.Minute, send: s.writeAll}
	if reads {
		s.reads, l.send = l, s.readAll
	} else {
		s.writes = l
	}
	waiting = func(n int) {
		for len(l.calls) < n {
			time.Sleep(time.Millisecond)
		}
	}
	return waiting, func() { s.running.Go(l.run) }
}

// Of changes that are sent together each has the end that it would have alone, also when one of them ends the
// transaction of all.
func TestChangesSentTogether(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	for _, violates := range []bool{false, true} {
		s, other := open(t, dsn, nil), open(t, dsn, nil)
		key := func(i int) memory.Key { return testKey(i + 100*map[bool]int{true: 1}[violates]) }
		const n, stale, twice, called = 8, 5, 6, 7
		deltas := make([]*memory.Delta, n)
		for i := range n {
			talk(t, s, key(i), 1)
			deltas[i] = turnOf(load(t, s, key(i)), "r2")
		}
		talk(t, other, key(stale), 1) // a replica was faster
		if violates {
			deltas[twice].Turn.RequestID = "r1"
		}
		waiting, serve := heldLanes(t, s, false)
		errs := make([]chan error, n)
		for i := range n {
			errs[i] = make(chan error, 1)
			go func() {
				if i == called {
					errs[i] <- s.Start(t.Context(), key(i), 1, memory.Step{IdempotencyKey: "k", Turn: 2, Tool: "pay", StartedAt: noon})
					return
				}
				errs[i] <- s.Commit(t.Context(), deltas[i])
			}()
		}
		waiting(n)
		serve()
		for i := range n {
			err := <-errs[i]
			if wrong := i == stale || i == twice && violates; wrong != errors.Is(err, memory.ErrConflict) || !wrong && err != nil {
				t.Errorf("violates %v, change %d: %v", violates, i, err)
			}
			turns := 2
			if i == called || i == twice && violates {
				turns = 1
			}
			mustHold(t, other, key(i), turns)
		}
		if open := load(t, other, key(called)).OpenSteps; len(open) != 1 {
			t.Errorf("%d calls are open, want 1", len(open))
		}
	}
}

// Of queries that are sent together each has its own answer; who gives up gets none, and holds up nobody.
func TestReadsSentTogether(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	s := open(t, dsn, nil)
	const n, damaged, fresh = 6, 2, 3
	for i := range n {
		if i != fresh {
			talk(t, s, testKey(i), i+1)
		}
	}
	execute(t, dsn, `UPDATE messages SET content = 'x' WHERE session = $1`, digestOf(testKey(damaged)))
	waiting, serve := heldLanes(t, s, true)
	errs := make([]chan error, n)
	for i := range n {
		errs[i] = make(chan error, 1)
		go func() {
			snap, err := s.Load(t.Context(), testKey(i), memory.LoadOptions{Recent: 100})
			if err == nil {
				mustBeOf(t, testKey(i), snap)
				if want := 2 * (i + 1); i != fresh && len(snap.Recent) != want {
					err = fmt.Errorf("%d messages, want %d", len(snap.Recent), want)
				}
			}
			errs[i] <- err
		}()
	}
	waiting(n)
	gaveUp, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := s.Load(gaveUp, testKey(0), memory.LoadOptions{})
		gone <- err
	}()
	waiting(n + 1)
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up: %v", err)
	}
	serve()
	for i := range n {
		if err := <-errs[i]; (i == damaged) != errors.Is(err, memory.ErrCorrupt) || i != damaged && err != nil {
			t.Errorf("session %d: %v", i, err)
		}
	}
}

// The last caller who leaves ends a transaction that nobody waits for.
func TestNobodyWaitsForAGroup(t *testing.T) {
	t.Parallel()
	s := open(t, newSchema(t), nil)
	under, ended := make(chan bool), make(chan error, 1)
	l := &lanes{calls: make(chan *groupCall, mostGroup), done: s.done.Done(), reads: true, most: time.Hour, send: func(ctx context.Context, _ []*groupCall) error {
		close(under)
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}}
	ctx, cancel := context.WithCancel(t.Context())
	for range 2 {
		go l.call(ctx, &groupCall{}) //nolint:errcheck // it is cancelled
	}
	for len(l.calls) < 2 {
		time.Sleep(time.Millisecond)
	}
	s.running.Go(l.run)
	<-under
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the transaction ended with %v", err)
	}
}

// Transactions that sit on sessions hold up their turns, and no others.
func TestALockHoldsUpItsOwnSession(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	s := open(t, dsn, &Options{LockTimeout: time.Minute, StatementTimeout: time.Minute})
	const locked = groupLanes
	deltas := make([]*memory.Delta, locked+1)
	for i := range deltas {
		talk(t, s, testKey(i), 1)
		deltas[i] = turnOf(load(t, s, testKey(i)), "r2")
	}
	conn := connect(t, dsn)
	defer conn.Close(context.Background())
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, locked)
	for i := range locked {
		if _, err := tx.Exec(t.Context(), `SELECT 1 FROM sessions WHERE session = $1 FOR UPDATE`, digestOf(testKey(i))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range locked {
		go func() { errs <- s.Commit(t.Context(), deltas[i]) }()
	}
	time.Sleep(50 * time.Millisecond) // they are under way, most likely, each in a lane
	if err := s.Commit(t.Context(), deltas[locked]); err != nil {
		t.Errorf("Commit beside locked sessions: %v", err)
	}
	if len(errs) > 0 {
		t.Error("a locked session was committed")
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range locked {
		if err := <-errs; err != nil {
			t.Errorf("Commit of a session that was locked: %v", err)
		}
	}
	for i := range deltas {
		mustHold(t, s, testKey(i), 2)
	}
}
