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
	{"store_unconfirmed_total", "Commits whose wait for a standby the server gave up; they are waited for again.", counterKind, nil},
	{"store_no_standby", "1 while no standby of the store confirms commits and turns are refused.", gaugeKind, nil},
	{"store_server_changes_total", "Times that another database server answered, or the same one after a restart.", counterKind, nil},
	{"store_regressions_total", "Sessions that were found older than this process had seen them: acknowledged turns are lost.", counterKind, nil},
}

// formerNames lists the names and labels that metrics had before release 2.5. Both names are exported, so that
// dashboards and alerts keep working.
var formerNames = map[string]struct {
	name   string
	labels []string
}{
	"cache_unhealthy":            {"cache_ill", nil},
	"cache_failures_total":       {"cache_ill_total", nil},
	"store_durability":           {"store_promise", []string{"promise"}},
	"store_no_standby":           {"store_alone", nil},
	"store_server_changes_total": {"store_changed_total", nil},
	"store_regressions_total":    {"store_history_back_total", nil},
}

// scrapeCollector reads figures when a scraper asks for them.
type scrapeCollector struct {
	opts  *Options
	descs map[string][]*prometheus.Desc // by name; the second one has the former name
	kinds map[string]prometheus.ValueType
}

func newScrapeCollector(opts *Options) *scrapeCollector {
	o := &scrapeCollector{opts: opts, descs: map[string][]*prometheus.Desc{}, kinds: map[string]prometheus.ValueType{}}
	for _, m := range scrapeMetrics {
		name := prometheus.BuildFQName(namespace, "", m.name)
		o.descs[m.name] = []*prometheus.Desc{prometheus.NewDesc(name, m.help, m.labels, nil)}
		o.kinds[m.name] = m.kind
		if former, renamed := formerNames[m.name]; renamed {
			desc := prometheus.NewDesc(prometheus.BuildFQName(namespace, "", former.name), "Former name of "+name+".", former.labels, nil)
			o.descs[m.name] = append(o.descs[m.name], desc)
		}
	}
	return o
}

// Describe implements prometheus.Collector.
func (o *scrapeCollector) Describe(out chan<- *prometheus.Desc) {
	for _, descs := range o.descs {
		for _, d := range descs {
			out <- d
		}
	}
}

// Collect implements prometheus.Collector.
func (o *scrapeCollector) Collect(out chan<- prometheus.Metric) {
	send := func(name string, value float64, labels ...string) {
		for _, d := range o.descs[name] {
			out <- prometheus.MustNewConstMetric(d, o.kinds[name], value, labels...)
		}
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
	if o.opts.Database != nil {
		d := o.opts.Database()
		if d.Durability != "" {
			send("store_durability", 1, d.Durability)
		}
		send("store_no_standby", boolValue(d.NoStandby))
		send("store_unconfirmed_total", float64(d.Unconfirmed))
		send("store_server_changes_total", float64(d.ServerChanges))
		send("store_regressions_total", float64(d.Regressions))
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
