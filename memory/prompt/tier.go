package prompt

import (
	"context"

	"github.com/slotway/slotway/memory"
)

// TierName is the name of [Tier].
const TierName = "prompt"

// Tier tells a session's own system prompt. Where it fails, no model is to be asked: a prompt
// may say what must not be said.
type Tier struct{ store memory.Reader }

// NewTier returns a tier over the sessions of a store. It goes before all others.
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
