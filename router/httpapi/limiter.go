package httpapi

import (
	"context"
	"errors"
	"sync"
)

var (
	errFull     = errors.New("too many turns are under way")
	errDraining = errors.New("shutting down")
)

// limiter limits the turns under way.
type limiter struct {
	max int

	mu     sync.Mutex // guards n and closed
	n      int
	closed bool
	idle   chan struct{} // closed when the limiter is closed and n is 0
}

func newLimiter(max int) *limiter { return &limiter{max: max, idle: make(chan struct{})} }

// acquire takes a slot or fails. The caller releases it.
func (g *limiter) acquire() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return errDraining
	case g.n >= g.max:
		return errFull
	}
	g.n++
	return nil
}

func (g *limiter) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n--; g.closed && g.n == 0 {
		close(g.idle)
	}
}

func (g *limiter) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// close refuses new turns and waits until all slots are released. It may be called again.
func (g *limiter) close(ctx context.Context) error {
	g.mu.Lock()
	if !g.closed && g.n == 0 {
		close(g.idle)
	}
	g.closed = true
	g.mu.Unlock()
	select {
	case <-g.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
