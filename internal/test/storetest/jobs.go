package storetest

import (
	"fmt"
	"sync"
	"time"

	"github.com/slotway/slotway/memory"
)

// want commits a turn that asks for jobs.
func (s *suite) want(key memory.Key, jobs ...memory.WantedJob) {
	s.Helper()
	d := turn(s.load(key, memory.LoadOptions{}))
	d.Jobs = jobs
	s.commit(d)
}

func (s *suite) claim(c memory.Claim) []memory.Job {
	s.Helper()
	if c.Lease == 0 {
		c.Lease = time.Minute
	}
	list, err := s.Claim(s.Context(), c)
	if err != nil {
		s.Fatalf("Claim: %v", err)
	}
	return list
}

func (s *suite) jobs(q memory.JobQuery) []memory.Job {
	s.Helper()
	list, err := s.Jobs(s.Context(), q)
	if err != nil {
		s.Fatalf("Jobs: %v", err)
	}
	return list
}

func kinds(list []memory.Job) []string {
	var out []string
	for _, j := range list {
		out = append(out, j.Kind)
	}
	return out
}

// A hundred turns make one row, whose target moves.
func jobsCoalesce(s *suite) {
	for i := range 5 {
		s.want(ada, memory.WantedJob{Kind: "embed", RunAt: t0.Add(time.Duration(5-i) * time.Second)})
	}
	want := []memory.Job{{Key: ada, Kind: "embed", Target: 10, RunAt: t0.Add(time.Second)}}
	s.same("jobs after five turns", want, s.jobs(memory.JobQuery{}))

	stale := turn(s.load(ada, memory.LoadOptions{}))
	stale.Base, stale.Jobs = 1, []memory.WantedJob{{Kind: "other"}}
	s.wantErr("Commit on an old base", s.Commit(s.Context(), stale), memory.ErrConflict)
	s.same("a commit that failed asks for nothing", want, s.jobs(memory.JobQuery{}))

	d := turn(s.load(ada, memory.LoadOptions{}))
	d.Jobs = []memory.WantedJob{{Kind: "a"}, {Kind: "a"}}
	s.wantErr("the same job twice", s.Commit(s.Context(), d), memory.ErrBadDelta)
	d.Jobs = []memory.WantedJob{{}}
	s.wantErr("a job without a kind", s.Commit(s.Context(), d), memory.ErrBadDelta)
}

func jobsClaim(s *suite) {
	s.want(ada, memory.WantedJob{Kind: "late", RunAt: t0.Add(time.Hour)}, memory.WantedJob{Kind: "b", RunAt: t0.Add(2 * time.Second)},
		memory.WantedJob{Kind: "a", RunAt: t0.Add(time.Second)}, memory.WantedJob{Kind: "now"})
	s.same("not due yet", []string{"now"}, kinds(s.claim(memory.Claim{Now: t0, Limit: 9})))
	s.same("of a kind", []string{"b"}, kinds(s.claim(memory.Claim{Now: t0.Add(time.Minute / 2), Kinds: []string{"b", "late"}, Limit: 9})))
	s.same("one by default", []string{"a"}, kinds(s.claim(memory.Claim{Now: t0.Add(time.Minute / 2)})))
	s.same("nothing left", []string(nil), kinds(s.claim(memory.Claim{Now: t0.Add(time.Minute / 2), Limit: 9})))
	s.same("all are still there, the longest due first", []string{"now", "a", "b", "late"}, kinds(s.jobs(memory.JobQuery{})))
	s.same("by kind", []string{"late"}, kinds(s.jobs(memory.JobQuery{Kind: "late"})))
	s.same("by user", []string(nil), kinds(s.jobs(memory.JobQuery{UserID: "eve"})))
	s.same("limited", []string{"now", "a"}, kinds(s.jobs(memory.JobQuery{Limit: 2})))
}

func jobsLease(s *suite) {
	s.want(ada, memory.WantedJob{Kind: "embed"})
	first := s.claim(memory.Claim{Now: t0})[0]
	if first.Token == "" || first.Attempts != 0 || first.Target != 2 || !first.Until.Equal(t0.Add(time.Minute)) {
		s.Fatalf("claimed %+v", first)
	}
	s.want(ada, memory.WantedJob{Kind: "embed"}) // asked for again while the first worker is at it
	if err := s.Finish(s.Context(), first); err != nil {
		s.Fatalf("Finish: %v", err)
	}
	second := s.claim(memory.Claim{Now: t0})
	if len(second) != 1 || second[0].Target != 4 || second[0].Token == first.Token {
		s.Fatalf("what was asked for meanwhile is claimed as %+v", second)
	}
	if err := s.Release(s.Context(), second[0]); err != nil {
		s.Fatalf("Release: %v", err)
	}
	s.wantErr("Release twice", s.Release(s.Context(), second[0]), memory.ErrLease)
	second = s.claim(memory.Claim{Now: t0})
	if len(second) != 1 || second[0].Attempts != 0 {
		s.Fatalf("what was released is claimed as %+v", second)
	}
	// The second worker dies; a third takes over, and the second wakes up too late.
	third := s.claim(memory.Claim{Now: t0.Add(time.Minute)})
	if len(third) != 1 || third[0].Attempts != 1 || third[0].Code != "lease_expired" {
		s.Fatalf("after the lease: %+v", third)
	}
	s.wantErr("Finish after the lease", s.Finish(s.Context(), second[0]), memory.ErrLease)
	s.wantErr("Fail after the lease", s.Fail(s.Context(), second[0], "late", t0), memory.ErrLease)
	if err := s.Finish(s.Context(), third[0]); err != nil {
		s.Fatalf("Finish: %v", err)
	}
	s.wantErr("Finish twice", s.Finish(s.Context(), third[0]), memory.ErrLease)
	s.wantErr("Finish without a claim", s.Finish(s.Context(), memory.Job{Key: ada, Kind: "embed"}), memory.ErrLease)
	s.same("done", []string(nil), kinds(s.jobs(memory.JobQuery{})))
}

