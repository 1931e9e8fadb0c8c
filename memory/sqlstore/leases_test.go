package sqlstore_test

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/sqlstore"
)

func leased(id string) memory.Key { return memory.Key{UserID: "u", AgentID: "a", SessionID: id} }

// processes are as many stores on one file, each with leases of its own.
func processes(t *testing.T, n int, length time.Duration) (all []*sqlstore.Leases) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memory.db")
	for range n {
		store, err := sqlite.Open(t.Context(), file, &sqlite.Options{Durability: sqlite.Relaxed})
		if err != nil {
			t.Fatal(err)
		}
		l := sqlstore.NewLeases(store, length)
		t.Cleanup(func() { l.Close(); store.Close() })
		all = append(all, l)
	}
	return all
}

func mustEnter(t *testing.T, l *sqlstore.Leases, id string) (leave func()) {
	t.Helper()
	leave, err := l.Enter(t.Context(), leased(id))
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

// refused reports that nobody else can enter now.
func refused(t *testing.T, l *sqlstore.Leases, id string, within time.Duration) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	leave, err := l.Enter(ctx, leased(id))
	if err == nil {
		leave()
	} else if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Enter: %v", err)
	}
	return err != nil
}

// Turns of one session run one after another, whichever process they run in; those of others do not wait.
func TestOneProcessAtATime(t *testing.T) {
	t.Parallel()
	all := processes(t, 2, time.Minute)
	var inside, turns atomic.Int32
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			for range 5 {
				leave, err := all[i%2].Enter(t.Context(), leased("one"))
				if err != nil {
					t.Errorf("Enter: %v", err)
					return
				}
				if inside.Add(1) > 1 {
					t.Error("two turns at once")
				}
				turns.Add(1)
				inside.Add(-1)
				leave()
			}
		})
	}
	wg.Wait()
	if turns.Load() != 30 {
		t.Errorf("%d turns, want 30", turns.Load())
	}
	leave := mustEnter(t, all[0], "one")
	mustEnter(t, all[1], "two")()
	if !refused(t, all[1], "one", 50*time.Millisecond) {
		t.Error("two processes are in one session")
	}
	leave()
	mustEnter(t, all[1], "one")()
}

// The lease of a turn that runs for long is renewed; that of a process that is gone runs out.
func TestLeasesRunOut(t *testing.T) {
	t.Parallel()
	const length = time.Second // a busy machine has renewed it by then
	all := processes(t, 2, length)
	mustEnter(t, all[0], "one")
	if !refused(t, all[1], "one", 3*length) {
		t.Error("the lease of a running turn ran out")
	}
	if err := all[0].Close(); err != nil { // it renews nothing any more
		t.Fatal(err)
	}
	mustEnter(t, all[1], "one")()
	if _, err := all[0].Enter(t.Context(), leased("one")); !errors.Is(err, memory.ErrClosed) {
		t.Errorf("Enter after Close: %v", err)
	}
}

// slow is a database that takes 50 ms for what it writes, and counts what is renewed.
type slow struct {
	sqlstore.DB
	renewed *atomic.Int32
}

func (slow) Now() string { return "0" }

func (s slow) Write(ctx context.Context, statements ...*sqlstore.Query) error {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
		return ctx.Err()
	}
	if strings.HasPrefix(statements[0].Text, "UPDATE") {
		s.renewed.Add(1)
	}
	return nil
}

// All leases that a busy process holds are renewed in time, on a slow database, too.
func TestManyLeasesAreRenewedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const held = 256 // as many turns as a service runs at once
		db := slow{renewed: new(atomic.Int32)}
		l := sqlstore.NewLeases(sqlstore.New(db, 1), 10*time.Second)
		defer l.Close()
		var all sync.WaitGroup
		for i := range held {
			all.Go(func() { mustEnter(t, l, strconv.Itoa(i)) })
		}
		all.Wait()
		time.Sleep(5 * time.Second)
		if n := db.renewed.Load(); n != held {
			t.Errorf("%d leases were renewed, want %d", n, held)
		}
	})
}
