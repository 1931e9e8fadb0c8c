package storetest

import (
	"bytes"
	"errors"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/transfer"
)

func (s *suite) session(key memory.Key, recent int) *memory.Session {
	s.Helper()
	session, err := memory.NewConversations(s.Backend, recent).ForSession(s.Context(), key)
	if err != nil {
		s.Fatalf("ForSession: %v", err)
	}
	return session
}

// undo takes the last turn back and returns its number.
func (s *suite) undo(key memory.Key) int64 {
	s.Helper()
	session := s.session(key, 5)
	t, err := session.Undo(s.Context())
	if err != nil {
		s.Fatalf("Undo: %v", err)
	}
	count, history := session.HistoryCount(), session.History()
	if err := session.Commit(s.Context(), t0); err != nil {
		s.Fatalf("Commit of an undo: %v", err)
	}
	fresh := s.session(key, 5)
	if fresh.HistoryCount() != count || session.HistoryCount() != count {
		s.Errorf("history after undo: %d loaded, %d kept, %d expected", fresh.HistoryCount(), session.HistoryCount(), count)
	}
	if got := fresh.History(); len(got) < len(history) || (len(history) > 0 && got[len(got)-1].Seq != history[len(history)-1].Seq) {
		s.Errorf("window after undo: %v, buffered it was %v", seqs(got), seqs(history))
	}
	return t.Number
}

func (s *suite) turns(key memory.Key, page memory.Page) []memory.Turn {
	s.Helper()
	list, err := s.Turns(s.Context(), key, page)
	if err != nil {
		s.Fatalf("Turns: %v", err)
	}
	return list
}

func numbers(list []memory.Turn) []int64 {
	var out []int64
	for _, t := range list {
		out = append(out, t.Number)
	}
	return out
}

// Every turn keeps how the session stood after it.
func turnsKeepThePast(s *suite) {
	var want []*memory.TurnSnapshot
	for range 5 {
		snap := s.talk(ada, 1)
		want = append(want, &memory.TurnSnapshot{
			Counters: memory.Counters{Version: snap.State.Version, NextSeq: snap.NextSeq, Floor: 1, Turns: snap.Turns},
			State:    snap.State,
		})
	}
	var got []*memory.TurnSnapshot
	for _, t := range s.turns(ada, memory.Page{}) {
		got = append(got, t.Snapshot)
	}
	s.same("pasts", want, got)
	s.same("after", []int64{3, 4, 5}, numbers(s.turns(ada, memory.Page{After: 2})))
	s.same("limited", []int64{1, 2}, numbers(s.turns(ada, memory.Page{Limit: 2})))
	s.same("the last", []int64{4, 5}, numbers(s.turns(ada, memory.Page{Limit: 2, Last: true})))
	_, err := s.Turns(s.Context(), memory.Key{UserID: "eve", AgentID: "shop", SessionID: "one"}, memory.Page{})
	s.wantErr("Turns of an unknown session", err, memory.ErrNotFound)
}

func undo(s *suite) {
	_, err := s.session(ada, 5).Undo(s.Context())
	s.wantErr("Undo of nothing", err, memory.ErrNotFound)
	s.talk(ada, 3)
	if n := s.undo(ada); n != 3 {
		s.Errorf("Undo took back turn %d", n)
	}
	snap := s.load(ada, memory.LoadOptions{Recent: 10})
	s.same("state", map[string]any{"n": 2.0}, snap.State.Params)
	s.same("window", []int64{1, 2, 3, 4}, seqs(snap.Recent))
	if snap.History() != 4 || snap.NextSeq != 7 || snap.Turns != 3 || snap.State.Version != 4 {
		s.Errorf("after undo: %+v", snap)
	}
	s.same("live turns", []int64{1, 2}, numbers(s.turns(ada, memory.Page{})))
	s.same("all turns", []int64{1, 2, 3}, numbers(s.turns(ada, memory.Page{Inactive: true})))
	if s.load(ada, memory.LoadOptions{RequestID: "r3"}).Replay == nil {
		s.Error("the request of the undone turn would run again")
	}

	s.talk(ada, 1) // turn 4, messages 7 and 8
	s.same("the next turn", []int64{4, 7, 8}, seqs(s.load(ada, memory.LoadOptions{Recent: 3}).Recent))
	for _, want := range []int64{4, 2, 1} {
		if n := s.undo(ada); n != want {
			s.Errorf("Undo took back turn %d, want %d", n, want)
		}
	}
	snap = s.load(ada, memory.LoadOptions{Recent: 10, Fresh: true})
	if snap.History() != 0 || len(snap.Recent) != 0 || len(snap.State.Params) != 0 {
		s.Errorf("all turns undone: %+v", snap)
	}
	_, err = s.session(ada, 5).Undo(s.Context())
	s.wantErr("Undo of one too many", err, memory.ErrNoSnapshot)
	s.talk(ada, 1)
	s.same("a fresh turn", []int64{9, 10}, seqs(s.load(ada, memory.LoadOptions{Recent: 10}).Recent))
}

