package recall

import (
	"sync"
	"time"
)

// A backend that fails so often in a row is left alone for a while; then one call tries.
const (
	breakAfter = 3
	breakFor   = 10 * time.Second
)

// breaker keeps searches from waiting for what is down.
type breaker struct {
	mu     sync.Mutex // guards what follows
	failed int        // in a row
	until  time.Time  // nobody is let through before
	trying bool       // one is under way that says whether it is back
}

// enter reports whether a call may be made; if so, leave is called when it has ended.
func (b *breaker) enter(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < breakAfter {
		return true
	}
	if b.trying || now.Before(b.until) {
		return false
	}
	b.trying = true
	return true
}

// How a call ended.
type ending int

const (
	worked ending = iota
	broke
	unknown // its caller gave up: says nothing
)

func (b *breaker) leave(now time.Time, how ending) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trying = false
	switch how {
	case worked:
		b.failed = 0
	case broke:
		b.failed++
		b.until = now.Add(breakFor)
	case unknown:
	}
}
