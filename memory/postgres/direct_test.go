package postgres

import (
	"context"
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/postgres/postgrestest"
)

// Locks through a pooler are found out before any turn asks for one, whether the pooler refuses
// what the connection asks for, or takes it and forgets it.
func TestLocksThroughAPooler(t *testing.T) {
	t.Parallel()
	dsn := testDSN(t)
	server, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	for name, more := range map[string]string{
		"that refuses":        "",
		"that forgets":        "ignore_startup_parameters = idle_session_timeout",
		"with a session each": "pool_mode = session\nignore_startup_parameters = idle_session_timeout",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLocks(t, startPgBouncer(t, dsn, more)(server.Path[1:]), time.Second)
			if err := l.Check(t.Context()); !errors.Is(err, ErrPooler) || !errors.Is(err, memory.ErrUnavailable) {
				t.Errorf("Check: %v, want %v", err, ErrPooler)
			}
			if _, err := l.Enter(t.Context(), lockKeyOf("s")); !errors.Is(err, ErrPooler) {
				t.Errorf("Enter: %v, want %v", err, ErrPooler)
			}
			if err := l.Ready(); !errors.Is(err, ErrPooler) {
				t.Errorf("Ready: %v, want %v", err, ErrPooler)
			}
		})
	}
	if err := newLocks(t, dsn, time.Second).Check(t.Context()); err != nil {
		t.Errorf("Check, past the pooler: %v", err)
	}
}

// A pooler takes connections for a server that says nothing. Neither the start nor a turn
// waits for as long as the pooler would.
func TestSilentServerBehindPooler(t *testing.T) {
	t.Parallel()
	m, dsn := postgrestest.NewBlackhole(t, testDSN(t))
	pooled := startPgBouncer(t, dsn)(newDatabase(t))
	opts := &Options{NoNotify: true, StatementTimeout: 500 * time.Millisecond, ConnectTimeout: time.Second}
	s := open(t, pooled, opts)
	talk(t, s, testKey(0), 1)
	d := turnOf(load(t, s, testKey(0)), "r2")
	m.Drop()
	t.Cleanup(m.Close)
	for what, do := range map[string]func() error{
		"Load": func() error {
			_, err := s.Load(context.Background(), testKey(0), memory.LoadOptions{})
			return err
		},
		"Commit": func() error { return s.Commit(context.Background(), d) },
		"Open": func() error {
			_, err := Open(context.Background(), pooled, opts)
			return err
		},
	} {
		if err := do(); !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("%s: %v, want %v", what, err, memory.ErrUnavailable)
		}
	}
	m.Forward()
	untilReached(t, s)
	if err := persist(s, testKey(0), "r2"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	mustHold(t, s, testKey(0), 2)
}
