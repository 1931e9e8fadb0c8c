package postgres

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres/postgrestest"
)

// A server that says nothing any more holds a turn up for no longer than the store allows,
// although its caller would wait.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	loud := newSchema(t)
	m, dsn := postgrestest.NewBlackhole(t, loud)
	s := open(t, dsn, &Options{NoNotify: true, StatementTimeout: 500 * time.Millisecond, ConnectTimeout: time.Second})
	key := memory.Key{UserID: "u", AgentID: "a", SessionID: "s"}
	talk(t, open(t, loud, nil), key, 1)
	d := turnOf(load(t, s, key), "r2")
	m.Drop()
	t.Cleanup(m.Close) // the pool would wait for a farewell
	errs := make(chan error)
	for _, f := range []func() error{
		func() error {
			_, err := s.Load(context.Background(), key, memory.LoadOptions{})
			return err
		},
		func() error { return s.Commit(context.Background(), d) },
		func() error {
			return s.Start(context.Background(), key, 1, memory.Step{IdempotencyKey: "k", StartedAt: noon})
		},
	} {
		go func() { errs <- f() }()
	}
	for range 3 {
		if err := <-errs; !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("error %v, want %v", err, memory.ErrUnavailable)
		}
	}
	// A caller who gives up first is told that, and not that the database is at fault.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Load(ctx, key, memory.LoadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// Once a server has been silent for long enough nobody waits for it any more: no turn, no
// probe of readiness, and nobody in the line of a session, who was there before or comes
// later. All of them go on when it is back.
func TestNobodyWaitsForASilentServer(t *testing.T) {
	t.Parallel()
	m, dsn := postgrestest.NewBlackhole(t, newSchema(t))
	s := open(t, dsn, &Options{NoNotify: true, MaxConns: 2})
	l, elsewhere := newLanes(t, dsn, 0), newLanes(t, testDSN(t), 0)
	t.Cleanup(m.Close)
	key := memory.Key{UserID: "u", AgentID: "a", SessionID: t.Name()}
	talk(t, s, key, 1)
	d := turnOf(load(t, s, key), "r2")
	leave, busy := mustEnter(t, l, laneKey(t.Name()+" mine")), mustEnter(t, elsewhere, laneKey(t.Name()))
	m.Drop()
	errs := make(chan error)
	for range 8 { // more than there are connections, and all but one behind another
		go func() {
			_, err := s.Load(context.Background(), key, memory.LoadOptions{})
			errs <- err
		}()
		go func() {
			_, err := l.Enter(context.Background(), laneKey(t.Name()))
			errs <- err
		}()
	}
	for range 16 {
		if err := <-errs; !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("error %v, want %v", err, memory.ErrUnavailable)
		}
	}
	leave()
	_, enter := l.Enter(context.Background(), key)
	_, read := s.Load(context.Background(), key, memory.LoadOptions{})
	for name, err := range map[string]error{
		"Enter": enter, "Ready": l.Ready(), "Load": read, "Ping": s.Ping(context.Background()), "Commit": s.Commit(context.Background(), d),
		"Start": s.Start(context.Background(), key, 1, memory.Step{IdempotencyKey: "k", StartedAt: noon}),
	} {
		if !errors.Is(err, errUnreachable) {
			t.Errorf("%s: %v, want %v", name, err, errUnreachable)
		}
	}
	m.Forward()
	busy()
	untilReached(t, s, l)
	if err := s.Commit(context.Background(), d); err != nil {
		t.Errorf("Commit afterwards: %v", err)
	}
	mustHold(t, s, key, 2)
}

// untilReached waits until a server that is back has been noticed.
func untilReached(t *testing.T, s *Store, lanes ...*SessionLocks) {
	t.Helper()
	for s.Ping(t.Context()) != nil {
		sleep(s.probe.done, time.Millisecond)
	}
	for _, l := range lanes {
		leave, err := l.Enter(t.Context(), laneKey(t.Name()))
		for ; err != nil; leave, err = l.Enter(t.Context(), laneKey(t.Name())) {
			sleep(l.probe.done, time.Millisecond)
		}
		leave()
	}
}

// Who comes while the connection of the lanes cannot be made is not left to wait for a try
// of his own.
func TestLanesFailTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, err := NewSessionLocks("postgres://user@127.0.0.1:1/name?sslmode=disable", nil)
		if err != nil {
			t.Fatal(err)
		}
		tries, broken := 0, make(chan struct{})
		l.config.DialFunc = func(context.Context, string, string) (net.Conn, error) {
			tries++
			<-broken
			return nil, errors.New("no way")
		}
		errs := make(chan error)
		for id := range strings.SplitSeq("abcdef", "") {
			go func() {
				_, err := l.Enter(context.Background(), laneKey(id))
				errs <- err
			}()
		}
		synctest.Wait()
		close(broken)
		for range 6 {
			if err := <-errs; !errors.Is(err, memory.ErrUnavailable) {
				t.Errorf("error %v, want %v", err, memory.ErrUnavailable)
			}
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if tries != 1 {
			t.Errorf("%d tries to connect, want 1", tries)
		}
	})
}
