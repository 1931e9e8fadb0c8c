package tools

import (
	"context"

	"github.com/slotway/slotway/config/breaker"
)

// newBreaker returns the breaker of one tool, or nil for none. It is not a policy around the
// attempt: a policy of failsafe-go takes every outcome for a success or a failure, and a call that
// its caller gave up is neither.
func newBreaker(o *Options) *breaker.Breaker {
	if o.BreakerThreshold < 0 {
		return nil
	}
	return &breaker.Breaker{Failures: o.BreakerThreshold, Pause: o.BreakerDelay}
}

// judge returns what an attempt tells about the other side. A refusal is an answer.
func judge(ctx context.Context, err *Error) breaker.Outcome {
	switch {
	case err == nil:
		return breaker.Healthy
	case ctx.Err() != nil:
		return breaker.Unknown
	case err.Code == Timeout || err.Code == Unavailable:
		return breaker.Unhealthy
	}
	return breaker.Healthy
}
