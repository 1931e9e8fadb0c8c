package breaker_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/config/breaker"
)

// step is a call some time after the one before.
type step struct {
	after time.Duration
	o     breaker.Outcome
	want  bool // it is allowed
}

// call makes a call that ends with an outcome, and reports whether it was allowed.
func call(b *breaker.Breaker, o breaker.Outcome) bool {
	p, ok := b.Acquire()
	if ok {
		p.Done(o)
	}
	return ok
}

func TestBreaker(t *testing.T) {
	const good, bad, gone = breaker.Healthy, breaker.Unhealthy, breaker.Unknown
	for _, test := range []struct {
		name  string
		b     *breaker.Breaker
		steps []step
	}{
		{name: "defaults", b: &breaker.Breaker{}, steps: []step{
			{0, bad, true},
			{0, bad, true},
			{0, good, true}, // the row begins anew
			{0, bad, true},
			{0, bad, true},
			{0, gone, true}, // does not end the row
			{0, bad, true},
			{0, good, false},
			{10*time.Second - 1, good, false},
			{1, gone, true}, // the next caller probes
			{0, bad, true},  // another pause
			{10*time.Second - 1, good, false},
			{1, good, true},
			{0, bad, true}, // a whole row is needed again
			{0, good, true},
		}},
		{name: "options", b: &breaker.Breaker{Failures: 1, Pause: time.Minute}, steps: []step{
			{0, bad, true},
			{time.Minute - 1, good, false},
			{1, good, true},
			{0, good, true},
		}},
		{name: "none", steps: []step{
			{0, bad, true},
			{0, bad, true},
			{0, bad, true},
			{0, bad, true},
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			for i, step := range test.steps {
				time.Sleep(step.after)
				if got := call(test.b, step.o); got != step.want {
					t.Errorf("%s: call %d was allowed: %v", test.name, i, got)
				}
			}
		})
	}
}

// Of many callers behind a pause one probes.
func TestOneProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &breaker.Breaker{Failures: 1}
		call(b, breaker.Unhealthy)
		time.Sleep(10 * time.Second)
		var allowed atomic.Int64
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if p, ok := b.Acquire(); ok {
					allowed.Add(1)
					time.Sleep(time.Second)
					p.Done(breaker.Healthy)
				}
			})
		}
		wg.Wait()
		if allowed.Load() != 1 {
			t.Errorf("%d probes, want 1", allowed.Load())
		}
		if !call(b, breaker.Healthy) {
			t.Error("it is open after a good probe")
		}
	})
}