// What is retracted is in no page and in no count, wherever the floor is.
func undoAndFloor(s *suite) {
	s.talk(ada, 4)
	s.undo(ada)
	s.talk(ada, 2) // messages 1-6 and 9-12
	page := func(p memory.Page) []int64 {
		s.Helper()
		list, err := s.Messages(s.Context(), ada, p)
		if err != nil {
			s.Fatalf("Messages: %v", err)
		}
		return seqs(list)
	}
	s.same("a page", []int64{4, 5, 6, 9}, page(memory.Page{After: 3, Limit: 4}))
	s.same("the last", []int64{5, 6, 9, 10, 11, 12}, page(memory.Page{Limit: 6, Last: true}))
	s.same("with inactive ones", []int64{7, 8, 9, 10, 11, 12}, page(memory.Page{Limit: 6, Last: true, Inactive: true}))

	session := s.session(ada, 20)
	session.Prune(6)
	if err := session.Commit(s.Context(), t0); err != nil {
		s.Fatal(err)
	}
	snap := s.load(ada, memory.LoadOptions{Recent: 20})
	s.same("after Prune", []int64{5, 6, 9, 10, 11, 12}, seqs(snap.Recent))
	if snap.History() != 6 || session.HistoryCount() != 6 {
		s.Errorf("History is %d, kept %d", snap.History(), session.HistoryCount())
	}
	session.Prune(3)
	if err := session.Commit(s.Context(), t0); err != nil {
		s.Fatal(err)
	}
	if snap = s.load(ada, memory.LoadOptions{Recent: 20}); snap.History() != 3 || len(snap.Recent) != 3 {
		s.Errorf("after another Prune: history %d, window %v", snap.History(), seqs(snap.Recent))
	}
	var b bytes.Buffer
	if err := s.Export(s.Context(), ada, &b); err != nil {
		s.Fatal(err)
	}
	if err := s.Delete(s.Context(), ada); err != nil {
		s.Fatal(err)
	}
	if n, err := s.Import(s.Context(), &b); n != 1 || err != nil {
		s.Fatalf("Import = %d, %v", n, err)
	}
	again := s.load(ada, memory.LoadOptions{Recent: 20})
	s.same("after export and import", snap, again)
	s.same("live turns", []int64{1, 2, 3, 5, 6}, numbers(s.turns(ada, memory.Page{})))
}

// An undo that loses against another turn changes nothing.
func undoConflict(s *suite) {
	s.talk(ada, 2)
	session := s.session(ada, 5)
	if _, err := session.Undo(s.Context()); err != nil {
		s.Fatal(err)
	}
	s.talk(ada, 1)
	s.wantErr("Commit", session.Commit(s.Context(), t0), memory.ErrConflict)
	if snap := s.load(ada, memory.LoadOptions{Recent: 9}); len(snap.Recent) != 6 {
		s.Errorf("window %v", seqs(snap.Recent))
	}
}

func fork(s *suite) {
	branch := memory.Key{UserID: "ada", AgentID: "shop", SessionID: "branch"}
	s.wantErr("Fork of nothing", transfer.Fork(s.Context(), s.Backend, ada, branch, 0, nil), memory.ErrNotFound)
	s.talk(ada, 2)
	s.start(ada, 2, step("open"))
	d := turn(s.load(ada, memory.LoadOptions{}))
	done := step("done")
	done.Status, done.Turn = memory.StepDone, 3
	d.Steps = []memory.Step{done}
	s.commit(d)
	s.talk(ada, 1)

	for turn, want := range map[int64][]int64{0: {1, 2, 3, 4, 5, 6, 7, 8}, 2: {1, 2, 3, 4}} {
		if err := transfer.Fork(s.Context(), s.Backend, ada, branch, turn, nil); err != nil {
			s.Fatalf("Fork at %d: %v", turn, err)
		}
		snap := s.load(branch, memory.LoadOptions{Recent: 20})
		s.same("messages", want, seqs(snap.Recent))
		s.same("params", map[string]any{"n": float64(len(want) / 2)}, snap.State.Params)
		if len(snap.OpenSteps) != 0 {
			s.Error("a call under way was copied")
		}
		if n := len(s.archive(branch).Steps); n != map[int64]int{0: 1, 2: 0}[turn] {
			s.Errorf("fork at %d has %d journal rows", turn, n)
		}
		s.wantErr("Fork over a session that grew", func() error {
			s.talk(branch, 1)
			return transfer.Fork(s.Context(), s.Backend, ada, branch, turn, nil)
		}(), memory.ErrConflict)
		if err := s.Delete(s.Context(), branch); err != nil {
			s.Fatal(err)
		}
	}
	s.wantErr("Fork at a turn to come", transfer.Fork(s.Context(), s.Backend, ada, branch, 9, nil), memory.ErrNotFound)
	if snap := s.load(ada, memory.LoadOptions{Recent: 20}); len(snap.Recent) != 8 || len(snap.OpenSteps) != 1 {
		s.Error("the original changed")
	}
}

