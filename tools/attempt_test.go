package tools_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slotway/slotway/tools"
)

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spec := readSpec()
		spec.Retries = 0
		calls, sick := 0, true
		r := newRegistry(t, spec, func(context.Context, tools.Call) (any, error) {
			calls++
			if sick {
				return nil, &tools.Error{Code: tools.Unavailable, Detail: "refused"}
			}
			return nil, &tools.Error{Code: tools.NotFound} // a refusal is a sign of health
		})
		call := func() error { _, err := r.Call(t.Context(), tools.Call{Tool: "t"}); return err }
		for range 5 {
			asError(t, call(), tools.Unavailable)
		}
		if e := asError(t, call(), tools.Unavailable); calls != 5 || !strings.Contains(e.Detail, "breaker") {
			t.Errorf("%d calls, %v; want 5 and the breaker open", calls, e)
		}
		time.Sleep(30 * time.Second)
		asError(t, call(), tools.Unavailable) // the probe fails: open again
		call()
		if calls != 6 {
			t.Errorf("%d calls, want one probe", calls)
		}
		time.Sleep(30 * time.Second)
		sick = false
		for range 3 {
			asError(t, call(), tools.NotFound)
		}
		if calls != 9 {
			t.Errorf("%d calls, want the breaker closed", calls)
		}
	})
}

// A breaker that never lets its probe slot go would be open for ever.
func TestBreakerProbeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spec := readSpec()
		spec.Retries = 0
		var answer func(ctx context.Context) error
		r := newRegistry(t, spec, func(ctx context.Context, _ tools.Call) (any, error) { return "fine", answer(ctx) })
		answer = func(context.Context) error { return &tools.Error{Code: tools.Unavailable} }
		for range 5 {
			r.Call(t.Context(), tools.Call{Tool: "t"})
		}
		time.Sleep(30 * time.Second)
		answer = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		r.Call(ctx, tools.Call{Tool: "t"})
		answer = func(context.Context) error { return nil }
		if _, err := r.Call(t.Context(), tools.Call{Tool: "t"}); err != nil {
			t.Errorf("after a cancelled probe: %v", err)
		}
	})
}

func TestBreakerProbesOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spec := readSpec()
		spec.Retries = 0
		var calls, healed atomic.Int64
		r := newRegistry(t, spec, func(context.Context, tools.Call) (any, error) {
			calls.Add(1)
			if healed.Load() == 0 {
				return nil, &tools.Error{Code: tools.Unavailable}
			}
			time.Sleep(100 * time.Millisecond)
			return "fine", nil
		})
		for range 5 {
			r.Call(t.Context(), tools.Call{Tool: "t"})
		}
		time.Sleep(30 * time.Second)
		healed.Store(1)
		go r.Call(t.Context(), tools.Call{Tool: "t"})
		synctest.Wait()
		_, err := r.Call(t.Context(), tools.Call{Tool: "t"})
		if asError(t, err, tools.Unavailable); calls.Load() != 6 {
			t.Errorf("%d calls, want a single one after the breaker opened", calls.Load())
		}
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if _, err := r.Call(t.Context(), tools.Call{Tool: "t"}); err != nil {
			t.Errorf("after a good probe: %v", err)
		}
	})
}

// A caller who gives up says nothing of the tool: the row of failures goes on after it.
func TestBreakerIgnoresCancelledCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spec := readSpec()
		spec.Retries = 0
		calls := 0
		r := newRegistry(t, spec, func(ctx context.Context, _ tools.Call) (any, error) {
			calls++
			if _, patient := ctx.Value(patience{}).(bool); !patient {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return nil, &tools.Error{Code: tools.Unavailable}
		})
		for range 7 {
			r.Call(context.WithValue(t.Context(), patience{}, true), tools.Call{Tool: "t"})
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			r.Call(ctx, tools.Call{Tool: "t"})
			cancel()
		}
		if calls != 9 {
			t.Errorf("%d calls, want 5 that failed and the 4 cancelled between them", calls)
		}
	})
}

type patience struct{}

