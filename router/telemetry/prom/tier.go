package prom

import (
	"context"
	"time"

	"github.com/slotway/slotway/memory"
)

// Tier wraps a tier to count and time its queries. The result is a memory.Worker if t is one.
func Tier(t memory.Tier, m *Metrics) memory.Tier {
	if w, ok := t.(memory.Worker); ok {
		return timedWorker{w, m}
	}
	return timedTier{t, m}
}

// ObserveTier counts a query of a memory tier that took d and ended with err.
func (m *Metrics) ObserveTier(name string, d time.Duration, err error) {
	name = m.codes.of(memoryTier, name)
	how := "ok"
	if err != nil {
		how = "error"
	}
	m.tiers.of(tierEnd{name, how}).Inc()
	m.tierSeconds.of(name).Observe(seconds(d))
}

type timedTier struct {
	memory.Tier
	metrics *Metrics
}

// Contribute implements memory.Tier.
func (t timedTier) Contribute(ctx context.Context, req memory.Request, c *memory.Context) error {
	return contribute(ctx, t.Tier, req, c, t.metrics)
}

type timedWorker struct {
	memory.Worker
	metrics *Metrics
}

// Contribute implements memory.Tier.
func (t timedWorker) Contribute(ctx context.Context, req memory.Request, c *memory.Context) error {
	return contribute(ctx, t.Worker, req, c, t.metrics)
}

func contribute(ctx context.Context, t memory.Tier, req memory.Request, c *memory.Context, m *Metrics) error {
	began := time.Now()
	err := t.Contribute(ctx, req, c)
	m.ObserveTier(t.Name(), time.Since(began), err)
	return err
}
