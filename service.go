package slotway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
	"github.com/slotway/slotway/router/httpapi/openai"
	"github.com/slotway/slotway/router/httpapi/rasarest"
	"github.com/slotway/slotway/router/httpapi/studio"
	"github.com/slotway/slotway/router/httpapi/widget"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/router/telemetry/prom"
)

// service serves a runtime over HTTP.
type service struct {
	runtime   *Runtime
	api       *httpapi.API
	mcp       *mcpserver.Server
	localOnly bool // refuse requests from other machines
}

// newService returns the service for a listener's address; nil: the embedding program listens. The
// caller holds r.mu.
func (r *Runtime) newService(addr net.Addr) *service {
	s := &service{runtime: r, mcp: r.mcpServer(nil, mcpserver.HTTPOptions{MaxBody: int64(r.settings.Server.Limits.Body)})}
	r.refresh = append(r.refresh, s.mcp.Refresh)
	adapters := []httpapi.Adapter{
		openai.New(&openai.Options{Now: build.Now, Store: r.store, Digests: r.digests, Agent: r.router.Agent}), s.mcp, studio.Adapter{}, rasarest.Adapter{}, widget.Adapter{},
	}
	if r.reach.hub != nil {
		adapters = append(adapters, r.reach.hub)
	}
	adapters = append(adapters, r.opts.Adapters...)
	opts := &httpapi.Options{
		Agent: r.router.Agent, Ready: r.ready, Degraded: r.servers.Degraded, Digests: r.digests, Sink: r.sink, Memory: r.memoryAPI(),
		AgentAliases: r.settings.Server.AgentAliases, MaxBody: int64(r.settings.Server.Limits.Body), MaxInFlight: r.settings.Server.Limits.InFlight,
	}
	opts.Reload = r.lastReload
	r.guard(addr, opts)
	s.localOnly = addr == nil && r.access == nil && r.settings.Server.Auth.Open != settings.OpenKnown
	metrics := r.observers.metrics
	if metrics != nil {
		adapters = append(adapters, metricsAdapter{metrics})
		opts.Served, opts.Limited = metrics.HTTP, metrics.Limited
	}
	opts.Adapters = adapters
	s.api = httpapi.New(r.router, opts)
	if metrics != nil {
		metrics.Routes(patterns(s.api))
	}
	return s
}

// Handler serves the same HTTP API as Serve: POST /chat, sessions and memory under /v1, OpenAI's
// API, MCP at /mcp, the studio at /studio, and /metrics. If the settings name no keys, it answers
// only requests that this machine sends to a loopback address. With Options.NoHTTP it answers 503
// to everything.
func (r *Runtime) Handler() http.Handler {
	if r.observers == nil {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, errNoHTTP.Error(), http.StatusServiceUnavailable)
		})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.service == nil {
		r.service = r.newService(nil)
		r.onClose(r.service.mcp.Close)
	}
	return r.service
}

var errNoHTTP = errors.New("the runtime was opened with Options.NoHTTP")

// When a service stops, it waits so long for turns in progress, and for what changes nothing and may be asked for again.
const drainTime, readTime = 10 * time.Second, 2 * time.Second

// Serve serves HTTP on a listener until ctx ends, then lets turns in progress finish. Handler lists
// what it serves; MayListen says which listeners it refuses.
func (r *Runtime) Serve(ctx context.Context, listener net.Listener) error {
	if r.observers == nil {
		return errors.Join(errNoHTTP, listener.Close())
	}
	if err := r.checkListen(listener.Addr().String()); err != nil {
		return errors.Join(err, listener.Close())
	}
	r.mu.Lock()
	s := r.newService(listener.Addr())
	r.mu.Unlock()
	server := httpapi.NewServer(listener.Addr().String(), s)
	reads, endReads := context.WithCancel(context.Background()) // changes do not end with their request's context
	defer endReads()
	server.BaseContext = func(net.Listener) context.Context { return reads }
	stderr := r.opts.Stderr
	if stderr == nil {
		stderr = io.Discard
	}
	server.ErrorLog = log.New(stderr, "slotway: ", 0) // the default logger does not make text printable
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	defer time.AfterFunc(readTime, endReads).Stop()
	err := s.stop(server)
	<-ended // http.ErrServerClosed, after Shutdown
	return err
}

// stop refuses new turns, waits for those in progress, and closes the connections. The next turn of
// a session recovers a turn that is cut off.
func (s *service) stop(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	err := s.api.Drain(ctx)
	if err == nil {
		err = s.mcp.Close()
	}
	if err == nil {
		err = server.Shutdown(ctx) // answers that are still being sent
	}
	if err == nil {
		return nil
	}
	return errors.Join(fmt.Errorf("turns or other requests were still under way after %s: %w", drainTime, err), server.Close())
}

// ServeHTTP implements http.Handler.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.localOnly && !fromHere(r) {
		httpapi.WriteProblem(w, noKeys)
		return
	}
	if m := s.runtime.observers.metrics; m != nil {
		m.InFlight(1)
		defer m.InFlight(-1)
	}
	s.api.ServeHTTP(w, r)
}

