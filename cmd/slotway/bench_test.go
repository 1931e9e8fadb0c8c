package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/router"
)

// TestBenchTurns: the bench measures a flow that works, and leaves nothing behind.
func TestBenchTurns(t *testing.T) {
	for _, b := range []benchFlags{
		{sessions: 5, clients: 2, durability: "none", tools: "static"},
		{sessions: 3, clients: 3, durability: "relaxed", tools: "sql", history: 40},
	} {
		b.duration, b.opened = 50*time.Millisecond, 100
		dir := t.TempDir()
		cmd := &cobra.Command{}
		cmd.SetContext(t.Context())
		cmd.SetErr(&bytes.Buffer{})
		r, err := b.run(cmd, &flags{data: dir})
		if err != nil {
			t.Fatalf("%+v: %v", b, err)
		}
		stored := b.durability != "none"
		if r.Turns < 2 || r.TurnsPerS <= 0 || r.P99 < r.P50 || (r.RawCommits > 0) != stored || (r.BytesPerTurn > 0) != stored || r.HistoryAtEnd < float64(r.History) {
			t.Errorf("%+v: %+v", b, r)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

// The keys that scripts read.
func TestBenchJSON(t *testing.T) {
	var out bytes.Buffer
	if err := json.NewEncoder(&out).Encode(&benchResult{Turns: 2}); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"turns_per_s", "p50_us", "p99_us", "cpu_us_per_turn", "raw_commits_per_s", "ratio_to_raw", "bytes_per_turn", "kb_per_session"} {
		if !strings.Contains(out.String(), `"`+key+`":`) {
			t.Errorf("%s is missing in %s", key, out.String())
		}
	}
}

// BenchmarkHandle is one turn of the order lookup, sessions one after the other.
func BenchmarkHandle(b *testing.B) {
	for _, c := range []benchFlags{
		{sessions: 1, clients: 1, durability: "none", tools: "static"},
		{sessions: 1, clients: 1, durability: "none", tools: "sql"},
		{sessions: 1, clients: 1, durability: "durable", tools: "sql"},
	} {
		b.Run(c.durability+" "+c.tools, func(b *testing.B) {
			ctx := context.Background()
			a, err := c.app(ctx, &flags{}, b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer a.Close()
			s := &slot{fresh: true, key: (&benchFlags{}).key(a, "s")}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.turn(ctx, a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkConversation is one conversation in words as people use them: a lookup, a cancellation
// that is put off by a question, and two questions more.
func BenchmarkConversation(b *testing.B) {
	ctx := context.Background()
	a, err := (&benchFlags{sessions: 1, clients: 1, durability: "none", tools: "static"}).app(ctx, &flags{}, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		in := router.Interaction{Context: router.Context{SessionID: strconv.Itoa(n), UserID: benchUser}}
		for _, in.Text = range []string{
			"hi there, can you tell me where my order is?", "O-12345", "ok and when will it arrive", "thanks",
			"i would like to cancel order O-12345 please", "no, wait, what is your return policy?", "yes please",
			"how long does a refund take", "my blanket arrived broken and I want my money back", "never mind, bye",
		} {
			if _, err := a.Router().Handle(ctx, in); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// TestTurnAllocates bounds the allocations of a turn of the order lookup. What a rule builds anew
// for each message shows here first.
func TestTurnAllocates(t *testing.T) {
	if programtest.Race {
		t.Skip("the race detector allocates, too")
	}
	a, err := (&benchFlags{sessions: 1, clients: 1, durability: "none", tools: "static"}).app(t.Context(), &flags{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	s := &slot{fresh: true, key: (&benchFlags{}).key(a, "s")}
	lookup := func() {
		for range 2 {
			if _, err := s.turn(t.Context(), a); err != nil {
				t.Fatal(err)
			}
		}
	}
	if perTurn := testing.AllocsPerRun(200, lookup) / 2; perTurn > mostAllocs {
		t.Errorf("%v allocations a turn, at most %v are expected", perTurn, mostAllocs)
	}
}

// mostAllocs is a tenth more than was measured: 487. The redacted line about a tool's result takes
// about 80 of them.
const mostAllocs = 535

func TestQuantile(t *testing.T) {
	sorted := []time.Duration{1000, 2000, 3000, 4000, 5000}
	for p, want := range map[float64]float64{0: 1, 0.5: 3, 1: 5} {
		if got := quantile(sorted, p); got != want {
			t.Errorf("quantile %v is %v, want %v", p, got, want)
		}
	}
}
