package inmem_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/storetest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/transfer"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) memory.Backend { return inmem.New(nil) })
}

// Below its bound, and while nothing has expired, it is a store like any other.
func TestStoreBelowItsBound(t *testing.T) {
	storetest.Run(t, func(*testing.T) memory.Backend {
		store := inmem.New(&inmem.Options{MaxSessions: 1000})
		store.Keep(memory.Rules{Max: 1000, Now: func() time.Time { return time.Unix(0, 0) }})
		return store
	})
}

func TestForgetsTheLeastRecentlyUsed(t *testing.T) {
	for _, c := range []struct {
		perUser bool
		want    []string
	}{
		{false, []string{"$lib/1", "ann/2", "ann/3", "bob/4"}},
		{true, []string{"$lib/1", "ann/1", "ann/3", "ann/4", "bob/1", "bob/2", "bob/4"}},
	} {
		store := inmem.New(nil)
		store.Keep(memory.Rules{Max: 3, PerUser: c.perUser, Failed: func(err error) { t.Error(err) }})
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
		list, err := store.Sessions(t.Context(), memory.Query{})
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
	store := inmem.New(&inmem.Options{MaxSessions: 1})
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
	list, err := store.Sessions(t.Context(), memory.Query{})
	if err != nil || len(list) != 2 || list[1].Key.SessionID != "1" || list[0].Key.SessionID != "3" {
		t.Errorf("%+v, %v", list, err)
	}
}

// Ids and the journal of a turn are kept. The arguments of a call stay where it is made again after a
// crash. The process that gave a reply gives it again.
func TestWhatIsKept(t *testing.T) {
	store := inmem.New(nil)
	store.Keep(memory.Rules{Textless: func(tool string) bool { return tool == "again" }})
	key := memory.Key{UserID: "ann", AgentID: "shop", SessionID: "m1"}
	s, err := memory.NewConversations(store, 10).ForTurn(t.Context(), key, "m1", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"again", "once"} {
		step := memory.Step{IdempotencyKey: tool, Origin: "o." + tool, Tool: tool, Args: []byte(`{"to":"Ann"}`), StartedAt: time.Now()}
		if err := s.Start(t.Context(), step); err != nil {
			t.Fatal(err)
		}
		step.Status, step.Result = memory.StepDone, []byte(`"Ann"`)
		s.FinishStep(step)
	}
	s.Append(memory.Message{Role: memory.User, Text: "I am Ann", Timestamp: time.Now()})
	s.SetState(memory.State{Params: map[string]any{"name": "Ann"}, LastResult: []byte(`"Ann"`), PlanExecution: []byte(`{"a":"Ann"}`)})
	s.RecordTurn(memory.Turn{RequestID: "m1", Response: json.RawMessage(`{"reply":"Hello Ann"}`)})
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	rows, err := store.Steps(t.Context(), key)
	if err != nil || len(rows) != 2 || string(rows[0].Args) != `{"to":"Ann"}` || string(rows[1].Args) != "null" ||
		rows[0].Result != nil || rows[1].Result != nil || rows[1].Status != memory.StepDone {
		t.Errorf("the journal is %+v, %v", rows, err)
	}
	snap, err := store.Load(t.Context(), key, memory.LoadOptions{Recent: 10, RequestID: "m1"})
	if err != nil || len(snap.Recent) != 0 || len(snap.State.Params) != 0 || snap.State.LastResult != nil || snap.State.PlanExecution != nil ||
		snap.Replay == nil || string(snap.Replay.Response) != `{"reply":"Hello Ann"}` {
		t.Errorf("there is %+v, %v", snap, err)
	}
	if list, err := store.Turns(t.Context(), key, memory.Page{}); err != nil || len(list) != 1 || len(list[0].Response) != 0 {
		t.Errorf("the stored turn is %+v, %v", list, err)
	}
}
