package window

import (
	"context"

	"github.com/slotway/slotway/memory"
)

// Tier is the window as a tier of memory: it adds the newest turns.
type Tier struct{ limits Limits }

var _ memory.Tier = (*Tier)(nil)

// New returns the tier.
func New(limits Limits) *Tier { return &Tier{limits} }

// Name implements memory.Tier.
func (*Tier) Name() string { return "window" }

// Contribute implements memory.Tier.
func (t *Tier) Contribute(_ context.Context, req memory.Request, c *memory.Context) error {
	c.Recent = Fit(req.Recent, t.limits)
	return nil
}
