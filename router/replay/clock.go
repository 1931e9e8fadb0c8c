package replay

import (
	"sync"
	"time"
)

// step is how far the clock moves between two turns without `after`.
const step = time.Second

// clock is the clock of one conversation. It moves only between turns.
type clock struct {
	mu  sync.Mutex // guards now
	now time.Time
}

// Now returns the time. It is safe for concurrent use.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// advance moves the clock to a turn.
func (c *clock) advance(after time.Duration) {
	if after == 0 {
		after = step
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(after)
}
