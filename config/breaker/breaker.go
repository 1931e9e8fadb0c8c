package breaker

import (
	"cmp"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
)

// Breaker counts the failures of one server. The zero value is a closed breaker, and a nil one is
// always closed. It is safe for concurrent use and must not be copied. It uses the wall clock.
type Breaker struct {
	Failures int           // consecutive failures that open it; default 3
	Pause    time.Duration // between the last failure and the probe; default 10s

	once    sync.Once // makes circuit
	circuit circuitbreaker.CircuitBreaker[any]
}

// Outcome says whether a call shows that the server works.
type Outcome int

// The outcomes of a call.
const (
	Healthy   Outcome = iota // it answered
	Unhealthy                // it did not answer, or its answer was useless
	Unknown                  // the caller gave up
)

// Permit allows one call. The caller must call Done after it.
type Permit struct {
	circuit circuitbreaker.CircuitBreaker[any] // nil: of a nil Breaker
	probe   bool
}

// Acquire returns a permit for a call; false: do not call the server now.
func (b *Breaker) Acquire() (Permit, bool) {
	if b == nil {
		return Permit{}, true
	}
	b.once.Do(func() {
		// A threshold of one success also limits the probes to one at a time.
		b.circuit = circuitbreaker.NewBuilder[any]().WithFailureThreshold(uint(cmp.Or(b.Failures, 3))).
			WithSuccessThreshold(1).WithDelay(cmp.Or(b.Pause, 10*time.Second)).Build()
	})
	if !b.circuit.TryAcquirePermit() {
		return Permit{}, false
	}
	return Permit{b.circuit, b.circuit.IsHalfOpen()}, true
}

// Done records the outcome of the call.
func (p Permit) Done(o Outcome) {
	if p.circuit == nil {
		return
	}
	switch o {
	case Healthy:
		p.circuit.RecordSuccess()
	case Unhealthy:
		p.circuit.RecordFailure()
	case Unknown:
		if p.probe && p.circuit.IsHalfOpen() { // a fresh half-open state: the next caller probes
			p.circuit.Open()
			p.circuit.HalfOpen()
		}
	}
}
