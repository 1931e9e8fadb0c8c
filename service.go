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
	"github.com/slotway/slotway/router/httpapi/studio"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/router/telemetry/prom"
)

// service is a runtime behind HTTP.
type service struct {
	of   *Runtime
	api  *httpapi.API
	mcp  *mcpserver.Server
	home bool // requests of other machines are refused
}

// newService puts the runtime behind HTTP, for a listener's address; nil: somebody else listens.
// r.mu is held.
func (r *Runtime) newService(addr net.Addr) *service {
	s := &service{of: r, mcp: r.mcpServer(nil, mcpserver.HTTPOptions{MaxBody: int64(r.settings.Server.Limits.Body)})}
	r.refresh = append(r.refresh, s.mcp.Refresh)
	locks := r.locks()
	adapters := []httpapi.Adapter{
		openai.New(&openai.Options{Now: build.Now, Store: r.store, Digests: r.digests, Agent: r.router.Agent, Locks: locks}), s.mcp, studio.Adapter{},
	}
	opts := &httpapi.Options{
		Agent: r.router.Agent, Ready: r.ready, Degraded: r.servers.Degraded, Digests: r.digests, Sink: r.sink, Memory: r.shown(),
		AgentAliases: r.settings.Server.AgentAliases, MaxBody: int64(r.settings.Server.Limits.Body), MaxInFlight: r.settings.Server.Limits.InFlight,
	}
	r.guard(addr, opts)
	s.home = addr == nil && r.access == nil && r.settings.Server.Auth.Open != settings.OpenKnown
	metrics := r.watching.metrics
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

// Handler answers over HTTP as Serve does: POST /chat, sessions and memory under /v1, OpenAI's
// API, MCP at /mcp, the studio at /studio, and /metrics. While the settings name no keys, it
// answers only requests that this machine sends to a loopback address. With
// Options.NoHTTP it answers 503 to everything.
func (r *Runtime) Handler() http.Handler {
	if r.watching == nil {
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

// drainTime is how long turns under way may take once a service was told to stop.
const drainTime = 10 * time.Second

// Serve answers on a listener until ctx ends, then lets turns under way finish. See Handler for
// what it answers, and MayListen for where it refuses to.
func (r *Runtime) Serve(ctx context.Context, listener net.Listener) error {
	if r.watching == nil {
		return errors.Join(errNoHTTP, listener.Close())
	}
	if err := r.mayListen(listener.Addr().String()); err != nil {
		return errors.Join(err, listener.Close())
	}
	r.mu.Lock()
	s := r.newService(listener.Addr())
	r.mu.Unlock()
	server := httpapi.NewServer(listener.Addr().String(), s)
	stderr := r.opts.Stderr
	if stderr == nil {
		stderr = io.Discard
	}
	server.ErrorLog = log.New(stderr, "slotway: ", 0) // by default it goes past what is printable
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	err := s.stop(server)
	<-ended // http.ErrServerClosed: it was asked to
	return err
}

// stop refuses new turns, waits for those under way, and closes the connections. A turn
// that is cut off is settled by the next one of its session.
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
	return errors.Join(fmt.Errorf("turns were still under way after %s: %w", drainTime, err), server.Close())
}

// ServeHTTP implements http.Handler.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.home && !fromHere(r) {
		httpapi.WriteProblem(w, noKeys)
		return
	}
	if m := s.of.watching.metrics; m != nil {
		m.InFlight(1)
		defer m.InFlight(-1)
	}
	s.api.ServeHTTP(w, r)
}

// API is what answers.
func (s *service) API() *httpapi.API { return s.api }

