package encrypted_test

import (
	"context"
	"encoding/base64"
	"errors"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/encrypted"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/recall"
)

func guard(t *testing.T, inner memory.Backend) memory.Backend {
	t.Helper()
	g, err := encrypted.NewGuard(t.Context(), inner)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGuardedStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memory.Backend { return guard(t, inmem.New(nil)) })
}

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

// A text that is a seal makes its own session unreadable, and no other one. Searches go on without it,
// say so, and find it when the row is mended.
func TestOneDamagedSession(t *testing.T) {
	inner := inmem.New(nil)
	store := guard(t, inner)
	say(t, store, "good", "my parcel is lost")
	say(t, store, "begins like one", "\x1aslotway1:a parcel too")
	say(t, inner, "spoilt", "\x1aslotway1:01234567:"+base64.RawStdEncoding.EncodeToString(make([]byte, 30)))
	now, told := time.Now(), 0
	tier := recall.New(store, &recall.Options{Now: func() time.Time { return now }, OnCorrupt: func(key memory.Key, err error) {
		if told++; key.SessionID != "spoilt" || !errors.Is(err, encrypted.ErrNoKey) {
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
	if _, err := store.Messages(t.Context(), key, memory.Page{}); !errors.Is(err, encrypted.ErrNoKey) {
		t.Errorf("Messages = %v", err)
	}
	if err := inner.Delete(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	say(t, inner, "spoilt", "the parcel is mended") // at the same version
	now = now.Add(time.Minute)
	if found := search(t.Context()); len(found) != 3 || told != 1 {
		t.Errorf("after it was mended: found %v, told %d times", found, told)
	}
}
