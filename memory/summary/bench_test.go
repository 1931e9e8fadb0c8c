package summary

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/sqlite"
	"github.com/slotway/slotway/memory/window"
)

// long fills a session with n messages of turns of two, and summarises it.
func long(b *testing.B, store memory.Backend, n int) (*Tier, memory.Request) {
	b.Helper()
	ctx := context.Background()
	conv := memory.NewConversations(store, 16)
	tier := New(store, nil)
	now := day
	for done := 0; done < n; {
		s, err := conv.ForSession(ctx, key)
		if err != nil {
			b.Fatal(err)
		}
		now = now.Add(time.Minute)
		s.Append(memory.Message{Role: memory.User, Text: fmt.Sprintf("I went to the market on day %d and bought %s apples for my aunt.", done, words9[done%9]), Timestamp: now})
		s.Append(memory.Message{Role: memory.Agent, Text: fmt.Sprintf("Noted: the %s apples of day %d.", words9[done%9], done), Timestamp: now})
		s.Merge(map[string]any{"city": "Oslo", "count": float64(done)})
		s.RecordTurn(memory.Turn{RequestID: fmt.Sprint(done), Outcome: "responded"})
		if err := s.Commit(ctx, now); err != nil {
			b.Fatal(err)
		}
		done += 2
	}
	if err := tier.Work(ctx, memory.Job{Key: key}); err != nil {
		b.Fatal(err)
	}
	s, err := conv.ForSession(ctx, key)
	if err != nil {
		b.Fatal(err)
	}
	return tier, s.Request("where to?", now, 0)
}

func stores(b *testing.B, run func(b *testing.B, store memory.Backend)) {
	b.Run("inmem", func(b *testing.B) {
		store := inmem.New(nil)
		defer func() { _ = store.Close() }()
		run(b, store)
	})
	b.Run("sqlite", func(b *testing.B) {
		store, err := sqlite.Open(context.Background(), filepath.Join(b.TempDir(), "s.db"), &sqlite.Options{Durability: sqlite.Relaxed})
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = store.Close() }()
		run(b, store)
	})
}

// What a context costs must not grow with the history.
func BenchmarkContribute(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			stores(b, func(b *testing.B, store memory.Backend) {
				tier, req := long(b, store, n)
				w := window.New(window.Limits{MaxTurns: 8})
				b.ReportAllocs()
				for b.Loop() {
					var c memory.Context
					_ = w.Contribute(context.Background(), req, &c)
					if err := tier.Contribute(context.Background(), req, &c); err != nil || c.Narrative == "" {
						b.Fatal(err, "no narrative")
					}
				}
			})
		})
	}
}

// BenchmarkWork summarises a session of 1,000 messages from the beginning: about 50 blocks.
func BenchmarkWork(b *testing.B) {
	stores(b, func(b *testing.B, store memory.Backend) {
		tier, _ := long(b, store, 1000)
		b.ReportAllocs()
		for b.Loop() {
			if err := tier.Drop(context.Background(), key); err != nil {
				b.Fatal(err)
			}
			if err := tier.Work(context.Background(), memory.Job{Key: key}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/50, "µs/block")
	})
}
