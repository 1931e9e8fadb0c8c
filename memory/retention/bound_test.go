package retention_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/retention"
	"github.com/slotway/slotway/memory/transfer"
)

// Below its bound it is a store like any other.
func TestStoreBelowItsBound(t *testing.T) {
	storetest.Run(t, func(*testing.T) memory.Backend { return retention.New(inmem.New(nil), retention.Options{Max: 1000}) })
}

func TestForgetsTheLeastRecentlyUsed(t *testing.T) {
	for _, c := range []struct {
		perUser bool
		want    []string
	}{
		{false, []string{"$lib/1", "ann/2", "ann/3", "bob/4"}},
		{true, []string{"$lib/1", "ann/1", "ann/3", "ann/4", "bob/1", "bob/2", "bob/4"}},
	} {
		inner := inmem.New(nil)
		store := retention.New(inner, retention.Options{Max: 3, PerUser: c.perUser, Failed: func(err error) { t.Error(err) }})
		sessions := memory.NewConversations(store, 10)
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		say := func(user, id string) {
			t.Helper()
			s, err := sessions.ForSession(t.Context(), memory.Key{UserID: user, AgentID: "a", SessionID: id})
			if err != nil {
				t.Fatal(err)
			}
			at = at.Add(time.Minute)
			s.Append(memory.Message{Role: memory.User, Text: "hi", Timestamp: at})
			if err := s.Commit(t.Context(), at); err != nil {
				t.Fatal(err)
			}
		}
		say("$lib", "1")
		for i := range 3 {
			say("bob", fmt.Sprint(i))
			say("ann", fmt.Sprint(i))
		}
		say("bob", "1")
		if c.perUser {
			say("ann", "1")
		}
		say("ann", "3")
		if c.perUser {
			say("ann", "4")
		} else {
			say("ann", "2")
			say("ann", "3")
		}
		say("bob", "4")
		list, err := inner.Sessions(t.Context(), memory.Query{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, in := range list {
			got = append(got, in.Key.UserID+"/"+in.Key.SessionID)
		}
		slices.Sort(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("per user %t: %q stay, want %q", c.perUser, got, c.want)
		}
	}
}

// A call that is under way keeps its conversation.
func TestAnOpenCallStays(t *testing.T) {
	inner := inmem.New(nil)
	store := retention.New(inner, retention.Options{Max: 1})
	key := memory.Key{UserID: "ann", AgentID: "a", SessionID: "1"}
	if err := transfer.Create(t.Context(), store, key, memory.About{}, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := store.Start(t.Context(), key, 1, memory.Step{IdempotencyKey: "k", Tool: "pay", Status: memory.StepStarted}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"2", "3"} {
		if err := transfer.Create(t.Context(), store, memory.Key{UserID: "ann", AgentID: "a", SessionID: id}, memory.About{}, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := inner.Sessions(t.Context(), memory.Query{})
	if err != nil || len(list) != 2 || list[1].Key.SessionID != "1" || list[0].Key.SessionID != "3" {
		t.Errorf("%+v, %v", list, err)
	}
}
