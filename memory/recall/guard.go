package recall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/slotway/slotway/config/breaker"
)

// CallGuard makes calls to a vector store within a time limit, reports them, and pauses a store that
// fails repeatedly. It is safe for concurrent use and must not be copied.
type CallGuard struct {
	Now    func() time.Time
	OnCall func(VectorCall) // is called after every call; may be nil

	breaker breaker.Breaker
}

// Call makes one call within a limit. Its error wraps ErrVectors.
func (g *CallGuard) Call(ctx context.Context, op string, limit time.Duration, do func(context.Context) error) error {
	return g.unlessPaused(ctx, op, limit, do, outcomeOf)
}

func (g *CallGuard) unlessPaused(ctx context.Context, op string, limit time.Duration, do func(context.Context) error, outcome func(context.Context, error) breaker.Outcome) error {
	permit, ok := g.breaker.Acquire()
	if !ok {
		g.report(op, "paused", 0)
		return fmt.Errorf("%w: it failed a moment ago", ErrVectors)
	}
	return g.timed(ctx, op, limit, func(within context.Context) error {
		err := do(within)
		permit.Done(outcome(ctx, err))
		return err
	})
}

// timed makes a call within a limit even if the store is paused: the background tries again anyway.
// A limit of 0 is none.
func (g *CallGuard) timed(ctx context.Context, op string, limit time.Duration, do func(context.Context) error) error {
	if limit != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	started, code := g.Now(), ""
	err := do(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		code = "timeout"
	case errors.Is(err, context.Canceled):
		code = "cancelled"
	case err != nil:
		code = "unavailable"
	}
	g.report(op, code, g.Now().Sub(started))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrVectors, err)
	}
	return nil
}

func (g *CallGuard) report(op, code string, took time.Duration) {
	if g.OnCall != nil {
		g.OnCall(VectorCall{Op: op, Code: code, Duration: took})
	}
}

// outcomeOf says what the end of a call tells about the server. A caller that cancelled says
// nothing about it; one that waited until its own deadline does.
func outcomeOf(caller context.Context, err error) breaker.Outcome {
	switch {
	case err == nil:
		return breaker.Healthy
	case errors.Is(caller.Err(), context.Canceled):
		return breaker.Unknown
	}
	return breaker.Unhealthy
}

// outcomeInTurn is outcomeOf for a caller whose own deadline is the turn's: that may be so short
// that missing it says nothing about the server.
func outcomeInTurn(caller context.Context, err error) breaker.Outcome {
	if err != nil && caller.Err() != nil {
		return breaker.Unknown
	}
	return outcomeOf(caller, err)
}