func describing(s *suite) {
	s.wantErr("Describe of nothing", s.Describe(s.Context(), ada, memory.About{Title: "x"}), memory.ErrNotFound)
	s.talk(ada, 1)
	before := s.load(ada, memory.LoadOptions{Recent: 9})
	about := memory.About{Title: "Lost parcel, 50% off", Tags: []string{"urgent", "parcel", "urgent"}}
	if err := s.Describe(s.Context(), ada, about); err != nil {
		s.Fatal(err)
	}
	about.Tags[0] = "changed"
	s.same("a description is no turn", before, s.load(ada, memory.LoadOptions{Recent: 9}))
	for _, q := range []struct {
		query memory.Query
		n     int
	}{
		{memory.Query{}, 1},
		{memory.Query{Text: "PARCEL"}, 1},
		{memory.Query{Text: "50% off"}, 1},
		{memory.Query{Text: "5_%"}, 0},
		{memory.Query{Text: "one"}, 1}, // the session's id
		{memory.Query{SessionID: "one"}, 1},
		{memory.Query{SessionID: "on"}, 0},
		{memory.Query{Tag: "urgent"}, 1},
		{memory.Query{Tag: "urg"}, 0},
		{memory.Query{Tag: "urgent", UserID: "eve"}, 0},
		{memory.Query{Text: "weather"}, 0},
	} {
		list := s.list(q.query)
		if len(list) != q.n {
			s.Errorf("%+v lists %d sessions, want %d", q.query, len(list), q.n)
		}
		for _, info := range list {
			s.same("about", memory.About{Title: "Lost parcel, 50% off", Tags: []string{"parcel", "urgent"}}, info.About)
		}
	}
	var b bytes.Buffer
	if err := s.Export(s.Context(), ada, &b); err != nil {
		s.Fatal(err)
	}
	if err := s.Delete(s.Context(), ada); err != nil {
		s.Fatal(err)
	}
	if _, err := s.Import(s.Context(), &b); err != nil {
		s.Fatal(err)
	}
	if list := s.list(memory.Query{Tag: "parcel"}); len(list) != 1 {
		s.Error("the description is not in the export")
	}
	if err := s.Describe(s.Context(), ada, memory.About{}); err != nil {
		s.Fatal(err)
	}
	if list := s.list(memory.Query{Tag: "parcel"}); len(list) != 0 {
		s.Error("the description cannot be taken away")
	}
}

// Erase leaves nothing of one person and everything of another.
func erase(s *suite) {
	eve := memory.Key{UserID: "eve", AgentID: "shop", SessionID: "one"}
	for _, id := range []string{"one", "two", "three"} {
		key := memory.Key{UserID: "ada", AgentID: "shop", SessionID: id}
		s.want(key, memory.WantedJob{Kind: "embed", RunAt: t0.Add(time.Hour)})
		s.put(1, view(key, "summary", "a", 2, "x"))
	}
	s.talk(eve, 1)
	s.put(1, view(eve, "summary", "a", 2, "eve's"))
	if n, err := memory.Erase(s.Context(), s.Backend, "ada"); n != 3 || err != nil {
		s.Errorf("Erase = %d, %v", n, err)
	}
	s.same("views", []string{"eve's"}, texts(s.views(memory.ViewQuery{Tier: "summary"})))
	s.same("jobs", []string(nil), kinds(s.jobs(memory.JobQuery{})))
	if diff := cmp.Diff([]memory.Info{{Key: eve}}, s.list(memory.Query{}), cmpopts.IgnoreFields(memory.Info{}, "Turns", "History", "Version", "CreatedAt", "UpdatedAt")); diff != "" {
		s.Errorf("sessions (-want +got):\n%s", diff)
	}
	if _, err := memory.Erase(s.Context(), s.Backend, ""); !errors.Is(err, memory.ErrBadKey) {
		s.Errorf("Erase of everybody: %v", err)
	}
}
