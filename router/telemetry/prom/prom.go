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
	Cache func() Cache                                             // of the cache before the store

	Durability string // what an acknowledged commit of the store outlives; a code, "" where it does not say

	Timeout time.Duration // for Jobs; default 1s
}

// Cache describes the cache before the store.
type Cache struct {
	Operations     []CacheOperation
	Unhealthy      bool   // it failed and is not used now
	UnhealthyTotal uint64 // number of times that it became unhealthy
}

// CacheOperation counts one outcome of an operation on the cache. Both words are codes of a small set.
type CacheOperation struct {
	Operation, Outcome string
	N                  uint64
}

// Metrics counts events and requests. It is safe for concurrent use.
type Metrics struct {
	opts     Options
	registry *prometheus.Registry
	names    atomic.Pointer[known]
	defining sync.Mutex // one Define at a time
	routes   atomic.Pointer[map[string]bool]
	codes    *codes
	turns    openTurns

	turnsTotal   *family[string, prometheus.Counter]
	turnSeconds  prometheus.Histogram
	stageSeconds *family[string, prometheus.Observer]
	intents      *family[string, prometheus.Counter]
	fallbacks    *family[string, prometheus.Counter]
	asks         *family[ask, prometheus.Counter]
	confirms     *family[string, prometheus.Counter]
	calls        *family[toolCall, prometheus.Counter]
	callSeconds  *family[string, prometheus.Observer]
	handoffs     prometheus.Counter
	errors       *family[string, prometheus.Counter]
	replayed     prometheus.Counter
	classifiers  *family[string, prometheus.Counter]
	tiers        *family[tierEnd, prometheus.Counter]
	tierSeconds  *family[string, prometheus.Observer]
	jobs         *family[jobEnd, prometheus.Counter]
	jobSeconds   *family[string, prometheus.Observer]
	requests     *family[request, prometheus.Counter]
	httpSeconds  *family[string, prometheus.Observer]
	inFlight     prometheus.Gauge
	limited      *family[string, prometheus.Counter]
}

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
	r := m.registry
	one := func(v string) []string { return []string{v} }
	m.turnsTotal = counters(r, "turns_total", "Turns that ended, by outcome: waiting, responded, replayed, moved_on (a message that came too late was not taken) or error.", one, "outcome")
	m.turnSeconds = histogram(r, "turn_duration_seconds", "Time from a turn's begin to its commit, the wait for earlier turns of the session left out; of a message that never had its turn, that wait.", fastBuckets)
	m.stageSeconds = histograms(r, "stage_duration_seconds", "Time that a stage of a turn took.", stageBuckets, one, "stage")
	m.intents = counters(r, "intents_total", "Messages understood, by intent; none where no intent was found.", one, "intent")
	m.fallbacks = counters(r, "fallbacks_total", "Messages that nothing matched (out_of_scope), model answers that the embedded classifier stood in for, by reason, and texts that the model did not write (generate).", one, "reason")
	m.asks = counters(r, "asks_total", "Questions put, by param and kind.", ask.values, "param", "kind")
	m.confirms = counters(r, "confirms_total", "Confirmations asked for, by tool.", one, "tool")
	m.calls = counters(r, "tool_calls_total", "Tool calls that ended, by tool, status and error code.", toolCall.values, "tool", "status", "code")
	m.callSeconds = histograms(r, "tool_call_duration_seconds", "Time of a tool call, its retries included.", fastBuckets, one, "tool")
	m.handoffs = counter(r, "handoffs_total", "Turns in which a person was to take over.")
	m.errors = counters(r, "errors_total", "Things that went wrong, by code.", one, "code")
	m.replayed = counter(r, "replayed_total", "Messages that had been answered before.")
	m.classifiers = counters(r, "classify_tier_total", "Messages by the classifier that decided; none where no one was asked.", one, "tier")
	m.tiers = counters(r, "memory_tier_total", "Questions to a memory tier, by tier and outcome: ok or error.", tierEnd.values, "tier", "outcome")
	m.tierSeconds = histograms(r, "memory_tier_duration_seconds", "Time that a memory tier took to answer.", stageBuckets, one, "tier")
	m.jobs = counters(r, "jobs_total", "Background jobs that ran, by kind and outcome.", jobEnd.values, "kind", "outcome")
	m.jobSeconds = histograms(r, "job_duration_seconds", "Time of a run of a background job.", jobBuckets, one, "kind")
	m.requests = counters(r, "http_requests_total", "HTTP requests answered, by route, method and class of status.", request.values, "route", "method", "status_class")
	m.httpSeconds = histograms(r, "http_request_duration_seconds", "Time of an HTTP request, a stream to its end.", fastBuckets, one, "route")
	m.inFlight = gauge(r, "http_in_flight", "HTTP requests under way.")
	m.limited = counters(r, "http_limited_total", "HTTP requests that were refused because of a limit, by reason.", one, "reason")
	gauge(r, "build_info", "1; the labels tell what runs.", "version", m.opts.Version, "revision", m.opts.Revision).Set(1)
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	r.MustRegister(newScrapeCollector(&m.opts))
}

// Handler answers scrapers: at most four at a time, each for at most ten seconds.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 4, Timeout: 10 * time.Second,
	})
}