// API returns the HTTP API.
func (s *service) API() *httpapi.API { return s.api }

// reloaded records the outcome of a reload: nil, or why it failed.
func (r *Runtime) reloaded(err error) {
	agent := r.router.Agent()
	r.loaded.Store(httpapi.NewReload(build.Now(), err, agent.Warnings))
	if r.opts.Reloaded != nil {
		defer r.opts.Reloaded(agent, err)
	}
	if err != nil {
		r.sink.Record(telemetry.Event{
			Time: time.Now(), Level: telemetry.LevelError,
			Payload: telemetry.Failure{Code: "reload", Stage: "config", Message: telemetry.Scrub("the agent's files have an error; its last good version goes on", nil)},
		})
		return
	}
	if r.observers != nil && r.observers.metrics != nil {
		r.observers.metrics.Define(prom.NamesOf(agent))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.refresh {
		f()
	}
}

// lastReload returns the outcome of the last load; nil if the agent's files are not watched.
func (r *Runtime) lastReload() *httpapi.Reload {
	last := r.loaded.Load()
	if last == nil || r.opts.Tests == nil {
		return last
	}
	shown := *last
	shown.Tests = r.opts.Tests()
	return &shown
}

// patterns returns the routes of an API, each once.
func patterns(api *httpapi.API) []string {
	var all []string
	for _, r := range api.Routes() {
		all = append(all, r.Path)
	}
	return all
}

// metricsAdapter serves /metrics.
type metricsAdapter struct{ metrics *prom.Metrics }

// Routes implements httpapi.Adapter.
func (f metricsAdapter) Routes(*httpapi.API) []httpapi.Route {
	return []httpapi.Route{{
		Method: http.MethodGet, Path: "/metrics", Scope: access.Metrics, Handler: f.metrics.Handler().ServeHTTP,
	}}
}

// memoryAPI returns what the HTTP API shows of the memory.
func (r *Runtime) memoryAPI() *httpapi.Memory {
	m := &r.settings.Memory
	out := &httpapi.Memory{
		Store: r.store, Redactor: r.redactor, Kept: r.kept(), Recent: r.observers.recent,
		Context: r.Context, Reading: r.reading,
		Stateless: !m.Enabled,
	}
	if tier, err := memory.TierOf[*recall.Tier](r.tiers); err == nil {
		out.Search = tier.Search
	}
	return out
}

// observers receive the events of every turn of a service.
type observers struct {
	recent  *telemetry.Recent
	metrics *prom.Metrics // nil: telemetry.metrics is false
}

// observe adds the recent turns, metrics and traces to the receivers of events.
func (r *Runtime) observe(ctx context.Context) error {
	info := build.ReadInfo()
	o := &observers{recent: telemetry.NewRecent(nil)}
	sinks := []telemetry.Sink{r.sink, o.recent}
	if r.settings.Telemetry.Metrics {
		o.metrics = prom.New(&prom.Options{
			Names: prom.NamesOf(r.agent), Version: info.Version, Revision: info.Revision,
			Turns: func() (int, int) { return r.router.Turns() },
			Jobs:  r.countJobs,
			Lost:  r.lostLines(),
			Cache: r.cacheHealth(),

			Durability: r.durability(),
		})
		sinks = append(sinks, o.metrics)
	}
	if endpoint := r.settings.Telemetry.OTLPEndpoint; endpoint != "" {
		sink, err := r.traces(ctx, endpoint)
		if err != nil {
			return err
		}
		sinks = append(sinks, r.hideIDs(sink))
	}
	r.observers, r.sink = o, telemetry.Multi(sinks...)
	return nil
}

// lostLines returns the counter of lines that the log has lost; nil if it loses none.
func (r *Runtime) lostLines() func() uint64 {
	if r.spool == nil {
		return nil
	}
	return r.spool.Lost
}

// cacheHealth returns the counters of the cache in front of the store; nil if there is none.
func (r *Runtime) cacheHealth() func() memory.CacheHealth {
	if r.opened == nil {
		return nil
	}
	return r.opened.Cache
}

// durability says what an acknowledged commit survives; "" where the store does not say.
func (r *Runtime) durability() string {
	if r.opened == nil {
		return ""
	}
	return r.opened.Durability
}

// mostJobs limits the jobs that one scrape counts.
const mostJobs = 1000

// countJobs counts the waiting jobs and the failed ones, up to mostJobs.
func (r *Runtime) countJobs(ctx context.Context) (pending, dead int, err error) {
	all, err := r.store.Jobs(ctx, memory.JobQuery{Limit: mostJobs})
	if err != nil {
		return 0, 0, err
	}
	for i := range all {
		if all[i].Dead {
			dead++
		}
	}
	return len(all) - dead, dead, nil
}

// timed adds metrics to tiers, if there are metrics.
func (r *Runtime) timed(tiers []memory.Tier) []memory.Tier {
	if r.observers == nil || r.observers.metrics == nil {
		return tiers
	}
	out := make([]memory.Tier, len(tiers))
	for i, t := range tiers {
		out[i] = prom.Tier(t, r.observers.metrics)
	}
	return out
}
