package recall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/config/breaker"
)

// Patience bounds calls to a place outside, and leaves one alone for a while that fails again
// and again. It is safe for concurrent use, and is not to be copied.
type Patience struct {
	Now   func() time.Time
	Watch func(VectorCall) // as in Options

	breaker breaker.Breaker
}

// Call makes a call within a limit. Its error is one of ErrVectors.
func (p *Patience) Call(ctx context.Context, op string, limit time.Duration, do func(context.Context) error) error {
	out := outside{opts: &Options{Now: p.Now, Watch: p.Watch}}
	permit, ok := p.breaker.Acquire()
	if !ok {
		out.watch(op, "paused", 0)
		return fmt.Errorf("%w: it failed a moment ago", ErrVectors)
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	begun := p.Now()
	err := do(within)
	permit.Done(outcomeOf(ctx, err))
	return out.ended(op, begun, err)
}

// outcomeOf is what a call says of the other side. A caller that cancelled says nothing of it; one
// that waited until its own deadline does.
func outcomeOf(caller context.Context, err error) breaker.Outcome {
	switch {
	case err == nil:
		return breaker.Healthy
	case errors.Is(caller.Err(), context.Canceled):
		return breaker.Unknown
	}
	return breaker.Unhealthy
}
