package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
)

// BenchmarkTurn is one turn as the router makes it: load with window and request id,
// change, commit. The cost must not depend on the history.
func BenchmarkTurn(b *testing.B) {
	for _, durability := range []Durability{Durable, Relaxed} {
		for _, history := range []int{10, 10_000} {
			for _, clients := range []int{1, 64} {
				b.Run(fmt.Sprintf("%s/history=%d/clients=%d", durability, history, clients), func(b *testing.B) {
					benchTurn(b, durability, history, clients, clients)
				})
			}
		}
	}
	b.Run("durable/sessions=1000/clients=64", func(b *testing.B) { benchTurn(b, Durable, 10, 64, 1000) })
}

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

func oneTurn(tb testing.TB, store memory.Backend, key memory.Key) {
	ctx := context.Background()
	snap, err := store.Load(ctx, key, memory.LoadOptions{Recent: 16, RequestID: "a request not seen before"})
	if err == nil {
		err = store.Commit(ctx, turnOf(key, snap, time.Now()))
	}
	if err != nil {
		tb.Error(err)
	}
}

func benchTurn(b *testing.B, durability Durability, history, clients, sessions int) {
	store := open(b, filepath.Join(b.TempDir(), "memory.db"), &Options{Durability: durability})
	for i := range sessions {
		preload(b, store, benchKey(i), history)
	}
	var left atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			own := sessions / clients // no session has two clients
			for n := 0; left.Add(-1) >= 0; n++ {
				oneTurn(b, store, benchKey(c*own+n%own))
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
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
