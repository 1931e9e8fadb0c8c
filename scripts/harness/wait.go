package harness

import (
	"context"
	"fmt"
	"time"
)

// Patience bounds every wait for something that must happen. It suits a busy machine.
const Patience = 90 * time.Second

// Pause waits for a duration. If ctx ends first, it returns the error of ctx.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Await polls a condition until it holds, for at most Patience, and fails when the process
// behind it has ended; a nil channel stands for none. The error names the condition by what.
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
