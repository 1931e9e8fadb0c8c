package prompt

import (
	"context"

	"github.com/slotway/slotway/memory"
)

// TierName is the name of [Tier].
const TierName = "prompt"

// Tier adds a session's own system prompt. If it fails, no model may be asked: a prompt may contain
// prohibitions.
type Tier struct{ store memory.Reader }

// NewTier returns a tier over the sessions of a store. It must come before all others.
func NewTier(store memory.Reader) *Tier { return &Tier{store} }

// Name implements memory.Tier.
func (*Tier) Name() string { return TierName }

// Contribute implements memory.Tier.
func (t *Tier) Contribute(ctx context.Context, req memory.Request, c *memory.Context) error {
	about, err := memory.AboutOf(ctx, t.store, req.Key)
	if err == nil && about.SystemPrompt != "" {
		c.System = append(c.System, memory.Message{Role: memory.System, Text: about.SystemPrompt})
	}
	return err
}
