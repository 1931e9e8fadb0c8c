package tools

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// defaultTimeout bounds an attempt of a tool that declares no limit.
const defaultTimeout = 5 * time.Second

type counter = atomic.Int64

// outcome is what one attempt gave.
type outcome struct {
	value any
	err   *Error
}

// withDefaults fills in what was left zero.
func (o Options) withDefaults() Options {
	o.BreakerThreshold = cmp.Or(o.BreakerThreshold, 5)
	o.BreakerDelay = cmp.Or(o.BreakerDelay, 30*time.Second)
	o.Backoff = cmp.Or(o.Backoff, 100*time.Millisecond)
	o.MaxBackoff = cmp.Or(o.MaxBackoff, 2*time.Second)
	o.MaxRetryAfter = cmp.Or(o.MaxRetryAfter, 10*time.Second)
	o.Grace = cmp.Or(o.Grace, 100*time.Millisecond)
	o.MaxStrays = cmp.Or(o.MaxStrays, 8)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Jitter == nil {
		o.Jitter = func(d time.Duration) time.Duration { return d/2 + rand.N(d/2+1) }
	}
	return o
}

// run makes the attempts of one call. Once an attempt of a write was uncertain the call
// is, unless a later one succeeds: that another try was refused undoes nothing.
func (r *Registry) run(ctx context.Context, e *entry, call Call) (Result, error) {
	uncertain := false
	for n := 0; ; n++ {
		value, err := r.attempt(ctx, e, call)
		if err == nil {
			return Result{Value: value, Attempts: n + 1}, nil
		}
		uncertain = uncertain || err.Uncertain
		err.Uncertain = uncertain && e.writes()
		if !r.again(ctx, e, call, n, err) {
			return Result{Attempts: n + 1}, err
		}
	}
}

// again decides on another attempt after the n-th failed with err, and waits for it.
func (r *Registry) again(ctx context.Context, e *entry, call Call, n int, err *Error) bool {
	if !err.Retryable || n >= e.spec.Retries || ctx.Err() != nil {
		return false
	}
	if e.writes() && (!e.spec.Idempotent || call.IdempotencyKey == "") {
		return false
	}
	if err.RetryAfter > r.opts.MaxRetryAfter {
		return false
	}
	// Exponential backoff with equal jitter; M. Brooker, "Exponential Backoff And
	// Jitter", AWS Architecture Blog 2015.
	pause := r.opts.Jitter(min(r.opts.Backoff<<min(n, 20), r.opts.MaxBackoff))
	pause = max(pause, err.RetryAfter)
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
		return false // the wait would outlive the caller, whose clock is the real one
	}
	return r.opts.Sleep(ctx, pause) == nil
}

// attempt calls the tool once within its time limit. A tool that ignores its context is
// given up Grace after the deadline; its goroutine stays with the crew until it returns.
func (r *Registry) attempt(ctx context.Context, e *entry, call Call) (any, *Error) {
	name := e.spec.Name
	if ctx.Err() != nil {
		return nil, gaveUp(ctx, name, false)
	}
	if int(e.strays.Load()) >= r.opts.MaxStrays {
		return nil, &Error{Code: Unavailable, Tool: name, Detail: "too many earlier calls have not returned"}
	}
	if !e.breaker.allow(r.opts.Now()) {
		return nil, &Error{Code: Unavailable, Tool: name, Detail: "the breaker is open after repeated failures"}
	}
	out := r.supervise(ctx, e, call)
	e.breaker.record(r.opts.Now(), judge(ctx, out.err))
	return out.value, out.err
}

// supervise runs the tool in a goroutine of its own and waits for it or for its deadline.
func (r *Registry) supervise(parent context.Context, e *entry, call Call) outcome {
	ctx, cancel := context.WithTimeout(parent, cmp.Or(e.spec.Timeout, defaultTimeout))
	defer cancel()
	done := make(chan outcome, 1)
	var state atomic.Int32 // attemptRunning, then whichever side comes first moves it
	started := r.crew.run(func() {
		out := perform(ctx, e, call)
		if !state.CompareAndSwap(attemptRunning, attemptReturned) {
			e.strays.Add(-1)
		}
		done <- out
	})
	if !started {
		return outcome{err: &Error{Code: Unavailable, Tool: e.spec.Name, Detail: "shutting down"}}
	}
	select {
	case out := <-done:
		return out
	case <-ctx.Done():
	}
	// A tool that heeds its context knows better than we do whether anything was sent.
	grace := time.NewTimer(r.opts.Grace)
	defer grace.Stop()
	select {
	case out := <-done:
		return out
	case <-grace.C:
	}
	e.strays.Add(1) // before the swap, so that the count never goes below zero
	if !state.CompareAndSwap(attemptRunning, attemptAbandoned) {
		e.strays.Add(-1)
		return <-done
	}
	if parent.Err() != nil {
		return outcome{err: gaveUp(parent, e.spec.Name, e.writes())}
	}
	return outcome{err: &Error{
		Code: Timeout, Tool: e.spec.Name, Detail: "no answer in time, and the tool did not stop",
		Retryable: true, Uncertain: e.writes(), Err: context.DeadlineExceeded,
	}}
}

const (
	attemptRunning int32 = iota
	attemptReturned
	attemptAbandoned
)

// perform calls the tool and normalises what it gives. A panic becomes Failed; neither
// its value nor its stack is kept, as both may hold arguments.
func perform(ctx context.Context, e *entry, call Call) (out outcome) {
	name := e.spec.Name
	defer func() {
		if recover() != nil {
			out = outcome{err: &Error{Code: Failed, Tool: name, Detail: "the tool panicked", Uncertain: e.writes()}}
		}
	}()
	args, err := normalArgs(call.Args) // an attempt that was given up may still hold the last copy
	if err != nil {
		return outcome{err: &Error{Code: InvalidInput, Tool: name, Detail: "arguments: " + err.Error()}}
	}
	own := call
	own.Args = args
	value, err := e.tool.Call(ctx, own)
	if err != nil {
		return outcome{err: asError(ctx, e, call, err)}
	}
	normal, err := Normal(value)
	if err != nil {
		return outcome{err: &Error{Code: BadResult, Tool: name, Detail: "result " + err.Error(), Uncertain: e.writes()}}
	}
	return outcome{value: normal}
}

// asError makes the registry's error of a tool's. One that the tool did not classify may
// have happened at any point, so a write is uncertain.
func asError(ctx context.Context, e *entry, call Call, err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		out := *known
		out.Tool = e.spec.Name
		out.Detail = scrub(known.Detail, call.Args)
		out.Uncertain = known.Uncertain && e.writes()
		return &out
	}
	out := &Error{Code: Failed, Tool: e.spec.Name, Uncertain: e.writes(), Err: err}
	if ctx.Err() != nil && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		out.Code, out.Detail = Timeout, "no answer in time"
		out.Retryable = errors.Is(ctx.Err(), context.DeadlineExceeded)
	}
	return out
}

// judge says what an attempt tells of the other side.
func judge(ctx context.Context, err *Error) verdict {
	switch {
	case err == nil:
		return healthy
	case ctx.Err() != nil:
		return unknown
	case err.Code == Timeout || err.Code == Unavailable:
		return ill
	}
	return healthy
}

// gaveUp is the error of a call whose caller's context ended.
func gaveUp(ctx context.Context, name string, uncertain bool) *Error {
	return &Error{Code: Timeout, Tool: name, Detail: "the caller stopped waiting", Uncertain: uncertain, Err: ctx.Err()}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
