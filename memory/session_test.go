package memory_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/printable"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
)

var (
	key  = memory.Key{UserID: "ada", AgentID: "shop", SessionID: "s1"}
	noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func session(t *testing.T, c *memory.Conversations) *memory.Session {
	t.Helper()
	s, err := c.ForSession(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func commit(t *testing.T, s *memory.Session) {
	t.Helper()
	if err := s.Commit(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
}

func seqs(list []memory.Message) []int64 {
	var out []int64
	for _, m := range list {
		out = append(out, m.Seq)
	}
	return out
}

func TestSessionTurn(t *testing.T) {
	c := memory.NewConversations(inmem.New(nil), 10)
	s := session(t, c)
	if s.Version() != 0 || s.Turn() != 1 || !s.UpdatedAt().IsZero() {
		t.Fatalf("new session: version %d, turn %d, updated %v", s.Version(), s.Turn(), s.UpdatedAt())
	}
	got := s.Append(memory.Message{Role: memory.User, Text: "where is it\xff", Timestamp: noon.Add(1500 * time.Nanosecond)})
	want := memory.Message{Seq: 1, Turn: 1, Role: memory.User, Text: "where is it\uFFFD", Timestamp: noon.Add(time.Microsecond)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Append (-want +got):\n%s", diff)
	}
	s.Merge(map[string]any{"n": 3, "list": []string{"a"}})
	s.SetWaiting("order_id")
	s.RecordTurn(memory.Turn{RequestID: "r1", Intent: "order_status", Outcome: "waiting", Response: []byte(`{"reply":"?"}`)})
	commit(t, s)

	s, err := c.ForTurn(t.Context(), key, "r1", false)
	if err != nil {
		t.Fatal(err)
	}
	if s.Version() != 1 || s.Turns() != 1 || s.Turn() != 2 || s.Waiting() != "order_id" || s.HistoryCount() != 1 {
		t.Errorf("version %d turns %d turn %d waiting %q history %d", s.Version(), s.Turns(), s.Turn(), s.Waiting(), s.HistoryCount())
	}
	if diff := cmp.Diff(map[string]any{"n": 3.0, "list": []any{"a"}}, s.Params()); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	if r := s.Replay(); r == nil || r.Number != 1 || !r.At.Equal(noon) {
		t.Errorf("Replay = %+v", r)
	}
}

// After a commit the same Session goes on, and equals a fresh load.
func TestSessionGoesOn(t *testing.T) {
	c := memory.NewConversations(inmem.New(nil), 3)
	s := session(t, c)
	for turn := range 4 {
		s.Append(memory.Message{Role: memory.User, Text: "hello", Timestamp: noon})
		s.Append(memory.Message{Role: memory.Agent, Text: "hi", Timestamp: noon})
		s.RecordTurn(memory.Turn{})
		commit(t, s)
		fresh := session(t, c)
		for name, pair := range map[string][2]any{
			"history": {fresh.History(), s.History()}, "count": {fresh.HistoryCount(), s.HistoryCount()},
			"turn": {fresh.Turn(), s.Turn()}, "state": {fresh.State(), s.State()}, "updated": {fresh.UpdatedAt(), s.UpdatedAt()},
		} {
			if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
				t.Errorf("turn %d, %s (-fresh +kept):\n%s", turn, name, diff)
			}
		}
	}
}

func TestSessionClearAndPrune(t *testing.T) {
	c := memory.NewConversations(inmem.New(nil), 10)
	s := session(t, c)
	for range 6 {
		s.Append(memory.Message{Role: memory.User, Text: "x", Timestamp: noon})
	}
	s.Merge(map[string]any{"order_id": "O-1"})
	commit(t, s)
	s.Prune(4)
	if diff := cmp.Diff([]int64{3, 4, 5, 6}, seqs(s.History())); diff != "" {
		t.Errorf("after Prune (-want +got):\n%s", diff)
	}
	s.Append(memory.Message{Role: memory.User, Text: "y", Timestamp: noon})
	n, err := s.Clear()
	if n != 5 || err != nil {
		t.Errorf("Clear = %d, %v; want 5", n, err)
	}
	s.Append(memory.Message{Role: memory.User, Text: "z", Timestamp: noon})
	commit(t, s)
	s = session(t, c)
	if diff := cmp.Diff([]int64{8}, seqs(s.History())); diff != "" {
		t.Errorf("after Clear (-want +got):\n%s", diff)
	}
	if len(s.Params()) != 0 || s.HistoryCount() != 1 {
		t.Errorf("after Clear: params %d, history %d", len(s.Params()), s.HistoryCount())
	}
	s.Prune(0)
	if s.HistoryCount() != 0 || len(s.History()) != 0 {
		t.Errorf("Prune(0) leaves %d", s.HistoryCount())
	}
}

func TestSessionJournal(t *testing.T) {
	c := memory.NewConversations(inmem.New(nil), 10)
	s := session(t, c)
	step := memory.Step{IdempotencyKey: "k1", Plan: "refund", Step: "pay", Tool: "refund", Args: []byte(`{"amount":5}`), StartedAt: noon}
	if err := s.Start(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context(), step); !errors.Is(err, memory.ErrStarted) {
		t.Errorf("second Start: %v", err)
	}
	// A process that dies here leaves the row for the next one.
	s = session(t, c)
	if open := s.OpenSteps(); len(open) != 1 || open[0].Turn != 1 || open[0].Status != memory.StepStarted || open[0].Attempts != 1 {
		t.Fatalf("Unsettled = %+v", open)
	}
	s.FinishStep(memory.Step{IdempotencyKey: "k1", Status: memory.StepDone, Attempts: 2, Result: []byte(`{}`), EndedAt: noon})
	if open := s.OpenSteps(); len(open) != 0 {
		t.Errorf("Unsettled after Settle = %+v", open)
	}
	commit(t, s)
	if open := session(t, c).OpenSteps(); len(open) != 0 {
		t.Errorf("Unsettled after commit = %+v", open)
	}
}

func TestSessionCopies(t *testing.T) {
	c := memory.NewConversations(inmem.New(nil), 10)
	s := session(t, c)
	params := map[string]any{"items": []any{map[string]any{"id": "a"}}}
	s.Merge(params)
	params["items"].([]any)[0].(map[string]any)["id"] = "changed"
	s.Params()["items"].([]any)[0].(map[string]any)["id"] = "changed"
	m := s.Append(memory.Message{Role: memory.User, Text: "x", Metadata: map[string]string{"a": "1"}, Timestamp: noon})
	m.Metadata["a"] = "changed"
	s.History()[0].Metadata["a"] = "changed"
	commit(t, s)
	s = session(t, c)
	if diff := cmp.Diff(map[string]any{"items": []any{map[string]any{"id": "a"}}}, s.Params()); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	if got := s.History()[0].Metadata["a"]; got != "1" {
		t.Errorf("metadata = %q", got)
	}
}

func TestSessionConflict(t *testing.T) {
	c := memory.NewConversations(inmem.New(nil), 10)
	a, b := session(t, c), session(t, c)
	commit(t, a) // an empty first commit creates the session
	b.Merge(map[string]any{"x": 1})
	if err := b.Commit(t.Context(), noon); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("second first commit: %v", err)
	}
	commit(t, a) // nothing changed: nothing written
	if v := session(t, c).Version(); v != 1 {
		t.Errorf("version %d after a commit without changes", v)
	}
}

func TestSessionBadKey(t *testing.T) {
	c := memory.NewConversations(inmem.New(nil), 10)
	if _, err := c.ForSession(context.Background(), memory.Key{UserID: "u"}); !errors.Is(err, memory.ErrBadKey) {
		t.Errorf("ForSession: %v", err)
	}
}

func TestInvalidUnicodeInKeys(t *testing.T) {
	for _, bad := range []string{"", "a\nb", "a\x00", "\xff", string(make([]byte, printable.MaxID+1))} {
		k := memory.Key{UserID: "u", AgentID: "a", SessionID: bad}
		if err := k.Validate(); !errors.Is(err, memory.ErrBadKey) {
			t.Errorf("Validate of %d bytes: %v", len(bad), err)
		}
	}
}

// TestUpdate changes a part of the state: the rest stays, and the version is the store's.
func TestUpdate(t *testing.T) {
	c := memory.NewConversations(inmem.New(nil), 10)
	s := session(t, c)
	s.SetState(memory.State{Params: map[string]any{"order_id": "O-1"}, LastIntentID: "order_status"})
	commit(t, s)
	s = session(t, c)
	s.Update(func(state *memory.State) { state.WaitingForParam, state.Version = "zip", 99 })
	commit(t, s)
	want := memory.State{Params: map[string]any{"order_id": "O-1"}, LastIntentID: "order_status", WaitingForParam: "zip", Version: 2}
	if diff := cmp.Diff(want, session(t, c).State()); diff != "" {
		t.Error(diff)
	}
}
