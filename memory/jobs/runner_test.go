package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/jobs"
)

func ask(t *testing.T, store memory.Backend, session, kind string) {
	t.Helper()
	s, err := memory.NewConversations(store, 1).ForSession(t.Context(), memory.Key{UserID: "ada", AgentID: "shop", SessionID: session})
	if err != nil {
		t.Fatal(err)
	}
	s.Append(memory.Message{Role: memory.User, Text: "hello", Timestamp: time.Now()})
	s.Enqueue(kind, time.Time{})
	if err := s.Commit(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
}

type refused struct{}

func (refused) Error() string { return "the text of a message" }
func (refused) Code() string  { return "refused" }

// A job that fails is tried again with growing pauses, then dies, and lives again when it
// is revived.
func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := inmem.New(nil)
		ask(t, store, "one", "summarize")
		var codes []string
		var at []time.Duration
		begun := time.Now()
		failures := []error{errors.New("x"), refused{}, context.DeadlineExceeded, fmt.Errorf("y: %w", memory.ErrUnavailable)}
		runs := 0
		r := jobs.New(store, map[string]jobs.Func{"summarize": func(context.Context, memory.Job) error {
			if runs++; runs <= len(failures) {
				return failures[runs-1]
			}
			panic("a value")
		}}, &jobs.Options{MaxAttempts: 5, FirstPause: 10 * time.Second, LastPause: time.Minute, Done: func(o jobs.Outcome) {
			codes = append(codes, fmt.Sprint(o.Code, " ", o.Dead))
			at = append(at, time.Since(begun))
		}})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go r.Run(ctx)
		time.Sleep(time.Hour)
		synctest.Wait()
		want := []string{"failed false", "refused false", "timeout false", "unavailable false", "panic true"}
		if diff := cmp.Diff(want, codes); diff != "" {
			t.Errorf("outcomes (-want +got):\n%s", diff)
		}
		for i, pause := range []time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute} {
			if got := at[i+1] - at[i]; got < pause*4/5 || got > pause+5*time.Second {
				t.Errorf("pause %d is %v, want about %v", i+1, got, pause)
			}
		}
		dead, err := store.Jobs(t.Context(), memory.JobQuery{Dead: true})
		if err != nil || len(dead) != 1 || dead[0].Code != "panic" {
			t.Fatalf("dead jobs: %+v, %v", dead, err)
		}
		if n, err := store.Revive(t.Context(), memory.JobQuery{}, time.Now()); n != 1 || err != nil {
			t.Fatalf("Revive = %d, %v", n, err)
		}
		r.Nudge()
		synctest.Wait()
		if runs != 6 {
			t.Errorf("%d runs, want one more after the revival", runs)
		}
	})
}

// A job whose work hangs is cancelled with its lease and tried again.
func TestLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := inmem.New(nil)
		ask(t, store, "one", "summarize")
		var runs atomic.Int64
		r := jobs.New(store, map[string]jobs.Func{"summarize": func(ctx context.Context, _ memory.Job) error {
			if runs.Add(1) == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}}, &jobs.Options{Workers: 2, Lease: time.Minute})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- r.Run(ctx) }()
		time.Sleep(10 * time.Minute)
		if n := runs.Load(); n != 2 {
			t.Errorf("%d runs, want 2", n)
		}
		if left, _ := store.Jobs(t.Context(), memory.JobQuery{}); len(left) != 0 {
			t.Errorf("left: %+v", left)
		}
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
}

// A stop in the middle of a job leaves it for the next start.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := inmem.New(nil)
		ask(t, store, "one", "summarize")
		hang := jobs.New(store, map[string]jobs.Func{"summarize": func(ctx context.Context, _ memory.Job) error {
			<-ctx.Done()
			return nil
		}}, nil)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- hang.Run(ctx) }()
		synctest.Wait()
		stop()
		<-done
		var runs int
		next := jobs.New(store, map[string]jobs.Func{"summarize": func(context.Context, memory.Job) error {
			runs++
			return nil
		}}, nil)
		left, err := store.Jobs(t.Context(), memory.JobQuery{})
		if err != nil || len(left) != 1 || left[0].Attempts != 0 {
			t.Fatalf("left after the stop: %+v, %v", left, err)
		}
		if n, err := next.Drain(t.Context()); n != 1 || err != nil || runs != 1 {
			t.Errorf("Drain after the stop = %d, %v; %d runs", n, err, runs)
		}
	})
}

// Other kinds are left to other runners.
func TestKinds(t *testing.T) {
	store := inmem.New(nil)
	ask(t, store, "one", "summarize")
	ask(t, store, "two", "embed")
	var ran []string
	r := jobs.New(store, map[string]jobs.Func{"embed": func(_ context.Context, j memory.Job) error {
		ran = append(ran, j.Key.SessionID)
		return nil
	}}, nil)
	if n, err := r.Drain(t.Context()); n != 1 || err != nil {
		t.Errorf("Drain = %d, %v", n, err)
	}
	if diff := cmp.Diff([]string{"two"}, ran); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}
	left, err := store.Jobs(t.Context(), memory.JobQuery{})
	if err != nil || len(left) != 1 || left[0].Kind != "summarize" {
		t.Errorf("left: %+v, %v", left, err)
	}
}

// However many jobs have piled up, one runs at a time, and while somebody waits for an answer
// the worker works half of the time.
func TestJobsGiveWay(t *testing.T) {
	for _, c := range []struct {
		name string
		busy bool
		took time.Duration
		want int64 // jobs that have been begun after ten seconds
	}{
		{"nobody waits", false, 100 * time.Millisecond, 100},
		{"somebody waits", true, 100 * time.Millisecond, 50},
		{"a job that takes long", true, 4 * time.Second, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := inmem.New(nil)
				for i := range 200 {
					ask(t, store, fmt.Sprint(i), "summarize")
				}
				var begun, running, most atomic.Int64
				r := jobs.New(store, map[string]jobs.Func{"summarize": func(context.Context, memory.Job) error {
					begun.Add(1)
					most.Store(max(most.Load(), running.Add(1)))
					time.Sleep(c.took)
					running.Add(-1)
					return nil
				}}, &jobs.Options{Busy: func() bool { return c.busy }})
				ctx, stop := context.WithCancel(t.Context())
				var wg sync.WaitGroup
				wg.Go(func() { _ = r.Run(ctx) }) // it returns nil
				time.Sleep(10*time.Second - time.Millisecond)
				if n := begun.Load(); n != c.want || most.Load() != 1 {
					t.Errorf("%d jobs were begun, %d at once, want %d one by one", n, most.Load(), c.want)
				}
				stop()
				wg.Wait()
			})
		})
	}
}
