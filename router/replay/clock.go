package replay

import (
	"sync"
	"time"
)

// step is how far the clock moves between two turns, where the second has no `after`.
const step = time.Second

// clock is the time of one conversation. It moves when it is told to.
type clock struct {
	mu  sync.Mutex // guards now
	now time.Time
}

// Now is the time; any goroutine may ask.
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
