package tools

import (
	"context"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

// breaker stops calls to a tool whose other side is ill: after a row of failures it is
// open for a while, then lets one call through as a probe, whose outcome closes or opens
// it again. (M. Nygard, Release It!, "Circuit Breaker".) A nil breaker is always closed.
//
// The circuit is asked and told by hand and is no policy around the attempt, as a policy
// has to take every outcome for a success or a failure, and a call that its caller gave
// up is neither.
type breaker struct {
	circuit circuitbreaker.CircuitBreaker[any]
}

// newBreaker returns a closed breaker, or nil for none.
func newBreaker(o *Options) *breaker {
	if o.BreakerThreshold < 0 {
		return nil
	}
	return &breaker{circuit: circuitbreaker.NewBuilder[any]().
		WithFailureThreshold(uint(o.BreakerThreshold)).
		WithSuccessThreshold(1). // also bounds the probes to one at a time
		WithDelay(o.BreakerDelay).
		Build()}
}

// verdict is what an attempt says about the other side's health.
type verdict int

const (
	healthy verdict = iota // answered, be it with a refusal
	ill                    // no answer, or none that is one
	unknown                // the caller gave up
)

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

// acquire reports whether a call may go out now, and whether it is a probe. A call that
// goes out must be followed by record.
func (b *breaker) acquire() (probe, ok bool) {
	if b == nil {
		return false, true
	}
	if !b.circuit.TryAcquirePermit() {
		return false, false
	}
	return b.circuit.IsHalfOpen(), true
}

// record takes the outcome of a call that was allowed.
func (b *breaker) record(v verdict, probe bool) {
	if b == nil {
		return
	}
	switch v {
	case healthy:
		b.circuit.RecordSuccess()
	case ill:
		b.circuit.RecordFailure()
	case unknown:
		if probe && b.circuit.IsHalfOpen() { // a fresh half-open state: the next caller probes
			b.circuit.Open()
			b.circuit.HalfOpen()
		}
	}
}