func TestNoBreaker(t *testing.T) {
	spec := readSpec()
	spec.Retries = 0
	calls := 0
	r := tools.New(&tools.Options{BreakerThreshold: -1})
	if err := r.Register(spec, toolFunc(func(context.Context, tools.Call) (any, error) {
		calls++
		return nil, &tools.Error{Code: tools.Unavailable}
	})); err != nil {
		t.Fatal(err)
	}
	for range 50 {
		r.Call(t.Context(), tools.Call{Tool: "t"})
	}
	if calls != 50 {
		t.Errorf("%d calls, want 50", calls)
	}
}

func TestTimeout(t *testing.T) {
	tests := []struct {
		name      string
		spec      *tools.Spec
		tool      toolFunc
		uncertain bool
	}{
		{"heeds its context", readSpec(), func(ctx context.Context, _ tools.Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, false},
		{"write heeds it", writeSpec(false), func(ctx context.Context, _ tools.Call) (any, error) { <-ctx.Done(); return nil, ctx.Err() }, true},
		{"write knows it sent nothing", writeSpec(false), func(ctx context.Context, _ tools.Call) (any, error) {
			<-ctx.Done()
			return nil, &tools.Error{Code: tools.Timeout, Detail: "not connected"}
		}, false},
		{"ignores it", readSpec(), func(context.Context, tools.Call) (any, error) { time.Sleep(time.Hour); return nil, nil }, false},
		{"write ignores it", writeSpec(false), func(context.Context, tools.Call) (any, error) { time.Sleep(time.Hour); return nil, nil }, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt.spec.Retries = 0
				r := newRegistry(t, tt.spec, tt.tool)
				start := time.Now()
				_, err := r.Call(t.Context(), tools.Call{Tool: "t"})
				if e := asError(t, err, tools.Timeout); e.Uncertain != tt.uncertain {
					t.Errorf("uncertain %v, want %v", e.Uncertain, tt.uncertain)
				}
				if d := time.Since(start); d > 2*time.Second {
					t.Errorf("took %v with a limit of 1s", d)
				}
				if err := r.Close(t.Context()); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

func TestCallerCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		r := newRegistry(t, writeSpec(true), func(ctx context.Context, _ tools.Call) (any, error) {
			n++
			<-ctx.Done()
			return nil, ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		_, err := r.Call(ctx, tools.Call{Tool: "t", IdempotencyKey: "k"})
		if e := asError(t, err, tools.Timeout); !e.Uncertain || !errors.Is(err, context.Canceled) {
			t.Errorf("got %#v, want an uncertain, cancelled call", e)
		}
		if _, err = r.Call(ctx, tools.Call{Tool: "t", IdempotencyKey: "k"}); asError(t, err, tools.Timeout).Uncertain {
			t.Error("a call that was never made cannot be uncertain")
		}
		if n != 1 {
			t.Errorf("%d calls, want 1", n)
		}
	})
}

func TestStraysAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		spec := readSpec()
		spec.Retries = 0
		r := tools.New(&tools.Options{BreakerThreshold: 100, MaxAbandoned: 3})
		release := make(chan struct{})
		var running atomic.Int64
		if err := r.Register(spec, toolFunc(func(context.Context, tools.Call) (any, error) {
			running.Add(1)
			<-release
			return nil, nil
		})); err != nil {
			t.Fatal(err)
		}
		for range 6 {
			r.Call(t.Context(), tools.Call{Tool: "t"})
		}
		if running.Load() != 3 {
			t.Errorf("%d goroutines, want at most 3", running.Load())
		}
		close(release)
		synctest.Wait()
		for range 6 { // those that came back are forgotten
			if _, err := r.Call(t.Context(), tools.Call{Tool: "t"}); err != nil {
				t.Errorf("after the strays returned: %v", err)
			}
		}
		release = make(chan struct{})
		r.Call(t.Context(), tools.Call{Tool: "t"})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := r.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close = %v while a stray runs, want its context's error", err)
		}
		close(release)
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
		_, err := r.Call(t.Context(), tools.Call{Tool: "t"})
		asError(t, err, tools.Unavailable)
	})
}
