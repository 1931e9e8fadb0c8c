package traces

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	api "go.opentelemetry.io/otel/trace"

	"github.com/slotway/slotway/router/telemetry"
)

// Options configure Traces; every zero value but Endpoint has a default.
type Options struct {
	Endpoint  string         // base URL of the collector, such as http://127.0.0.1:4318; /v1/traces is added unless it has a path
	Service   string         // service.name; default slotway
	Version   string         // service.version; "" none
	AgentID   string         // of the agent whose turns are exported
	AgentName string         // for people; default AgentID
	Ratio     float64        // share of turns to export, (0,1], unless the caller's trace decides; default 1
	Queue     int            // spans that may wait for the collector; default 4096, some 8 MB
	Timeout   time.Duration  // of one request to the collector; default 5s
	Interval  time.Duration  // between two requests at most; default 2s
	Failed    telemetry.Sink // told, once a minute at most, that spans were lost; default telemetry.Discard
}

// Traces is a Sink that exports turns and jobs to a collector.
type Traces struct {
	opts      Options
	tracer    api.Tracer
	processor trace.SpanProcessor
	sender    *sender
	builder   sync.WaitGroup
	finished  sync.Once
	failure   error // of the first Close

	mu     sync.Mutex // guards what follows
	closed bool
	open   map[turnID][]telemetry.Event // turns whose last event has not come
	ready  chan []telemetry.Event       // of turns that have ended
}

var _ telemetry.Sink = (*Traces)(nil)

// turnID identifies the events of one turn.
type turnID struct{ user, session, interaction string }

// Limits of what waits to become spans. The router records the events of a turn together, so few turns
// are open at a time.
const (
	maxOpen   = 1024 // turns whose last event is to come
	maxReady  = 256  // turns that have ended
	maxEvents = 64   // of a turn; the last one is kept
	batch     = 512  // spans of a request
)

// New does not connect: a collector that is down is no error, now or later.
func New(ctx context.Context, opts Options) (*Traces, error) {
	endpoint, err := tracesURL(opts.Endpoint)
	if err != nil {
		return nil, err
	}
	opts.Service, opts.AgentName = cmp.Or(opts.Service, "slotway"), cmp.Or(opts.AgentName, opts.AgentID)
	opts.Queue = cmp.Or(max(0, opts.Queue), 4096)
	opts.Timeout, opts.Interval = cmp.Or(max(0, opts.Timeout), 5*time.Second), cmp.Or(max(0, opts.Interval), 2*time.Second)
	if opts.Ratio <= 0 || opts.Ratio > 1 {
		opts.Ratio = 1
	}
	if opts.Failed == nil {
		opts.Failed = telemetry.Discard
	}
	exporter, err := otlptracehttp.New(ctx, settings(endpoint, opts.Timeout)...)
	if err != nil {
		return nil, fmt.Errorf("telemetry.otlp_endpoint: %w", err)
	}
	t := &Traces{
		opts: opts, sender: newSender(exporter, opts.Failed),
		open: map[turnID][]telemetry.Event{}, ready: make(chan []telemetry.Event, maxReady),
	}
	t.processor = trace.NewBatchSpanProcessor(
		t.sender, trace.WithMaxQueueSize(opts.Queue), trace.WithMaxExportBatchSize(min(batch, opts.Queue)),
		trace.WithBatchTimeout(opts.Interval), trace.WithExportTimeout(3*opts.Timeout),
	)
	t.tracer = trace.NewTracerProvider(
		trace.WithResource(resource.NewWithAttributes(semconv.SchemaURL, service(&opts)...)),
		trace.WithSampler(trace.ParentBased(trace.TraceIDRatioBased(opts.Ratio))),
		trace.WithRawSpanLimits(limits), trace.WithSpanProcessor(t.processor),
	).Tracer("github.com/slotway/slotway")
	t.builder.Go(t.build)
	return t, nil
}