// reloaded hears of every version of the agent that was tried.
func (r *Runtime) reloaded(err error) {
	if err != nil {
		r.sink.Record(telemetry.Event{
			Time: time.Now(), Level: telemetry.LevelError,
			Payload: telemetry.Failure{Code: "reload", Stage: "config", Message: telemetry.Scrub("the agent's files have an error; its last good version goes on", nil)},
		})
		return
	}
	if r.watching != nil && r.watching.metrics != nil {
		r.watching.metrics.Define(prom.NamesOf(r.router.Agent()))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.refresh {
		f()
	}
}

// patterns are the routes of an API, each once.
func patterns(api *httpapi.API) []string {
	var all []string
	for _, r := range api.Routes() {
		all = append(all, r.Path)
	}
	return all
}

// metricsAdapter is where a scraper reads.
type metricsAdapter struct{ metrics *prom.Metrics }

// Routes implements httpapi.Adapter.
func (f metricsAdapter) Routes(*httpapi.API) []httpapi.Route {
	return []httpapi.Route{{
		Method: http.MethodGet, Path: "/metrics", Scope: access.Metrics, Handler: f.metrics.Handler().ServeHTTP,
	}}
}

// shown is what the service shows of the past.
func (r *Runtime) shown() *httpapi.Memory {
	m := &r.settings.Memory
	out := &httpapi.Memory{
		Store: r.store, Redactor: r.redactor, Kept: r.kept(), Traces: trail{r.watching.recent},
		Context: httpapi.Contexts(r.store, m.MaxTurns*build.MessagesPerTurn, r.known, m.MaxHistoryTokens, r.count,
			func() string { return r.router.Agent().SystemPrompt }),
		Stateless: !m.Enabled,
	}
	if tier, err := memory.TierOf[*recall.Tier](r.known); err == nil {
		out.Search = tier.Search
	}
	return out
}

// observers see every turn of a service.
type observers struct {
	recent  *telemetry.Recent
	metrics *prom.Metrics // nil: telemetry.metrics is false
}

// observe lets the newest turns, metrics and traces see what the log sees.
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
			Cache: r.cacheCounts(),

			Database: r.databaseHealth(),
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
	r.watching, r.sink = o, telemetry.Multi(sinks...)
	return nil
}

// lostLines counts the lines that the log has lost; nil where it loses none.
func (r *Runtime) lostLines() func() uint64 {
	if r.spool == nil {
		return nil
	}
	return r.spool.Lost
}

// cacheCounts tells how the cache before the store fares; nil where there is none.
func (r *Runtime) cacheCounts() func() prom.Cache {
	if r.opened == nil || r.opened.Cache == nil {
		return nil
	}
	return func() prom.Cache {
		h := r.opened.Cache()
		c := prom.Cache{Unhealthy: h.Unhealthy, UnhealthyTotal: h.UnhealthyTotal}
		for _, n := range h.Operations {
			c.Operations = append(c.Operations, prom.CacheOperation(n))
		}
		return c
	}
}

// databaseHealth tells how the database of the replicas stands; nil where there is none.
func (r *Runtime) databaseHealth() func() prom.Database {
	if r.opened == nil || r.opened.Database == nil {
		return nil
	}
	return func() prom.Database { return prom.Database(r.opened.Database()) }
}

// mostJobs bounds what a scrape counts.
const mostJobs = 1000

// countJobs counts the jobs that wait and those that were given up, up to mostJobs.
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

// timed counts and times what is asked of tiers, where there are metrics.
func (r *Runtime) timed(tiers []memory.Tier) []memory.Tier {
	if r.watching == nil || r.watching.metrics == nil {
		return tiers
	}
	out := make([]memory.Tier, len(tiers))
	for i, t := range tiers {
		out[i] = prom.Tier(t, r.watching.metrics)
	}
	return out
}

// trail is the newest turns as the HTTP API reads them.
type trail struct{ *telemetry.Recent }

// Follow implements httpapi.Trail.
func (t trail) Follow(userID, sessionID string) (httpapi.Follower, error) {
	f, err := t.Recent.Follow(userID, sessionID)
	if err != nil {
		return nil, err
	}
	return &follower{from: f}, nil
}

// follower hands out events one by one.
type follower struct {
	from  *telemetry.Follower
	ready []telemetry.Event
}

// Next implements httpapi.Follower.
func (f *follower) Next(ctx context.Context) (telemetry.Event, int, error) {
	lost := 0
	for len(f.ready) == 0 {
		events, missed, err := f.from.Next(ctx)
		if err != nil {
			return telemetry.Event{}, lost, err
		}
		f.ready, lost = events, lost+missed
	}
	e := f.ready[0]
	f.ready = f.ready[1:]
	return e, lost, nil
}

// Close implements httpapi.Follower.
func (f *follower) Close() { f.from.Stop() }
