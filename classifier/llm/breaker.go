package llm

import (
	"sync"
	"time"
)

// breaker stops the asking after a row of failures. Once its pause is over one caller
// tries; the others wait for the outcome of that. (M. Nygard, Release It!, "Circuit
// Breaker".)
type breaker struct {
	limit int // failures in a row that open it
	pause time.Duration
	now   func() time.Time

	mu     sync.Mutex // guards what follows
	failed int        // failures in a row
	until  time.Time  // while open: when the next try is due
	trying bool       // a try is under way
}

// allow reports whether the model may be asked. If so, done must follow.
func (b *breaker) allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < b.limit {
		return true
	}
	if b.trying || b.now().Before(b.until) {
		return false
	}
	b.trying = true
	return true
}

// verdict is what an attempt says of the server.
type verdict int

const (
	healthy verdict = iota
	ill
	unknown // the caller gave up
)

// done takes the outcome of an attempt.
func (b *breaker) done(v verdict) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
	switch v {
	case healthy:
		b.failed = 0
	case ill:
		b.failed = min(b.failed+1, b.limit)
		b.until = b.now().Add(b.pause)
	}
}
