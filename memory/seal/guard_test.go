package seal_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/seal"
)

// say commits a message to a session of ada's.
func say(t *testing.T, store memory.Backend, session, text string) {
	t.Helper()
	key := ada
	key.SessionID = session
	s, err := memory.NewConversations(store, 0).ForSession(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.User, Text: text, Timestamp: time.Now()})
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
}

// A sealed row in a store without keys makes its own session unreadable, and no other one. Searches go on without it,
// say so, and find it when the row is mended.
func TestOneDamagedSession(t *testing.T) {
	store := inmem.New(nil)
	say(t, store, "good", "my parcel is lost")
	say(t, store, "begins like one", "\x1aslotway1:a parcel too")
	say(t, seal.New(store, keys(t, newKey)), "spoilt", "my parcel is lost")
	now, told := time.Now(), 0
	tier := recall.New(store, &recall.Options{Now: func() time.Time { return now }, OnCorrupt: func(key memory.Key, err error) {
		if told++; key.SessionID != "spoilt" || !errors.Is(err, seal.ErrNoKey) {
			t.Errorf("told of %v: %v", key, err)
		}
	}})
	search := func(ctx context.Context) []string {
		t.Helper()
		found, err := tier.Search(ctx, recall.Query{Key: memory.Key{UserID: ada.UserID, AgentID: ada.AgentID}, Text: "parcel", K: 10})
		if err != nil {
			t.Fatal(err)
		}
		var sessions []string
		for _, r := range found {
			sessions = append(sessions, r.Key.SessionID)
		}
		return sessions
	}
	if found := search(t.Context()); len(found) != 2 || told != 1 {
		t.Errorf("found %v, told %d times", found, told)
	}
	if search(t.Context()); told != 1 {
		t.Errorf("told %d times", told)
	}
	key := ada
	key.SessionID = "spoilt"
	if _, err := store.Messages(t.Context(), key, memory.Page{}); !errors.Is(err, seal.ErrNoKey) {
		t.Errorf("Messages = %v", err)
	}
	if err := store.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	say(t, store, "spoilt", "the parcel is mended") // at the same version
	now = now.Add(time.Minute)
	if found := search(t.Context()); len(found) != 3 || told != 1 {
		t.Errorf("after it was mended: found %v, told %d times", found, told)
	}
}
