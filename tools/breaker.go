package tools

import (
	"sync"
	"time"
)

// breaker stops calls to a tool whose other side is ill: after threshold failures in a
// row it is open for delay, then lets one call through as a probe (half open), whose
// outcome closes or opens it again. (M. Nygard, Release It!, "Circuit Breaker".)
// A nil breaker is always closed.
type breaker struct {
	threshold int
	delay     time.Duration

	mu       sync.Mutex // guards what follows
	failures int        // in a row
	until    time.Time  // open until then; zero: closed
	probing  bool       // half open and the probe is under way
}

// verdict is what an attempt says about the other side's health.
type verdict int

const (
	healthy verdict = iota // answered, be it with a refusal
	ill                    // no answer, or none that is one
	unknown                // the caller gave up
)

// allow reports whether a call may go out now. Every true must be followed by record.
func (b *breaker) allow(now time.Time) bool {
	if b == nil {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return true
	}
	if b.probing || now.Before(b.until) {
		return false
	}
	b.probing = true
	return true
}

// record takes the outcome of a call that was allowed.
func (b *breaker) record(now time.Time, v verdict) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	wasProbe := b.probing
	switch v {
	case unknown:
		b.probing = false // the next caller probes
	case healthy:
		b.failures, b.until, b.probing = 0, time.Time{}, false
	case ill:
		b.failures++
		if wasProbe || b.failures >= b.threshold {
			b.until, b.probing = now.Add(b.delay), false
		}
	}
}
