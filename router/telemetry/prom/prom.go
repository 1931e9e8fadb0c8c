package prom

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/telemetry"
)

// Options configure Metrics; every zero value has a default.
type Options struct {
	Names    Names  // of the agent; Define replaces them
	Version  string // of the program, for slotway_build_info
	Revision string // of its source

	// These are called by each scrape; nil: the metric is missing. They must not wait longer than their
	// context; after an error the scrape lacks the sample.
	Turns func() (running, waiting int)                            // counts turns in the router
	Jobs  func(ctx context.Context) (pending, dead int, err error) // of the store
	Lost  func() uint64                                            // lines that the telemetry log could not take
	Cache func() memory.CacheHealth                                // of the cache before the store

	Durability string // what an acknowledged commit of the store outlives; a code, "" where it does not say

	Timeout time.Duration // for Jobs; default 1s
}

// Metrics counts events and requests. It is safe for concurrent use.
type Metrics struct {
	opts     Options
	registry *prometheus.Registry
	names    atomic.Pointer[known]
	defining sync.Mutex // one Define at a time
	routes   atomic.Pointer[map[string]bool]
	codes    *codes
	vectors  []vector // all with labels

	turnsTotal   *prometheus.CounterVec
	turnSeconds  *prometheus.HistogramVec
	stageSeconds *prometheus.HistogramVec
	intents      *prometheus.CounterVec
	fallbacks    *prometheus.CounterVec
	asks         *prometheus.CounterVec
	confirms     *prometheus.CounterVec
	calls        *prometheus.CounterVec
	callSeconds  *prometheus.HistogramVec
	handoffs     *prometheus.CounterVec
	errors       *prometheus.CounterVec
	replayed     *prometheus.CounterVec
	classifiers  *prometheus.CounterVec
	tiers        *prometheus.CounterVec
	tierSeconds  *prometheus.HistogramVec
	jobs         *prometheus.CounterVec
	jobSeconds   *prometheus.HistogramVec
	requests     *prometheus.CounterVec
	httpSeconds  *prometheus.HistogramVec
	inFlight     prometheus.Gauge
	limited      *prometheus.CounterVec
}

// vector is a metric with labels. Its series with a certain value of a label can be deleted.
type vector interface {
	prometheus.Collector
	DeletePartialMatch(prometheus.Labels) int
}

// namespace begins the name of every metric.
const namespace = "slotway"

var _ telemetry.Sink = (*Metrics)(nil)

// The buckets, in seconds. A turn without a model server takes some 250 µs, most of it the
// commit; one that asks a model or a slow tool takes seconds.
var (
	fastBuckets = []float64{
		.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30,
	}
	stageBuckets = []float64{
		.00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30,
	}
	jobBuckets = []float64{.001, .005, .01, .05, .1, .5, 1, 5, 10, 30, 60, 300}
)

// New returns metrics in their own registry.
func New(opts *Options) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), codes: newCodes()}
	if opts != nil {
		m.opts = *opts
	}
	m.opts.Timeout = cmp.Or(max(0, m.opts.Timeout), time.Second)
	m.routes.Store(&map[string]bool{})
	m.names.Store(newKnown(m.opts.Names))
	m.register()
	return m
}

func (m *Metrics) register() {
	register := func(v vector) {
		m.registry.MustRegister(v)
		m.vectors = append(m.vectors, v)
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
		register(v)
		if len(labels) == 0 {
			v.WithLabelValues() // it is 0 before the first event
		}
		return v
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
		register(v)
		if len(labels) == 0 {
			v.WithLabelValues()
		}
		return v
	}
	gauge := func(name, help string, labels prometheus.Labels) prometheus.Gauge {
		g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help, ConstLabels: labels})
		m.registry.MustRegister(g)
		return g
	}
	m.turnsTotal = counter("turns_total", "Turns that ended, by outcome: waiting, responded, replayed, moved_on (a message that came too late was not taken) or error.", "outcome")
	m.turnSeconds = histogram("turn_duration_seconds", "Time from a turn's begin to its commit, the wait for earlier turns of the session left out; of a message that never had its turn, that wait.", fastBuckets)
	m.stageSeconds = histogram("stage_duration_seconds", "Time that a stage of a turn took.", stageBuckets, "stage")
	m.intents = counter("intents_total", "Messages understood, by intent; none where no intent was found.", "intent")
	m.fallbacks = counter("fallbacks_total", "Messages that nothing matched (out_of_scope), model answers that the embedded classifier stood in for, by reason, and texts that the model did not write (generate).", "reason")
	m.asks = counter("asks_total", "Questions put, by param and kind.", "param", "kind")
	m.confirms = counter("confirms_total", "Confirmations asked for, by tool.", "tool")
	m.calls = counter("tool_calls_total", "Tool calls that ended, by tool, status and error code.", "tool", "status", "code")
	m.callSeconds = histogram("tool_call_duration_seconds", "Time of a tool call, its retries included.", fastBuckets, "tool")
	m.handoffs = counter("handoffs_total", "Turns in which a person was to take over.")
	m.errors = counter("errors_total", "Things that went wrong, by code.", "code")
	m.replayed = counter("replayed_total", "Messages that had been answered before.")
	m.classifiers = counter("classify_tier_total", "Messages by the classifier that decided; none where no one was asked.", "tier")
	m.tiers = counter("memory_tier_total", "Questions to a memory tier, by tier and outcome: ok or error.", "tier", "outcome")
	m.tierSeconds = histogram("memory_tier_duration_seconds", "Time that a memory tier took to answer.", stageBuckets, "tier")
	m.jobs = counter("jobs_total", "Background jobs that ran, by kind and outcome.", "kind", "outcome")
	m.jobSeconds = histogram("job_duration_seconds", "Time of a run of a background job.", jobBuckets, "kind")
	m.requests = counter("http_requests_total", "HTTP requests answered, by route, method and class of status.", "route", "method", "status_class")
	m.httpSeconds = histogram("http_request_duration_seconds", "Time of an HTTP request, a stream to its end.", fastBuckets, "route")
	m.inFlight = gauge("http_in_flight", "HTTP requests under way.", nil)
	m.limited = counter("http_limited_total", "HTTP requests that were refused because of a limit, by reason.", "reason")
	gauge("build_info", "1; the labels tell what runs.", prometheus.Labels{"version": m.opts.Version, "revision": m.opts.Revision}).Set(1)
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), onDemand{&m.opts})
}

// Handler answers scrapers: at most four at a time, each for at most ten seconds.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 4, Timeout: 10 * time.Second,
	})
}
