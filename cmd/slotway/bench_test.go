package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// The bench measures a flow that works, and leaves nothing behind.
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
	if err := (&benchResult{Turns: 2}).print(&out, true); err != nil {
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

func TestQuantile(t *testing.T) {
	sorted := []time.Duration{1000, 2000, 3000, 4000, 5000}
	for p, want := range map[float64]float64{0: 1, 0.5: 3, 1: 5} {
		if got := quantile(sorted, p); got != want {
			t.Errorf("quantile %v is %v, want %v", p, got, want)
		}
	}
}
