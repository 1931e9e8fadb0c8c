package prom

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
)

// scrapeCollector reads figures when a scraper asks for them.
type scrapeCollector struct {
	opts                            *Options
	running, waiting, pending, dead *prometheus.Desc
	lost                            *prometheus.Desc
	cache, ill, illEver             *prometheus.Desc

	promise, unconfirmed, alone, changed, back *prometheus.Desc
}

func newScrapeCollector(opts *Options) *scrapeCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
	}
	return &scrapeCollector{
		opts:    opts,
		running: desc("turns_running", "Turns under way."),
		waiting: desc("turns_waiting", "Turns that wait for an earlier one of their session."),
		pending: desc("jobs_pending", "Background jobs that are to be done."),
		dead:    desc("jobs_dead", "Background jobs that failed too often."),
		lost:    desc("telemetry_lost_lines_total", "Lines that the telemetry log could not take."),
		cache:   desc("cache_total", "Operations on the cache before the store, by operation and outcome.", "operation", "outcome"),
		ill:     desc("cache_ill", "1 while the cache before the store is left alone because it failed; the store is read instead."),
		illEver: desc("cache_ill_total", "Times that the cache before the store began to be left alone."),

		promise:     desc("store_promise", "1 for what a commit outlives: nothing, disk (a crash of the server) or standby (its loss).", "promise"),
		unconfirmed: desc("store_unconfirmed_total", "Commits whose wait for a standby the server gave up; they are waited for anew."),
		alone:       desc("store_alone", "1 while no standby of the store confirms commits and turns are refused."),
		changed:     desc("store_changed_total", "Times that another database server answered, or the same one after a restart."),
		back:        desc("store_history_back_total", "Sessions that were found older than this process had seen them: acknowledged turns are lost."),
	}
}

// Describe implements prometheus.Collector.
func (o *scrapeCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{o.running, o.waiting, o.pending, o.dead, o.lost, o.cache, o.ill, o.illEver, o.promise, o.unconfirmed, o.alone, o.changed, o.back} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (o *scrapeCollector) Collect(out chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, n int) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n))
	}
	if o.opts.Turns != nil {
		running, waiting := o.opts.Turns()
		send(o.running, running)
		send(o.waiting, waiting)
	}
	if o.opts.Lost != nil {
		out <- prometheus.MustNewConstMetric(o.lost, prometheus.CounterValue, float64(o.opts.Lost()))
	}
	if o.opts.Cache != nil {
		o.collectCache(out)
	}
	if o.opts.Database != nil {
		o.collectDatabase(out)
	}
	if o.opts.Jobs == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), o.opts.Timeout)
	defer cancel()
	if pending, dead, err := o.opts.Jobs(ctx); err == nil {
		send(o.pending, pending)
		send(o.dead, dead)
	}
}

func (o *scrapeCollector) collectCache(out chan<- prometheus.Metric) {
	c, ill := o.opts.Cache(), 0.0
	if c.Unhealthy {
		ill = 1
	}
	out <- prometheus.MustNewConstMetric(o.ill, prometheus.GaugeValue, ill)
	out <- prometheus.MustNewConstMetric(o.illEver, prometheus.CounterValue, float64(c.UnhealthyTotal))
	for _, e := range c.Operations {
		out <- prometheus.MustNewConstMetric(o.cache, prometheus.CounterValue, float64(e.N), e.Operation, e.Outcome)
	}
}

func (o *scrapeCollector) collectDatabase(out chan<- prometheus.Metric) {
	d := o.opts.Database()
	if d.Durability != "" {
		out <- prometheus.MustNewConstMetric(o.promise, prometheus.GaugeValue, 1, d.Durability)
	}
	alone := 0.0
	if d.NoStandby {
		alone = 1
	}
	out <- prometheus.MustNewConstMetric(o.alone, prometheus.GaugeValue, alone)
	for desc, n := range map[*prometheus.Desc]uint64{o.unconfirmed: d.Unconfirmed, o.changed: d.ServerChanges, o.back: d.Regressions} {
		out <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(n))
	}
}
