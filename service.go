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

	"github.com/slotway/slotway/config"
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
// a.mu is held.
func (a *Runtime) newService(addr net.Addr) *service {
	s := &service{of: a, mcp: a.mcpServer(nil, mcpserver.HTTPOptions{MaxBody: int64(a.settings.Server.Limits.Body)})}
	a.refresh = append(a.refresh, s.mcp.Refresh)
	locks := a.locks()
	faces := []httpapi.Face{
		openai.New(&openai.Options{Now: build.Now, Store: a.store, Digests: a.digests, Agent: a.router.Agent, Lanes: locks, Shared: locks != nil}), s.mcp, studio.Face{},
	}
	opts := &httpapi.Options{
		Agent: a.router.Agent, Ready: a.ready, Degraded: a.servers.Degraded, Digests: a.digests, Sink: a.sink, Memory: a.shown(),
		AgentAliases: a.settings.Server.AgentAliases, MaxBody: int64(a.settings.Server.Limits.Body), MaxInFlight: a.settings.Server.Limits.InFlight,
	}
	a.guard(addr, opts)
	s.home = addr == nil && a.access == nil && a.settings.Server.Auth.Open != config.OpenKnown
	metrics := a.watching.metrics
	if metrics != nil {
		faces = append(faces, metricsFace{metrics})
		opts.Served, opts.Limited = metrics.HTTP, metrics.Limited
	}
	opts.Faces = faces
	s.api = httpapi.New(a.router, opts)
	if metrics != nil {
		metrics.Routes(patterns(s.api))
	}
	return s
}

// Handler answers over HTTP as Serve does: POST /chat, sessions and memory under /v1, OpenAI's
// API, MCP at /mcp, the studio at /studio, and /metrics. While the settings name no keys, it
// answers only requests that this machine sends to a loopback address. It must not be called
// with Options.NoHTTP.
func (a *Runtime) Handler() http.Handler {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.service == nil {
		a.service = a.newService(nil)
		a.onClose(a.service.mcp.Close)
	}
	return a.service
}

// drainTime is how long turns under way may take once a service was told to stop.
const drainTime = 10 * time.Second

// Serve answers on a listener until ctx ends, then lets turns under way finish. See Handler for
// what it answers, and MayListen for where it refuses to.
func (a *Runtime) Serve(ctx context.Context, listener net.Listener) error {
	if err := a.mayListen(listener.Addr().String()); err != nil {
		return errors.Join(err, listener.Close())
	}
	a.mu.Lock()
	s := a.newService(listener.Addr())
	a.mu.Unlock()
	server := httpapi.NewServer(listener.Addr().String(), s)
	stderr := a.opts.Stderr
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
func (a *Runtime) reloaded(err error) {
	if err != nil {
		a.sink.Record(telemetry.Event{
			Time: time.Now(), Level: telemetry.LevelError,
			Payload: telemetry.Failure{Code: "reload", Stage: "config", Message: telemetry.Scrub("the agent's files have an error; its last good version goes on", nil)},
		})
		return
	}
	if a.watching != nil && a.watching.metrics != nil {
		a.watching.metrics.Define(prom.NamesOf(a.router.Agent()))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range a.refresh {
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

// metricsFace is where a scraper reads.
type metricsFace struct{ metrics *prom.Metrics }

// Routes implements httpapi.Face.
func (f metricsFace) Routes(*httpapi.API) []httpapi.Route {
	return []httpapi.Route{{
		Method: http.MethodGet, Path: "/metrics", Scope: access.Metrics, Handler: f.metrics.Handler().ServeHTTP,
	}}
}

// shown is what the service shows of the past.
func (a *Runtime) shown() *httpapi.Memory {
	m := &a.settings.Memory
	out := &httpapi.Memory{
		Store: a.store, Redactor: a.redactor, Kept: a.kept(), Trail: trail{a.watching.recent},
		Context: httpapi.Contexts(a.store, m.MaxTurns*build.MessagesPerTurn, a.known, m.MaxHistoryTokens, a.count,
			func() string { return a.router.Agent().SystemPrompt }),
		Stateless: !m.Enabled,
	}
	if tier, err := memory.TierOf[*recall.Tier](a.known); err == nil {
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
func (a *Runtime) observe(ctx context.Context) error {
	info := build.ReadInfo()
	o := &observers{recent: telemetry.NewRecent(nil)}
	sinks := []telemetry.Sink{a.sink, o.recent}
	if a.settings.Telemetry.Metrics {
		o.metrics = prom.New(&prom.Options{
			Names: prom.NamesOf(a.agent), Version: info.Version, Revision: info.Revision,
			Turns: func() (int, int) { return a.router.Turns() },
			Jobs:  a.countJobs,
			Lost:  a.lostLines(),
			Cache: a.cacheCounts(),

			Database: a.databaseHealth(),
		})
		sinks = append(sinks, o.metrics)
	}
	if endpoint := a.settings.Telemetry.OTLPEndpoint; endpoint != "" {
		sink, err := a.traces(ctx, endpoint)
		if err != nil {
			return err
		}
		sinks = append(sinks, a.hideIDs(sink))
	}
	a.watching, a.sink = o, telemetry.Multi(sinks...)
	return nil
}

// lostLines counts the lines that the log has lost; nil where it loses none.
func (a *Runtime) lostLines() func() uint64 {
	if a.spool == nil {
		return nil
	}
	return a.spool.Lost
}

// cacheCounts tells how the cache before the store fares; nil where there is none.
func (a *Runtime) cacheCounts() func() prom.Cache {
	if a.opened == nil || a.opened.Cache == nil {
		return nil
	}
	return func() prom.Cache {
		h := a.opened.Cache()
		c := prom.Cache{Ill: h.Ill, IllEver: h.IllEver}
		for _, n := range h.Ends {
			c.Ends = append(c.Ends, prom.CacheEnd(n))
		}
		return c
	}
}

// databaseHealth tells how the database of the replicas stands; nil where there is none.
func (a *Runtime) databaseHealth() func() prom.Database {
	if a.opened == nil || a.opened.Database == nil {
		return nil
	}
	return func() prom.Database { return prom.Database(a.opened.Database()) }
}

// mostJobs bounds what a scrape counts.
const mostJobs = 1000

// countJobs counts the jobs that wait and those that were given up, up to mostJobs.
func (a *Runtime) countJobs(ctx context.Context) (pending, dead int, err error) {
	all, err := a.store.Jobs(ctx, memory.JobQuery{Limit: mostJobs})
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
func (a *Runtime) timed(tiers []memory.Tier) []memory.Tier {
	if a.watching == nil || a.watching.metrics == nil {
		return tiers
	}
	out := make([]memory.Tier, len(tiers))
	for i, t := range tiers {
		out[i] = prom.Tier(t, a.watching.metrics)
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
