package retention_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/retention"
	"github.com/slotway/slotway/memory/transfer"
)

// While nothing has expired it is a store like any other.
func TestStoreWhereNothingHasExpired(t *testing.T) {
	before := func() time.Time { return time.Unix(0, 0) }
	storetest.Run(t, func(*testing.T) memory.Backend { return retention.New(inmem.New(nil), retention.Options{Now: before}) })
}

// Run erases a session at its moment: one that was there at the start, one that another process
// gave a time, and one whose time was set since.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := inmem.New(nil)
		store := retention.New(inner, retention.Options{Now: time.Now})
		begun := time.Now()
		create := func(store memory.Backend, id string, at time.Duration) {
			t.Helper()
			key := memory.Key{UserID: "ann", AgentID: "shop", SessionID: id}
			if err := transfer.Create(t.Context(), store, key, memory.About{ExpiresAt: begun.Add(at)}, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		create(store, "first", 30*time.Second)
		ctx, stop := context.WithCancel(t.Context())
		go store.Run(ctx, func(err error) { t.Error(err) })
		synctest.Wait()
		create(store, "soon", 10*time.Second)
		create(inner, "elsewhere", 3*time.Minute)
		for _, step := range []struct {
			at   time.Duration
			left int
		}{{9 * time.Second, 3}, {11 * time.Second, 2}, {29 * time.Second, 2}, {31 * time.Second, 1}, {179 * time.Second, 1}, {181 * time.Second, 0}} {
			time.Sleep(time.Until(begun.Add(step.at)))
			synctest.Wait()
			list, err := inner.Sessions(t.Context(), memory.Query{})
			if err != nil || len(list) != step.left {
				t.Errorf("after %v %d sessions are stored (%v), want %d", step.at, len(list), err, step.left)
			}
		}
		stop()
		synctest.Wait()
	})
}
