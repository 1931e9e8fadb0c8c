package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"sync/atomic"

	"github.com/slotway/slotway/scripts/harness"
)

// figures is the output of a run.
type figures struct {
	Lines   int64 `json:"lines"` // on stderr, nearly all of them telemetry
	Turns   int64 `json:"turns"`
	Planted int64 `json:"planted"`
	Hits    int   `json:"hits"`

	Bytes map[string]int64 `json:"searched_bytes"`
	Found map[string]int   `json:"found"`

	// These must be above 0, or the run had nothing to disclose.
	Own     int64 `json:"own_replies_with_values"`
	Given   int64 `json:"tool_calls_with_values"`
	Asked   int64 `json:"model_requests"`
	Spans   int64 `json:"span_requests"`
	Refused int64 `json:"refused_requests"`
	Files   int   `json:"files"`

	Samples map[string]string `json:"samples,omitempty"`
}

func main() {
	turns := flag.Int("turns", 200000, "turns to take, at least")
	modelled := flag.Int("modelled", 2000, "turns to take with model servers before")
	people := flag.Int("people", 16, "people who talk at the same time")
	seed := flag.Uint64("seed", 1, "of what is said")
	keep := flag.String("dir", "", "folder for the databases, which stay (default: a temporary one)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	f, err := run(ctx, *keep, *turns, *modelled, *people, *seed)
	if err != nil {
		fmt.Fprintf(os.Stderr, "canary: %v\n", err)
		os.Exit(1)
	}
	out, _ := json.MarshalIndent(f, "", "  ")
	fmt.Println(string(out))
	if f.Hits > 0 {
		os.Exit(1)
	}
}

// run tests a service with model servers, then one without.
func run(ctx context.Context, dir string, turns, modelled, people int, seed uint64) (*figures, error) {
	if dir == "" {
		temp, err := os.MkdirTemp("", "canary-*")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(temp)
		dir = temp
	}
	dir, err := filepath.Abs(dir) // the process has another working directory
	if err != nil {
		return nil, err
	}
	binary, err := harness.Build(ctx, dir)
	if err != nil {
		return nil, err
	}
	out := newLedger()
	servers := &servers{out: out}
	listening := httptest.NewServer(servers)
	defer listening.Close()
	var all counts
	files := 0
	for i, part := range []struct {
		turns int
		set   []string
	}{
		{modelled, modelSettings(listening.URL)}, {turns, nil},
	} {
		if part.turns == 0 {
			continue
		}
		s := &service{
			out: out, binary: binary, dir: filepath.Join(dir, fmt.Sprint("data", i)), outside: listening.URL, set: part.set,
			people: people, turns: int64(part.turns), seed: seed + uint64(i)<<32, counts: &all,
		}
		n, err := s.run(ctx)
		if err != nil {
			return nil, err
		}
		files += n
	}
	f := &figures{
		Lines: out.lines, Turns: all.turns.Load(), Planted: all.planted.Load(), Bytes: out.bytes, Found: out.hits, Own: all.own.Load(),
		Given: servers.given.Load(), Asked: servers.asked.Load(), Spans: servers.spans.Load(), Refused: all.refused.Load(), Files: files, Samples: out.sample,
	}
	for n := range maps.Values(out.hits) {
		f.Hits += n
	}
	if f.Own == 0 || f.Given == 0 || f.Spans == 0 || f.Refused == 0 || f.Files == 0 || modelled > 0 && f.Asked == 0 {
		return f, errors.Join(errNothing, json.NewEncoder(os.Stderr).Encode(f))
	}
	return f, nil
}

// counts are those of the clients.
type counts struct {
	turns, planted atomic.Int64
	own            atomic.Int64 // replies that hold a value, as they should
	refused        atomic.Int64 // requests
}

// errNothing reports a run in which no value could have come out.
var errNothing = errors.New("the values did not get to where they might have come out")
