package prom

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// onDemand reads figures when a scraper asks for them. A figure that cannot be read now is missing.
type onDemand struct{ opts *Options }

// Describe implements prometheus.Collector. It describes nothing: which figures there are is known when
// they are read.
func (o onDemand) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (o onDemand) Collect(out chan<- prometheus.Metric) {
	sample := func(kind prometheus.ValueType, name, help string, value float64, labels prometheus.Labels) {
		desc := prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, nil, labels)
		out <- prometheus.MustNewConstMetric(desc, kind, value)
	}
	gauge := func(name, help string, value int) {
		sample(prometheus.GaugeValue, name, help, float64(value), nil)
	}
	if o.opts.Turns != nil {
		running, waiting := o.opts.Turns()
		gauge("turns_running", "Turns under way.", running)
		gauge("turns_waiting", "Turns that wait for an earlier one of their session.", waiting)
	}
	if o.opts.Lost != nil {
		sample(prometheus.CounterValue, "telemetry_lost_lines_total", "Lines that the telemetry log could not take.", float64(o.opts.Lost()), nil)
	}
	if o.opts.Cache != nil {
		c := o.opts.Cache()
		unhealthy := 0
		if c.Unhealthy {
			unhealthy = 1
		}
		gauge("cache_unhealthy", "1 while the cache before the store has failed and is not used; the store is read instead.", unhealthy)
		sample(prometheus.CounterValue, "cache_failures_total", "Times that the cache before the store has failed.", float64(c.UnhealthyTotal), nil)
		for _, op := range c.Operations {
			sample(
				prometheus.CounterValue, "cache_total", "Operations on the cache before the store, by operation and outcome.",
				float64(op.N), prometheus.Labels{"operation": op.Operation, "outcome": op.Outcome},
			)
		}
	}
	if o.opts.Durability != "" {
		sample(
			prometheus.GaugeValue, "store_durability", "1 for the durability of a commit: nothing, disk (survives a crash of the server) or standby (survives its loss).",
			1, prometheus.Labels{"durability": o.opts.Durability},
		)
	}
	if o.opts.Jobs != nil {
		ctx, cancel := context.WithTimeout(context.Background(), o.opts.Timeout)
		defer cancel()
		if pending, dead, err := o.opts.Jobs(ctx); err == nil {
			gauge("jobs_pending", "Background jobs that are to be done.", pending)
			gauge("jobs_dead", "Background jobs that failed too often.", dead)
		}
	}
}
