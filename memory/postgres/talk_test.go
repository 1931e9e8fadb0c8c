package postgres

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/sqlstore"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func testKey(i int) memory.Key {
	return memory.Key{UserID: fmt.Sprint("user", i), AgentID: "shop", SessionID: fmt.Sprint("session", i)}
}

// turnOf is the next turn of a session; what it says names the session and the turn.
func turnOf(snap *memory.Snapshot, request string) *memory.Delta {
	n := snap.Turns + 1
	return &memory.Delta{
		Key: snap.Key, Base: snap.State.Version, At: noon.Add(time.Duration(n) * time.Second),
		Messages: []memory.Message{
			{Seq: snap.NextSeq, Turn: n, Role: memory.User, Text: fmt.Sprintf("%s asks %d", snap.Key.SessionID, n), Timestamp: noon},
			{Seq: snap.NextSeq + 1, Turn: n, Role: memory.Agent, Text: fmt.Sprintf("%s hears %d", snap.Key.SessionID, n), Timestamp: noon},
		},
		State: memory.State{Params: map[string]any{"owner": snap.Key.SessionID, "n": float64(n)}},
		Turn:  &memory.Turn{RequestID: request, Number: n, Outcome: "responded", Response: fmt.Appendf(nil, `"%s %d"`, snap.Key.SessionID, n)},
	}
}

func load(tb testing.TB, s *sqlstore.Store, key memory.Key) *memory.Snapshot {
	tb.Helper()
	snap, err := s.Load(context.Background(), key, memory.LoadOptions{Recent: 1000})
	if err != nil {
		tb.Fatalf("Load: %v", err)
	}
	return snap
}

func talk(tb testing.TB, s *sqlstore.Store, key memory.Key, turns int) {
	tb.Helper()
	for range turns {
		snap := load(tb, s, key)
		if err := s.Commit(context.Background(), turnOf(snap, fmt.Sprint("r", snap.Turns+1))); err != nil {
			tb.Fatalf("Commit: %v", err)
		}
	}
}

// mustHold verifies a session of n turns: each once, in order, and nobody else's.
func mustHold(tb testing.TB, s *sqlstore.Store, key memory.Key, turns int) {
	tb.Helper()
	snap := load(tb, s, key)
	if snap.Turns != int64(turns) || len(snap.Recent) != 2*turns {
		tb.Errorf("%s: %d turns and %d messages, want %d and %d", key.SessionID, snap.Turns, len(snap.Recent), turns, 2*turns)
	}
	mustBeOf(tb, key, snap)
	list, err := s.Turns(context.Background(), key, memory.Page{})
	if err != nil {
		tb.Fatalf("Turns: %v", err)
	}
	for i, t := range list {
		if t.Number != int64(i)+1 {
			tb.Errorf("%s: turn %d stands at place %d", key.SessionID, t.Number, i+1)
		}
	}
}

// mustBeOf verifies that everything in a snapshot is the session's own.
func mustBeOf(tb testing.TB, key memory.Key, snap *memory.Snapshot) {
	tb.Helper()
	if snap.Turns > 0 && snap.State.Params["owner"] != key.SessionID {
		tb.Errorf("%s: somebody else's params", key.SessionID)
	}
	for _, m := range snap.Recent {
		what := "asks"
		if m.Role == memory.Agent {
			what = "hears"
		}
		if m.Text != fmt.Sprintf("%s %s %d", key.SessionID, what, m.Turn) || (m.Seq+1)/2 != m.Turn {
			tb.Errorf("%s: message %d of turn %d is %q", key.SessionID, m.Seq, m.Turn, m.Text)
		}
	}
	if snap.Replay != nil && string(snap.Replay.Response) != fmt.Sprintf(`"%s %d"`, key.SessionID, snap.Replay.Number) {
		tb.Errorf("%s: a replay of somebody else", key.SessionID)
	}
}
