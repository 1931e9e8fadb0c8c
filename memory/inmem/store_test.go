package inmem_test

import (
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) memory.Backend { return inmem.New(nil) })
}

func TestMaxSessions(t *testing.T) {
	store := inmem.New(&inmem.Options{MaxSessions: 2})
	key := func(id string) memory.Key { return memory.Key{UserID: "u", AgentID: "a", SessionID: id} }
	at := func(seconds int64) time.Time { return time.Unix(seconds, 0) }
	version := func(id string) int64 {
		snap, err := store.Load(t.Context(), key(id), memory.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return snap.State.Version
	}
	for _, id := range []string{"a", "b"} {
		if err := store.Commit(t.Context(), &memory.Delta{Key: key(id), At: at(1)}); err != nil {
			t.Fatal(err)
		}
	}
	again := &memory.Delta{Key: key("a"), Base: 1, At: at(2)}
	if err := store.Commit(t.Context(), again); err != nil { // used last
		t.Fatal(err)
	}
	version("b") // read by somebody
	if err := store.Commit(t.Context(), &memory.Delta{Key: key("c"), At: at(3)}); err != nil {
		t.Fatal(err)
	}
	if version("a") != 2 || version("b") != 0 || version("c") != 1 {
		t.Errorf("kept: a %d, b %d, c %d; want 2, 0, 1", version("a"), version("b"), version("c"))
	}
}
