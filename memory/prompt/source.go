package prompt

import (
	"context"
	"time"

	"github.com/slotway/slotway/memory"
)

// Source assembles what a model is told of the past. A turn and everything that shows what a turn
// would be told use it, so that they agree.
type Source struct {
	Tiers  []memory.Tier
	Budget int     // tokens; 0: no limit
	Count  Counter // nil: an estimate
}

// Context returns what is told with text as the current message. system is the agent's prompt.
func (s *Source) Context(ctx context.Context, session *memory.Session, system, text string, now time.Time) (memory.Context, error) {
	asked := session.Request(text, now, s.Budget)
	asked.Prompt = system
	known, err := memory.Assemble(ctx, s.Tiers, asked)
	return Fit(known, text, s.Budget, s.Count), err
}
