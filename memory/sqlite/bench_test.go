package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// BenchmarkLoad loads a session for a turn.
func BenchmarkLoad(b *testing.B) {
	store := open(b, filepath.Join(b.TempDir(), "memory.db"), &Options{Durability: Relaxed})
	preload(b, store, benchKey(0), 100)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := store.Load(b.Context(), benchKey(0), memory.LoadOptions{Recent: 16, RequestID: "a request not seen before"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCommit commits a turn to a session that grows. It does not wait for the disk, so that
// its time is the program's.
func BenchmarkCommit(b *testing.B) {
	store := open(b, filepath.Join(b.TempDir(), "memory.db"), &Options{Durability: Relaxed})
	preload(b, store, benchKey(0), 10)
	snap, err := store.Load(b.Context(), benchKey(0), memory.LoadOptions{Recent: 16})
	if err != nil {
		b.Fatal(err)
	}
	at := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		d := turnOf(benchKey(0), snap, at)
		if err := store.Commit(b.Context(), d); err != nil {
			b.Fatal(err)
		}
		snap.State.Version++
		snap.Turns, snap.NextSeq = snap.Turns+1, snap.NextSeq+2
	}
}

const (
	benchQuestion = "Where is my order O-12345?"
	benchReply    = "Order O-12345, wool blanket, is pending. Expected arrival: Friday."
	benchResponse = `{"session_id":"s-12/345","turn":2,"intent":"order_status","reply":"` + benchReply + `","asked":null,"tool_calls":[{"tool":"find_orders","status":"ok"}]}`
)

func benchKey(i int) memory.Key {
	return memory.Key{UserID: "user", AgentID: "agent", SessionID: fmt.Sprint("session-", i)}
}

func preload(tb testing.TB, store memory.Backend, key memory.Key, messages int) {
	d := &memory.Delta{Key: key, At: time.Now(), State: memory.State{Params: map[string]any{"order_id": "O-12345", "customer": "c"}}}
	for i := range messages {
		d.Messages = append(d.Messages, memory.Message{Seq: int64(i + 1), Turn: 1, Role: memory.User, Text: benchQuestion, Timestamp: time.Now()})
	}
	if err := store.Commit(context.Background(), d); err != nil {
		tb.Fatal(err)
	}
}

// turnOf is a turn of two messages.
func turnOf(key memory.Key, snap *memory.Snapshot, at time.Time) *memory.Delta {
	n := snap.Turns + 1
	return &memory.Delta{
		Key: key, Base: snap.State.Version, At: at,
		Messages: []memory.Message{
			{Seq: snap.NextSeq, Turn: n, Role: memory.User, Text: benchQuestion, Timestamp: at, Tokens: 16},
			{Seq: snap.NextSeq + 1, Turn: n, Role: memory.Agent, Text: benchReply, Timestamp: at, Tokens: 16},
		},
		State: snap.State,
		Turn: &memory.Turn{
			RequestID: fmt.Sprintf("request-%016x", uint64(n)*0x9e3779b97f4a7c15), Number: n, Intent: "order_status",
			Outcome: "responded", Response: []byte(benchResponse), At: at,
		},
	}
}