// settings fixes everything that the environment could set, except headers and certificates.
func settings(endpoint string, timeout time.Duration) []otlptracehttp.Option {
	all := []otlptracehttp.Option{
		otlptracehttp.WithEndpointURL(endpoint), otlptracehttp.WithTimeout(timeout), otlptracehttp.WithProxy(proxyOf),
		otlptracehttp.WithCompression(otlptracehttp.GzipCompression), otlptracehttp.WithEncoding(otlptracehttp.EncodingProtobuf),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{
			Enabled: true, InitialInterval: 500 * time.Millisecond, MaxInterval: timeout, MaxElapsedTime: 2 * timeout,
		}),
	}
	if strings.HasPrefix(endpoint, "http:") {
		all = append(all, otlptracehttp.WithTLSClientConfig(nil)) // with one it would refuse to start
	}
	return all
}

// errElsewhere: the collector redirects requests.
var errElsewhere = errors.New("a redirect that is not followed")

// proxyOf also sees the requests that follow redirects, and fails them: the exporter would send spans
// and the headers with its credentials wherever it is redirected. (A client of our own could refuse
// redirects, but with one the variables that name certificates have no effect.)
func proxyOf(req *http.Request) (*url.URL, error) {
	if req.Response != nil {
		return nil, errElsewhere
	}
	return http.ProxyFromEnvironment(req)
}

// limits of a span: names are short, and the path of a turn is bounded by its steps.
var limits = trace.SpanLimits{
	AttributeValueLengthLimit: 256, AttributeCountLimit: 32,
	EventCountLimit: 8, LinkCountLimit: 8, AttributePerEventCountLimit: 8, AttributePerLinkCountLimit: 8,
}

// errEndpoint never quotes the URL, which may hold a password.
var errEndpoint = errors.New("telemetry.otlp_endpoint is no base URL such as http://127.0.0.1:4318")

// tracesURL is the URL for spans.
func tracesURL(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "":
		return "", errEndpoint
	case u.User != nil:
		return "", fmt.Errorf("%w: credentials belong in the environment, OTEL_EXPORTER_OTLP_HEADERS", errEndpoint)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
	}
	return u.String(), nil
}

// Record takes an event, and hands the turn over at its last one. It never waits.
func (t *Traces) Record(e telemetry.Event) {
	_, job := e.Payload.(telemetry.Job)
	if !job && e.InteractionID == "" {
		return // of no turn
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	if job {
		t.hand([]telemetry.Event{e})
		return
	}
	id := turnID{e.UserID, e.SessionID, e.InteractionID}
	events := t.open[id]
	if len(events) == maxEvents {
		events = events[:maxEvents-1]
	}
	events = append(events, e)
	if e.Ends() {
		delete(t.open, id)
		t.hand(events)
		return
	}
	if len(events) == 1 && len(t.open) >= maxOpen {
		t.makeRoom()
	}
	t.open[id] = events
}

// makeRoom drops a turn that never ended.
func (t *Traces) makeRoom() {
	for id, events := range t.open {
		t.sender.lose(len(events))
		delete(t.open, id)
		return
	}
}

// hand passes a turn's events to the builder, or drops them if too many wait.
func (t *Traces) hand(events []telemetry.Event) {
	select {
	case t.ready <- events:
	default:
		t.sender.lose(len(events))
	}
}

// Lost counts the spans that no collector received because it was slow, down or refused them.
func (t *Traces) Lost() uint64 { return t.sender.lost.Load() }

// Close sends what is left until ctx ends, and stops everything that New started. It may be called
// twice. Later events are dropped.
func (t *Traces) Close(ctx context.Context) error {
	t.finished.Do(func() {
		t.mu.Lock()
		t.closed = true
		close(t.ready)
		t.mu.Unlock()
		t.builder.Wait() // it waits for nobody
		// Not by the provider, which leaves the processor running where ctx has ended already.
		t.failure = t.processor.Shutdown(ctx)
		t.sender.abort() // what was still under way when ctx ended
		<-t.sender.stopped
	})
	if t.failure != nil {
		return fmt.Errorf("send the last spans: %w", t.failure)
	}
	return nil
}
