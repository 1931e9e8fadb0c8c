package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/memory/sqlite"

	"github.com/slotway/slotway/internal/test/programtest"
	"github.com/slotway/slotway/internal/test/runtimetest"
)

// longCosts lists requests about one session, and the most that a request may take with 10,000
// messages, as a multiple of its time with 10. 0 sets no bound: an export is the whole
// conversation, and a context search goes through all of it. A page of turns reads an index with
// one entry a turn, but not the turns; a test of package sqlite checks SQLite's plan for that.
var longCosts = []struct {
	path string
	most float64
}{
	{"/messages?last=true&limit=20", 4},
	{"/messages?after=0&limit=20", 4},
	{"/state", 4},
	{"/context?text=blanket", 0},
	{"", 4},
	{"/turns?last=true&limit=20", 0},
	{"/export", 0},
}

// TestLongSessionCosts: what the studio and clients read after each turn costs the same however
// long the session is.
func TestLongSessionCosts(t *testing.T) {
	if testing.Short() {
		t.Skip("writes ten thousand messages")
	}
	if programtest.Race {
		t.Skip("one client reads ten thousand messages: no race, and times that say nothing")
	}
	s := runtimetest.ServeWithKeys(t, []string{"memory.durability=relaxed"}, "web=alice chat, read")
	for id, turns := range map[string]int{"short": 5, "long": 5000} {
		fill(t, s.Runtime.Runtime, memory.Key{UserID: "alice", AgentID: "shop", SessionID: id}, turns)
	}
	get := func(id, path string) time.Duration {
		begun := time.Now()
		s.Get(t, "web", "/v1/sessions/"+id+path)
		return time.Since(begun)
	}
	for _, c := range longCosts {
		var took [2][]time.Duration
		times := 21
		if c.most == 0 {
			times = 1
		}
		for range times { // taken in turns, so that a busy machine is busy for both
			took[0], took[1] = append(took[0], get("short", c.path)), append(took[1], get("long", c.path))
		}
		slices.Sort(took[0])
		slices.Sort(took[1])
		short, long := took[0][times/2], took[1][times/2]
		t.Logf("%-32s %9s with 10 messages, %9s with 10,000", c.path, short, long)
		if ratio := long.Seconds() / short.Seconds(); c.most > 0 && ratio > c.most && long > 5*time.Millisecond {
			t.Errorf("%s takes %.1f times as long, %.1f are tolerated", c.path, ratio, c.most)
		}
	}
}

// fill writes turns into a session, each with its own redacted value.
func fill(t *testing.T, a *slotway.Runtime, key memory.Key, turns int) {
	t.Helper()
	conversations := memory.NewConversations(a.Store(), 0)
	for i := range turns {
		s, err := conversations.ForSession(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		order := fmt.Sprintf("O-%05d", i)
		s.Append(memory.Message{Role: memory.User, Text: "where is the blanket of " + order, Timestamp: now})
		s.Append(memory.Message{Role: memory.Agent, Text: "It is on its way.", Timestamp: now})
		s.SetState(memory.State{Params: map[string]any{"order_id": order}})
		s.RecordTurn(memory.Turn{RequestID: fmt.Sprint(i), Outcome: "responded", Response: json.RawMessage(`{"reply":"It is on its way."}`)})
		if err := s.Commit(t.Context(), now); err != nil {
			t.Fatal(err)
		}
	}
}

// TestJobsBackUp: jobs that hang or fail wait in the store, one row for each session and kind, and
// in no queue of the process. Turns do not wait for them.
func TestJobsBackUp(t *testing.T) {
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "memory.db"), &sqlite.Options{Durability: "relaxed"})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	kinds := map[string]jobs.Func{
		"hangs": func(ctx context.Context, _ memory.Job) error { <-ctx.Done(); return ctx.Err() },
		"fails": func(context.Context, memory.Job) error { return errors.New("no") },
	}
	runner := jobs.New(store, kinds, nil)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- runner.Run(ctx) }()
	const sessions, turns = 20, 50
	conversations := memory.NewConversations(store, 0)
	for n := range turns {
		for i := range sessions {
			s, err := conversations.ForSession(t.Context(), memory.Key{UserID: "u", AgentID: "a", SessionID: fmt.Sprint(i)})
			if err != nil {
				t.Fatal(err)
			}
			now := time.Now()
			s.Append(memory.Message{Role: memory.User, Text: "more", Timestamp: now})
			s.RecordTurn(memory.Turn{RequestID: fmt.Sprint(n), Outcome: "responded", Response: json.RawMessage(`{}`)})
			for kind := range kinds {
				s.Enqueue(kind, now)
			}
			if err := s.Commit(t.Context(), now); err != nil {
				t.Fatal(err)
			}
			runner.Nudge()
		}
	}
	all, err := store.Jobs(t.Context(), memory.JobQuery{Limit: 1000})
	if err != nil || len(all) == 0 || len(all) > sessions*len(kinds) {
		t.Errorf("%d jobs wait after %d turns in %d sessions with %d kinds (%v)", len(all), turns*sessions, sessions, len(kinds), err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