func jobsFail(s *suite) {
	s.want(ada, memory.WantedJob{Kind: "embed"})
	job := s.claim(memory.Claim{Now: t0})[0]
	if err := s.Fail(s.Context(), job, "timeout", t0.Add(time.Minute)); err != nil {
		s.Fatalf("Fail: %v", err)
	}
	s.want(ada, memory.WantedJob{Kind: "embed"}) // does not shorten the pause
	want := []memory.Job{{Key: ada, Kind: "embed", Target: 4, RunAt: t0.Add(time.Minute), Attempts: 1, Code: "timeout"}}
	s.same("after a failure", want, s.jobs(memory.JobQuery{}))
	s.same("not before its pause is over", []string(nil), kinds(s.claim(memory.Claim{Now: t0})))

	job = s.claim(memory.Claim{Now: t0.Add(time.Minute)})[0]
	if err := s.Fail(s.Context(), job, "refused", time.Time{}); err != nil {
		s.Fatalf("Fail: %v", err)
	}
	s.same("a dead job is not claimed", []string(nil), kinds(s.claim(memory.Claim{Now: t0.Add(time.Hour)})))
	want = []memory.Job{{Key: ada, Kind: "embed", Target: 4, RunAt: t0.Add(time.Minute), Attempts: 2, Dead: true, Code: "refused"}}
	s.same("dead", want, s.jobs(memory.JobQuery{Dead: true}))

	if n, err := s.Revive(s.Context(), memory.JobQuery{UserID: "eve"}, t0); n != 0 || err != nil {
		s.Errorf("Revive of another user's = %d, %v", n, err)
	}
	if n, err := s.Revive(s.Context(), memory.JobQuery{}, t0); n != 1 || err != nil {
		s.Errorf("Revive = %d, %v", n, err)
	}
	job = s.claim(memory.Claim{Now: t0})[0]
	if err := s.Fail(s.Context(), job, "refused", time.Time{}); err != nil || job.Attempts != 0 {
		s.Fatalf("after Revive: %+v, %v", job, err)
	}
	s.want(ada, memory.WantedJob{Kind: "embed", RunAt: t0}) // something new to do brings it back too
	if got := s.claim(memory.Claim{Now: t0}); len(got) != 1 || got[0].Attempts != 0 {
		s.Errorf("a dead job that is wanted again: %+v", got)
	}
}

// Every job has one worker at a time.
func jobsOfManyWorkers(s *suite) {
	const sessions, workers = 20, 6
	for i := range sessions {
		s.want(memory.Key{UserID: "ada", AgentID: "shop", SessionID: fmt.Sprint(i)}, memory.WantedJob{Kind: "embed"})
	}
	var mu sync.Mutex
	runs := map[memory.Key]int{}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				list, err := s.Claim(s.Context(), memory.Claim{Now: t0, Lease: time.Minute, Limit: 3})
				if err != nil {
					s.Errorf("Claim: %v", err)
				}
				if len(list) == 0 {
					return
				}
				for _, j := range list {
					mu.Lock()
					runs[j.Key]++
					mu.Unlock()
					if err := s.Finish(s.Context(), j); err != nil {
						s.Errorf("Finish: %v", err)
					}
				}
			}
		})
	}
	wg.Wait()
	for key, n := range runs {
		if n != 1 {
			s.Errorf("the job of session %s was run %d times", key.SessionID, n)
		}
	}
	if len(runs) != sessions {
		s.Errorf("%d of %d jobs were run", len(runs), sessions)
	}
}

func jobsGoWithTheirSession(s *suite) {
	s.want(ada, memory.WantedJob{Kind: "embed"})
	job := s.claim(memory.Claim{Now: t0})[0]
	if err := s.Delete(s.Context(), ada); err != nil {
		s.Fatal(err)
	}
	s.wantErr("Finish after Delete", s.Finish(s.Context(), job), memory.ErrLease)
	s.want(ada)
	s.same("jobs of the new session", []string(nil), kinds(s.jobs(memory.JobQuery{})))
}
