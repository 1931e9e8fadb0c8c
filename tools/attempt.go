package tools

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// defaultTimeout limits an attempt of a tool that declares no timeout.
const defaultTimeout = 5 * time.Second

// outcome is the result of one attempt.
type outcome struct {
	value any
	err   *Error
}

// attempt calls the tool once within its timeout. It abandons a tool that ignores its context,
// Grace after the deadline; the tool's goroutine belongs to the crew until it returns.
func (r *Registry) attempt(ctx context.Context, e *entry, call Call) (any, *Error) {
	name := e.spec.Name
	if ctx.Err() != nil {
		return nil, gaveUp(ctx, name, false)
	}
	if int(e.abandoned.Load()) >= r.opts.MaxAbandoned {
		return nil, &Error{Code: Unavailable, Tool: name, Detail: "too many earlier calls have not returned"}
	}
	permit, ok := e.breaker.Acquire()
	if !ok {
		return nil, &Error{Code: Unavailable, Tool: name, Detail: "the breaker is open after repeated failures"}
	}
	out := r.supervise(ctx, e, call)
	permit.Done(judge(ctx, out.err))
	return out.value, out.err
}

// supervise runs the tool in its own goroutine and waits for it or for its deadline. (The timeout
// policy of failsafe-go waits until the function that it cancelled returns, and its context has no
// deadline that a tool could read and pass on.)
//
// A prompt tool runs in the caller's.
func (r *Registry) supervise(parent context.Context, e *entry, call Call) outcome {
	ctx, cancel := context.WithTimeout(parent, cmp.Or(e.spec.Timeout, defaultTimeout))
	defer cancel()
	if e.prompt {
		var out outcome
		if !r.crew.inline(func() { out = perform(ctx, e, call) }) {
			out.err = shuttingDown(e)
		}
		return out
	}
	done := make(chan outcome, 1)
	var state atomic.Int32 // attemptRunning, then whichever side comes first moves it
	started := r.crew.run(func() {
		out := perform(ctx, e, call)
		if !state.CompareAndSwap(attemptRunning, attemptReturned) {
			e.abandoned.Add(-1)
		}
		done <- out
	})
	if !started {
		return outcome{err: shuttingDown(e)}
	}
	select {
	case out := <-done:
		return out
	case <-ctx.Done():
	}
	// A tool that heeds its context knows best whether anything was sent.
	grace := time.NewTimer(r.opts.Grace)
	defer grace.Stop()
	select {
	case out := <-done:
		return out
	case <-grace.C:
	}
	e.abandoned.Add(1) // before the swap, so that the count never goes below zero
	if !state.CompareAndSwap(attemptRunning, attemptAbandoned) {
		e.abandoned.Add(-1)
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

func shuttingDown(e *entry) *Error {
	return &Error{Code: Unavailable, Tool: e.spec.Name, Detail: "shutting down"}
}

const (
	attemptRunning int32 = iota
	attemptReturned
	attemptAbandoned
)

// perform calls the tool and normalises its result. A panic becomes Failed; its value and its stack
// are dropped, since both may hold arguments.
func perform(ctx context.Context, e *entry, call Call) (out outcome) {
	name := e.spec.Name
	defer func() {
		if recover() != nil {
			out = outcome{err: &Error{Code: Failed, Tool: name, Detail: "the tool panicked", Uncertain: e.writes()}}
		}
	}()
	args, err := normalArgs(call.Args) // an abandoned attempt may still use the last copy
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

// asError converts a tool's error to the registry's. An error without a code may have occurred at
// any point, so a write is uncertain.
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

// gaveUp returns the error of a call whose caller's context ended.
func gaveUp(ctx context.Context, name string, uncertain bool) *Error {
	return &Error{Code: Timeout, Tool: name, Detail: "the caller stopped waiting", Uncertain: uncertain, Err: ctx.Err()}
}
