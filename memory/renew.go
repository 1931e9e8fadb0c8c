package memory

import (
	"context"
	"fmt"
	"time"
)

// Renew is ForTurn for a session whose state cannot be read: the store makes it another one.
func (c *Conversations) Renew(ctx context.Context, key Key, requestID string, at time.Time) (*Session, error) {
	lost, err := c.store.Renew(ctx, key, at)
	if err != nil {
		return nil, fmt.Errorf("renew session: %w", err)
	}
	s, err := c.ForTurn(ctx, key, requestID, true)
	if err == nil {
		s.stateLost = lost
	}
	return s, err
}

// leaveOut makes what could not be read inactive with the next commit, so that it is met once: messages, with
// those before them, and calls under way, whose outcome nobody knows.
func (s *Session) leaveOut() {
	if int64(len(s.active)) < min(int64(s.recent), s.snap.History()) {
		s.Prune(len(s.active))
	}
	for _, key := range s.snap.LostSteps {
		s.FinishStep(Step{IdempotencyKey: key, Status: StepUnknown})
	}
}

// Damage lists the stored rows that the session was loaded without.
func (s *Session) Damage() []string { return s.snap.Damaged }

// StateLost reports that params, plan and history were lost with a damaged row.
func (s *Session) StateLost() bool { return s.stateLost }

// StepsLost reports that the journal has calls whose outcome cannot be told.
func (s *Session) StepsLost() bool { return len(s.snap.LostSteps) > 0 }
