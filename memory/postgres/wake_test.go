package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// heard waits for a wake; a test without one ends by its own deadline.
func heard(t *testing.T, wake <-chan struct{}) {
	t.Helper()
	select {
	case _, open := <-wake:
		if !open {
			t.Fatal("the channel was closed")
		}
	case <-time.After(30 * time.Second):
		t.Fatal("nobody said anything")
	}
}

func wantJob(t *testing.T, s *Store, key memory.Key, at time.Time) {
	t.Helper()
	d := turnOf(load(t, s, key), fmt.Sprint("r", rand.Uint64()))
	d.Jobs = []memory.WantedJob{{Kind: "embed", RunAt: at}}
	if err := s.Commit(context.Background(), d); err != nil {
		t.Fatal(err)
	}
}

// An idle worker of one replica hears of a job that a turn on another asked for, also after
// its connection was lost.
func TestWake(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	name := "slotway_" + fmt.Sprint(rand.Uint64())
	talker, listener := open(t, dsn, nil), open(t, dsn, &Options{ListenDSN: dsn + "&application_name=" + name})
	wake := listener.Wake(t.Context())
	heard(t, wake) // once it listens
	wantJob(t, talker, testKey(0), time.Time{})
	heard(t, wake)

	if n := value[int](t, dsn, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1`, name); n != 1 {
		t.Fatalf("%d connections listen", n)
	}
	heard(t, wake) // once it listens again
	for i := range 3 {
		wantJob(t, talker, testKey(i), time.Time{})
		heard(t, wake)
	}
}

func TestWakeEnds(t *testing.T) {
	t.Parallel()
	dsn := newSchema(t)
	for name, opts := range map[string]*Options{
		"listening": nil,
		"deaf":      {NoNotify: true},
		"lost":      {ListenDSN: "postgres://127.0.0.1:1/x"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, dsn, opts)
			ctx, cancel := context.WithCancel(t.Context())
			first, second := s.Wake(ctx), s.Wake(t.Context())
			cancel()
			for range first { // until it is closed
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			for range second {
			}
			for range s.Wake(t.Context()) { // of a store that is closed
			}
		})
	}
}

// Turns notify nobody themselves: that would take a lock of the whole database at each
// commit. Many of them make few notifications.
func TestFewNotifications(t *testing.T) {
	t.Parallel()
	s := open(t, newSchema(t), nil)
	before := s.pool.Stat().AcquireCount()
	begun := time.Now()
	const turns = 50
	for range turns {
		wantJob(t, s, testKey(0), time.Time{})
	}
	own := s.pool.Stat().AcquireCount() - before - 2*turns // a turn is a Load and a Commit
	if most := int64(time.Since(begun)/notifyEvery) + 2; own > most {
		t.Errorf("%d notifications, want at most %d", own, most)
	}
	now := time.Now()
	if due([]memory.WantedJob{{RunAt: now.Add(time.Hour)}}, now) || !due([]memory.WantedJob{{RunAt: now.Add(time.Hour)}, {}}, now) {
		t.Error("a job that is due is not told from one of the next hour")
	}
}
