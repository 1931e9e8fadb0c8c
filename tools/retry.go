package tools

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

// callState is the state of one call across its attempts. It holds the call's outcome, since after the
// context has ended the executor returns only the context's error.
type callState struct {
	keyed bool // the call has an idempotency key

	made      int
	value     any
	err       *Error // of the last attempt
	uncertain bool   // for an attempt of a write
	pause     time.Duration
	hopeless  bool // the caller's deadline comes before the end of the pause
}

// newRetries returns the executor of a tool's attempts. All calls of the tool share it.
//
// The delay function returns the whole pause. The policy's own backoff could not be compared with
// the caller's deadline beforehand, and its jitter would shorten a Retry-After.
func newRetries(spec *Spec, o *Options) failsafe.Executor[*callState] {
	most := max(spec.Retries, 0) // for the policy, -1 means no limit
	if writes(spec) && !spec.Idempotent {
		most = 0
	}
	return failsafe.With(retrypolicy.NewBuilder[*callState]().
		WithMaxRetries(most).
		HandleIf(func(t *callState, _ error) bool { return t.err != nil && t.err.Retryable }).
		AbortIf(func(t *callState, _ error) bool {
			return t.hopeless || t.err.RetryAfter > o.MaxRetryAfter || writes(spec) && !t.keyed
		}).
		WithDelayFunc(func(exec failsafe.ExecutionAttempt[*callState]) time.Duration { return exec.LastResult().pause }).
		ReturnLastFailure().
		Build())
}

// run makes the attempts of one call. The executor comes in only after a failure: nearly all calls
// succeed, and it costs as much as a fast tool.
func (r *Registry) run(ctx context.Context, e *entry, call Call) (Result, error) {
	t := &callState{keyed: call.IdempotencyKey != ""}
	try := func() {
		value, err := r.attempt(ctx, e, call)
		t.record(ctx, value, err, &r.opts)
	}
	if try(); t.err != nil {
		again := false // the executor's first attempt is the one just made
		// Get returns t, or the error of a context that ended meanwhile.
		_, _ = e.retries.WithContext(ctx).Get(func() (*callState, error) {
			if again {
				try()
			}
			again = true
			return t, nil
		})
	}
	if t.err != nil {
		t.err.Uncertain = t.uncertain && e.writes()
		return Result{Attempts: t.made}, t.err
	}
	return Result{Value: t.value, Attempts: t.made}, nil
}

// record records the outcome of an attempt. After an uncertain attempt of a write the call is
// uncertain unless a later attempt succeeds: the refusal of a second attempt undoes nothing.
func (t *callState) record(ctx context.Context, value any, err *Error, o *Options) {
	t.made++
	t.value, t.err = value, err
	if err == nil {
		return
	}
	t.uncertain = t.uncertain || err.Uncertain
	t.pause = max(o.backoff(t.made), err.RetryAfter)
	deadline, ok := ctx.Deadline()
	t.hopeless = ok && time.Until(deadline) <= t.pause
}

// backoff returns the pause after the n-th attempt, from 1: exponential with equal jitter; M.
// Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog 2015.
func (o *Options) backoff(n int) time.Duration {
	d := min(o.Backoff<<min(n-1, 20), o.MaxBackoff)
	return d/2 + rand.N(d/2+1)
}
