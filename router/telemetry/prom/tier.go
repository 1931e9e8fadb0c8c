package prom

import (
	"context"
	"time"

	"github.com/slotway/slotway/memory"
)

// Tier wraps a tier to count and time its queries. The result is a memory.Worker if t is one.
func Tier(t memory.Tier, m *Metrics) memory.Tier {
	if w, ok := t.(memory.Worker); ok {
		return timedWorker{timedTier{t, m}, w}
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
	m.tiers.WithLabelValues(name, how).Inc()
	m.tierSeconds.WithLabelValues(name).Observe(seconds(d))
}

type timedTier struct {
	memory.Tier
	metrics *Metrics
}

// Contribute implements memory.Tier.
func (t timedTier) Contribute(ctx context.Context, req memory.Request, c *memory.Context) error {
	began := time.Now()
	err := t.Tier.Contribute(ctx, req, c)
	t.metrics.ObserveTier(t.Name(), time.Since(began), err)
	return err
}

type timedWorker struct {
	timedTier
	memory.Worker
}
