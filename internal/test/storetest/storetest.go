package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// Run tests a store. open returns an empty one each time.
func Run(t *testing.T, open func(t *testing.T) memory.Backend) {
	for _, c := range []struct {
		name string
		test func(*suite)
	}{
		{"UnknownSession", unknownSession},
		{"BadKey", badKey},
		{"Turns", turns},
		{"EveryField", everyField},
		{"StrangeText", strangeText},
		{"LargeValues", largeValues},
		{"TextsLikeSeals", textsLikeSeals},
		{"Isolation", isolation},
		{"BadDelta", badDelta},
		{"Conflict", conflict},
		{"ConcurrentCommits", concurrentCommits},
		{"ConcurrentSessions", concurrentSessions},
		{"Replay", replay},
		{"RequestIDCommittedOnce", requestIDOnce},
		{"JournalBeforeFirstCommit", journalBeforeFirstCommit},
		{"JournalOutcome", journalOutcome},
		{"JournalRefusals", journalRefusals},
		{"JournalOrigin", journalOrigin},
		{"JournalAddedWithCommit", journalAdded},
		{"Clear", clearEpoch},
		{"Floor", floor},
		{"Window", window},
		{"Paging", paging},
		{"Listing", listing},
		{"Walk", walk},
		{"Delete", deletion},
		{"PruneByAge", pruneByAge},
		{"ExportImport", exportImport},
		{"ImportRefusals", importRefusals},
		{"JobsCoalesce", jobsCoalesce},
		{"JobsClaim", jobsClaim},
		{"JobsLease", jobsLease},
		{"JobsFail", jobsFail},
		{"JobsOfManyWorkers", jobsOfManyWorkers},
		{"JobsGoWithTheirSession", jobsGoWithTheirSession},
		{"Views", viewsPutAndRead},
		{"ViewsFenced", viewsFenced},
		{"ViewsIsolation", viewsIsolation},
		{"Meta", meta},
		{"Inbox", inbox},
		{"TurnsKeepThePast", turnsKeepThePast},
		{"Undo", undo},
		{"UndoAndFloor", undoAndFloor},
		{"UndoConflict", undoConflict},
		{"Fork", fork},
		{"Describing", describing},
		{"SaidOfASession", saidOfASession},
		{"Create", creating},
		{"Expire", expires},
		{"Erase", erase},
		{"Copies", copies},
		{"CancelledContext", cancelled},
		{"Closed", closed},
		{"Model", model},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(&suite{T: t, open: open, Backend: opened(t, open)}) })
	}
}

// suite is one test with its store.
type suite struct {
	*testing.T
	memory.Backend
	open func(t *testing.T) memory.Backend
}

func opened(t *testing.T, open func(t *testing.T) memory.Backend) memory.Backend {
	t.Helper()
	store := open(t)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return store
}

var (
	ada = memory.Key{UserID: "ada", AgentID: "shop", SessionID: "one"}
	t0  = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)
)

func (s *suite) load(key memory.Key, opts memory.LoadOptions) *memory.Snapshot {
	s.Helper()
	snap, err := s.Load(s.Context(), key, opts)
	if err != nil {
		s.Fatalf("Load: %v", err)
	}
	return snap
}

func (s *suite) commit(d *memory.Delta) {
	s.Helper()
	if err := s.Commit(s.Context(), d); err != nil {
		s.Fatalf("Commit on base %d: %v", d.Base, err)
	}
}

func (s *suite) start(key memory.Key, base int64, step memory.Step) {
	s.Helper()
	if err := s.Start(s.Context(), key, base, step); err != nil {
		s.Fatalf("Start on base %d: %v", base, err)
	}
}

// wantErr fails unless err is the sentinel.
func (s *suite) wantErr(what string, err, sentinel error) {
	s.Helper()
	if !errors.Is(err, sentinel) {
		s.Errorf("%s: error %v, want %v", what, err, sentinel)
	}
}

func (s *suite) same(what string, want, got any) {
	s.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		s.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// turn is a whole turn: two messages, a state and a record, computed from the snapshot.
func turn(snap *memory.Snapshot) *memory.Delta {
	n := snap.Turns + 1
	at := t0.Add(time.Duration(n) * time.Minute)
	return &memory.Delta{
		Key: snap.Key, Base: snap.State.Version, At: at,
		Messages: []memory.Message{
			{Seq: snap.NextSeq, Turn: n, Role: memory.User, Text: fmt.Sprintf("question %d", n), Timestamp: at},
			{Seq: snap.NextSeq + 1, Turn: n, Role: memory.Agent, Text: fmt.Sprintf("answer %d", n), Timestamp: at},
		},
		State: memory.State{Params: map[string]any{"n": float64(n)}, LastIntentID: "ask"},
		Turn: &memory.Turn{
			RequestID: fmt.Sprintf("r%d", n), Number: n, Intent: "ask", Outcome: "responded",
			Response: fmt.Appendf(nil, `{"reply":"answer %d"}`, n), At: at,
		},
	}
}

// talk commits n turns.
func (s *suite) talk(key memory.Key, n int) *memory.Snapshot {
	s.Helper()
	for range n {
		s.commit(turn(s.load(key, memory.LoadOptions{})))
	}
	return s.load(key, memory.LoadOptions{Recent: 1000})
}

func step(key string) memory.Step {
	return memory.Step{
		IdempotencyKey: key, Turn: 1, Plan: "refund", Step: "pay", Tool: "refund",
		Args: []byte(`{"amount":5}`), Status: memory.StepStarted, Attempts: 1, StartedAt: t0,
	}
}

func seqs(list []memory.Message) []int64 {
	var out []int64
	for _, m := range list {
		out = append(out, m.Seq)
	}
	return out
}
