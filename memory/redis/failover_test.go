package redis

import (
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

// An entry that holds a turn which a failover lost is not extended by what came after it,
// although the turn in its place has its number and its messages have theirs. That one was
// committed by a process that could not reach Redis.
func TestNothingIsExtendedOverALostTurn(t *testing.T) {
	f := storetest.NewFailover(inmem.New(nil), inmem.New(nil))
	s := open(t, f, server(t), Options{})
	key, now := memory.Key{UserID: "u", AgentID: "a", SessionID: "s"}, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	say := func(store memory.Backend, text string) {
		t.Helper()
		now = now.Add(time.Second)
		session, err := memory.NewConversations(store, 10).ForTurn(t.Context(), key, "", true) // past the cache
		if err != nil {
			t.Fatal(err)
		}
		session.Append(memory.Message{Role: memory.User, Text: text, Timestamp: now})
		if err := session.Commit(t.Context(), now); err != nil {
			t.Fatal(err)
		}
	}
	say(s, "one")
	f.Follow(t)
	say(s, "lost")
	f.Promote()
	say(f, "two")
	say(s, "three")
	for _, what := range []string{"from what is there", "from what was written since"} {
		snap, err := s.Load(t.Context(), key, memory.LoadOptions{Recent: 10})
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for i := range snap.Recent {
			texts = append(texts, snap.Recent[i].Text)
		}
		if got := strings.Join(texts, " "); got != "one two three" {
			t.Errorf("%s: the window is %q, want %q", what, got, "one two three")
		}
	}
}
