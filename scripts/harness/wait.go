package harness

import (
	"context"
	"fmt"
	"time"
)

// Patience is how long anything may take that is waited for, on a busy machine.
const Patience = 90 * time.Second

// Pause waits for a time, or for the end of ctx, whose error it returns.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Await polls a condition until it holds, for Patience at most. what names it in the error. It
// gives up when ended is closed; nil never is.
func Await(ctx context.Context, what string, holds func() bool, ended <-chan struct{}) error {
	for end := time.Now().Add(Patience); time.Now().Before(end); {
		if holds() {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("waiting for %s: the process has ended", what)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return fmt.Errorf("waited %s for %s", Patience, what)
}
