package prompt

import (
	"context"
	"errors"
	"time"

	"github.com/slotway/slotway/memory"
)

// Source assembles what a model is told of the past. A turn and everything that shows what a turn
// would be told use it, so that they agree.
type Source struct {
	Tiers  []memory.Tier
	Budget int     // tokens; 0: no limit
	Count  Counter // nil: an estimate

	// What a message that comes later finds of a session; 0: no limit.
	Idle       time.Duration // silence that ends the window
	MessageTTL time.Duration // age of the messages in it
}

// Context returns what is told with text as the current message. system is the agent's prompt.
func (s *Source) Context(ctx context.Context, session *memory.Session, system, text string, now time.Time) (memory.Context, error) {
	asked := session.Request(text, now, s.Budget)
	asked.Prompt = system
	known, err := memory.Assemble(ctx, s.Tiers, asked)
	if err != nil {
		return memory.Context{}, err
	}
	return Fit(known, text, s.Budget, s.Count), nil
}

// Upcoming is Context for the message that comes next: it first applies the time that has passed to
// the session, which must not be committed.
func (s *Source) Upcoming(ctx context.Context, session *memory.Session, system, text string, now time.Time) (memory.Context, error) {
	if session.Idle(now, s.Idle) {
		session.Rest()
	}
	if s.MessageTTL > 0 {
		err := session.ExpireBefore(ctx, now.Add(-s.MessageTTL))
		if err != nil && !errors.Is(err, memory.ErrCorrupt) && !errors.Is(err, memory.ErrNotFound) {
			return memory.Context{}, err
		}
	}
	return s.Context(ctx, session, system, text, now)
}
