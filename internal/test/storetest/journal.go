package storetest

import (
	"time"

	"github.com/slotway/slotway/memory"
)

// A call that was started before the session's first commit is found by the next Load,
// and the session is still no session.
func journalBeforeFirstCommit(s *suite) {
	s.start(ada, 0, step("k1"))
	for range 2 {
		snap := s.load(ada, memory.LoadOptions{Recent: 5})
		if snap.State.Version != 0 || snap.NextSeq != 1 || !snap.UpdatedAt.IsZero() {
			s.Errorf("Start made a session: version %d", snap.State.Version)
		}
		s.same("open steps", []memory.Step{step("k1")}, snap.OpenSteps)
	}
	if list := s.list(memory.Query{}); len(list) != 0 {
		s.Errorf("Start made a session that is listed: %+v", list)
	}
	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Steps = []memory.Step{{IdempotencyKey: "k1", Status: memory.StepDone, EndedAt: t0}}
	s.commit(d)
	if snap := s.load(ada, memory.LoadOptions{}); snap.State.Version != 1 || len(snap.OpenSteps) != 0 {
		s.Errorf("after the commit: version %d, %d open steps", snap.State.Version, len(snap.OpenSteps))
	}
	other := memory.Key{UserID: "x", AgentID: "x", SessionID: "x"}
	s.start(other, 0, step("k1"))
	if err := s.Delete(s.Context(), other); err != nil {
		s.Errorf("Delete of a session that has only a journal: %v", err)
	}
	if snap := s.load(other, memory.LoadOptions{}); len(snap.OpenSteps) != 0 {
		s.Errorf("the journal survived Delete")
	}
}

func journalOutcome(s *suite) {
	snap := s.talk(ada, 1)
	for _, key := range []string{"b", "a", "c"} {
		s.start(ada, 1, step(key))
	}
	got := s.load(ada, memory.LoadOptions{Recent: 1000})
	s.same("open steps, oldest first", []memory.Step{step("b"), step("a"), step("c")}, got.OpenSteps)
	got.OpenSteps = nil
	s.same("the rest of the session", snap, got)

	d := turn(got)
	d.Steps = []memory.Step{
		{IdempotencyKey: "b", Status: memory.StepDone, Attempts: 2, Result: []byte(`{"ok":true}`), EndedAt: t0.Add(time.Second)},
		{IdempotencyKey: "c", Status: memory.StepUnknown, ErrorCode: "timeout", EndedAt: t0.Add(time.Second)},
	}
	s.commit(d)
	for _, fresh := range []bool{false, true} {
		got = s.load(ada, memory.LoadOptions{Fresh: fresh})
		s.same("open steps after the outcome", []memory.Step{step("a")}, got.OpenSteps)
	}
	want := step("b") // what the call was stays; the outcome is added
	want.Status, want.Attempts, want.Result, want.EndedAt = memory.StepDone, 2, []byte(`{"ok":true}`), t0.Add(time.Second)
	s.same("row with its outcome", want, s.archive(ada).Steps[0])
	steps, err := s.Steps(s.Context(), ada)
	if err != nil {
		s.Fatal(err)
	}
	s.same("journal", s.archive(ada).Steps, steps)
}

func journalRefusals(s *suite) {
	s.talk(ada, 2)
	s.start(ada, 2, step("k1"))
	s.wantErr("Start again", s.Start(s.Context(), ada, 2, step("k1")), memory.ErrStarted)
	s.wantErr("Start on an old base", s.Start(s.Context(), ada, 1, step("k2")), memory.ErrConflict)
	s.wantErr("Start on base 0", s.Start(s.Context(), ada, 0, step("k2")), memory.ErrConflict)
	s.wantErr("Start ahead", s.Start(s.Context(), ada, 3, step("k2")), memory.ErrConflict)
	unknown := memory.Key{UserID: "x", AgentID: "x", SessionID: "x"}
	s.wantErr("Start in an unknown session", s.Start(s.Context(), unknown, 1, step("k2")), memory.ErrConflict)
	s.wantErr("Start without a key", s.Start(s.Context(), ada, 2, step("")), memory.ErrBadDelta)
	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Steps = []memory.Step{{IdempotencyKey: "k1", Status: memory.StepFailed}}
	s.commit(d)
	s.wantErr("Start after the outcome", s.Start(s.Context(), ada, 3, step("k1")), memory.ErrStarted)
	if snap := s.load(ada, memory.LoadOptions{}); len(snap.OpenSteps) != 0 {
		s.Errorf("open steps = %+v", snap.OpenSteps)
	}
}

// A row that was never started is added by the commit, open or closed.
func journalAdded(s *suite) {
	s.talk(ada, 1)
	d := turn(s.load(ada, memory.LoadOptions{}))
	done := step("done")
	done.Status = memory.StepDone
	d.Steps = []memory.Step{done, step("open")}
	s.commit(d)
	s.same("open steps", []memory.Step{step("open")}, s.load(ada, memory.LoadOptions{}).OpenSteps)
	s.wantErr("Start of the added one", s.Start(s.Context(), ada, 2, step("done")), memory.ErrStarted)
}

// A message that comes again is known by the origin of its calls, whatever their keys are by then.
func journalOrigin(s *suite) {
	s.talk(ada, 2)
	first := step("k1")
	first.Origin = "m1"
	s.start(ada, 2, first)
	again := step("k2")
	again.Origin = "m1"
	s.wantErr("Start of the same origin", s.Start(s.Context(), ada, 2, again), memory.ErrStarted)
	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Steps = []memory.Step{{IdempotencyKey: "k1", Status: memory.StepDone}}
	s.commit(d)
	s.wantErr("the same after the outcome", s.Start(s.Context(), ada, 3, again), memory.ErrStarted)
	steps, err := s.Steps(s.Context(), ada)
	if err != nil || len(steps) != 1 || steps[0].Origin != "m1" {
		s.Errorf("the journal is %+v, %v", steps, err)
	}
	for _, key := range []string{"k3", "k4"} { // without an origin each is another
		s.start(ada, 3, step(key))
	}
	other := memory.Key{UserID: "x", AgentID: "x", SessionID: "x"}
	s.start(other, 0, again)
}
