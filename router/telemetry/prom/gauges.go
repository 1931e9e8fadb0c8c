package prom

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// scrapeMetric is a metric that is read when a scraper asks for it.
type scrapeMetric struct {
	name, help string
	kind       prometheus.ValueType
	labels     []string
}

const (
	gaugeKind   = prometheus.GaugeValue
	counterKind = prometheus.CounterValue
)

// scrapeMetrics are all of them.
var scrapeMetrics = []scrapeMetric{
	{"turns_running", "Turns under way.", gaugeKind, nil},
	{"turns_waiting", "Turns that wait for an earlier one of their session.", gaugeKind, nil},
	{"jobs_pending", "Background jobs that are to be done.", gaugeKind, nil},
	{"jobs_dead", "Background jobs that failed too often.", gaugeKind, nil},
	{"telemetry_lost_lines_total", "Lines that the telemetry log could not take.", counterKind, nil},
	{"cache_total", "Operations on the cache before the store, by operation and outcome.", counterKind, []string{"operation", "outcome"}},
	{"cache_unhealthy", "1 while the cache before the store has failed and is not used; the store is read instead.", gaugeKind, nil},
	{"cache_failures_total", "Times that the cache before the store has failed.", counterKind, nil},
	{"store_durability", "1 for the durability of a commit: nothing, disk (survives a crash of the server) or standby (survives its loss).", gaugeKind, []string{"durability"}},
}

// scrapeCollector reads figures when a scraper asks for them.
type scrapeCollector struct {
	opts  *Options
	descs map[string]*prometheus.Desc // by name
	kinds map[string]prometheus.ValueType
}

func newScrapeCollector(opts *Options) *scrapeCollector {
	o := &scrapeCollector{opts: opts, descs: map[string]*prometheus.Desc{}, kinds: map[string]prometheus.ValueType{}}
	for _, m := range scrapeMetrics {
		name := prometheus.BuildFQName(namespace, "", m.name)
		o.descs[m.name] = prometheus.NewDesc(name, m.help, m.labels, nil)
		o.kinds[m.name] = m.kind
	}
	return o
}

// Describe implements prometheus.Collector.
func (o *scrapeCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range o.descs {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (o *scrapeCollector) Collect(out chan<- prometheus.Metric) {
	send := func(name string, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(o.descs[name], o.kinds[name], value, labels...)
	}
	if o.opts.Turns != nil {
		running, waiting := o.opts.Turns()
		send("turns_running", float64(running))
		send("turns_waiting", float64(waiting))
	}
	if o.opts.Lost != nil {
		send("telemetry_lost_lines_total", float64(o.opts.Lost()))
	}
	if o.opts.Cache != nil {
		c := o.opts.Cache()
		send("cache_unhealthy", boolValue(c.Unhealthy))
		send("cache_failures_total", float64(c.UnhealthyTotal))
		for _, op := range c.Operations {
			send("cache_total", float64(op.N), op.Operation, op.Outcome)
		}
	}
	if o.opts.Durability != "" {
		send("store_durability", 1, o.opts.Durability)
	}
	if o.opts.Jobs != nil {
		ctx, cancel := context.WithTimeout(context.Background(), o.opts.Timeout)
		defer cancel()
		if pending, dead, err := o.opts.Jobs(ctx); err == nil {
			send("jobs_pending", float64(pending))
			send("jobs_dead", float64(dead))
		}
	}
}

func boolValue(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
