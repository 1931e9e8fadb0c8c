package recall

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Patience bounds calls to a place outside, and leaves one alone for a while that fails again
// and again. It is safe for concurrent use, and is not to be copied.
type Patience struct {
	Now   func() time.Time
	Watch func(VectorCall) // as in Options

	breaker breaker
}

// Call makes a call within a limit. Its error is one of ErrVectors.
func (p *Patience) Call(ctx context.Context, op string, limit time.Duration, do func(context.Context) error) error {
	out := outside{opts: &Options{Now: p.Now, Watch: p.Watch}}
	if !p.breaker.enter(p.Now()) {
		out.watch(op, "paused", 0)
		return fmt.Errorf("%w: it failed a moment ago", ErrVectors)
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	begun := p.Now()
	err := do(within)
	how := worked
	switch {
	case err != nil && errors.Is(ctx.Err(), context.Canceled):
		how = unknown
	case err != nil:
		how = broke
	}
	p.breaker.leave(p.Now(), how)
	return out.ended(op, begun, err)
}
