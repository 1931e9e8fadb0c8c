package tools

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
)

// tries is the state of one call across its attempts. It holds the call's outcome, as
// the executor gives nothing but the context's error once that has ended.
type tries struct {
	keyed bool // the call has an idempotency key

	made      int
	value     any
	err       *Error // of the last attempt
	uncertain bool   // an attempt of a write was
	pause     time.Duration
	hopeless  bool // the caller's deadline comes before the end of the pause
}

// newRetries returns the executor of a tool's attempts. It is shared by all its calls.
//
// The pause comes whole from the delay function. With the policy's own backoff it could
// not be held against the caller's deadline before it begins, and the policy's jitter
// would move a Retry-After to an earlier time than was asked for.
func newRetries(spec *Spec, o *Options) failsafe.Executor[*tries] {
	most := max(spec.Retries, 0) // for the policy -1 is without end
	if writes(spec) && !spec.Idempotent {
		most = 0
	}
	return failsafe.With(retrypolicy.NewBuilder[*tries]().
		WithMaxRetries(most).
		HandleIf(func(t *tries, _ error) bool { return t.err != nil && t.err.Retryable }).
		AbortIf(func(t *tries, _ error) bool {
			return t.hopeless || t.err.RetryAfter > o.MaxRetryAfter || writes(spec) && !t.keyed
		}).
		WithDelayFunc(func(exec failsafe.ExecutionAttempt[*tries]) time.Duration { return exec.LastResult().pause }).
		ReturnLastFailure().
		Build())
}

// run makes the attempts of one call.
func (r *Registry) run(ctx context.Context, e *entry, call Call) (Result, error) {
	t := &tries{keyed: call.IdempotencyKey != ""}
	// What Get returns is t again, or the error of a context that ended meanwhile.
	_, _ = e.retries.WithContext(ctx).Get(func() (*tries, error) {
		value, err := r.attempt(ctx, e, call)
		t.take(ctx, value, err, &r.opts)
		return t, nil
	})
	if t.err != nil {
		t.err.Uncertain = t.uncertain && e.writes()
		return Result{Attempts: t.made}, t.err
	}
	return Result{Value: t.value, Attempts: t.made}, nil
}

// take notes what an attempt gave. Once an attempt of a write was uncertain the call is,
// unless a later one succeeds: that another try was refused undoes nothing.
func (t *tries) take(ctx context.Context, value any, err *Error, o *Options) {
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

// backoff is the pause after the n-th attempt, from 1: exponential with equal jitter;
// M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog 2015.
func (o *Options) backoff(n int) time.Duration {
	d := min(o.Backoff<<min(n-1, 20), o.MaxBackoff)
	return d/2 + rand.N(d/2+1)
}
