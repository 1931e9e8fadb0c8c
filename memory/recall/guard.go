package recall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/config/breaker"
)

// CallGuard bounds calls to a place outside, and leaves one alone for a while that fails again
// and again. It is safe for concurrent use, and is not to be copied.
type CallGuard struct {
	Now    func() time.Time
	OnCall func(VectorCall) // as in Options

	breaker breaker.Breaker
}

// Call makes a call within a limit. Its error is one of ErrVectors.
func (p *CallGuard) Call(ctx context.Context, op string, limit time.Duration, do func(context.Context) error) error {
	out := external{opts: &Options{Now: p.Now, OnCall: p.OnCall}}
	permit, ok := p.breaker.Acquire()
	if !ok {
		out.report(op, "paused", 0)
		return fmt.Errorf("%w: it failed a moment ago", ErrVectors)
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	begun := p.Now()
	err := do(within)
	permit.Done(outcomeOf(ctx, err))
	return out.finish(op, begun, err)
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
