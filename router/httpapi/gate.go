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

// gate counts the turns under way.
type gate struct {
	max int

	mu     sync.Mutex // guards n and closed
	n      int
	closed bool
	empty  chan struct{} // closed when the gate is closed and n is 0
}

func newGate(max int) *gate { return &gate{max: max, empty: make(chan struct{})} }

// enter takes a place, or says why there is none. Whoever entered leaves.
func (g *gate) enter() error {
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

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.n--; g.closed && g.n == 0 {
		close(g.empty)
	}
}

func (g *gate) isClosed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// close lets nobody in any more and waits until all have left. It may be called again.
func (g *gate) close(ctx context.Context) error {
	g.mu.Lock()
	if !g.closed && g.n == 0 {
		close(g.empty)
	}
	g.closed = true
	g.mu.Unlock()
	select {
	case <-g.empty:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
