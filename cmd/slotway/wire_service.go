package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

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

// service is an app behind HTTP.
type service struct {
	app *app
	api *httpapi.API
	mcp *mcpserver.Server
}

// newService puts the app behind HTTP, for a listener's address. Warnings for the operator
// go to warn.
func newService(a *app, addr net.Addr, warn io.Writer) (*service, error) {
	s := &service{app: a, mcp: a.mcpServer(nil, mcpserver.HTTPOptions{MaxBody: int64(a.settings.Server.Limits.Body)})}
	faces := []httpapi.Face{
		openai.New(&openai.Options{Now: wallClock, Store: a.store, Digests: a.digests, Agent: a.router.Agent, Lanes: a.lanes, Shared: a.lanes != nil}), s.mcp, studio.Face{},
	}
	opts := &httpapi.Options{
		Agent: a.router.Agent, Ready: a.ready, Degraded: a.servers.degraded, Digests: a.digests, Sink: a.sink, Memory: a.shown(),
		AgentAliases: a.settings.Server.AgentAliases, MaxBody: int64(a.settings.Server.Limits.Body), MaxInFlight: a.settings.Server.Limits.InFlight,
	}
	if err := guard(a.settings, addr, opts, warn); err != nil {
		return nil, err
	}
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
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if m := s.app.watching.metrics; m != nil {
		m.InFlight(1)
		defer m.InFlight(-1)
	}
	s.api.ServeHTTP(w, r)
}

// reloaded is told of every version of the agent that was tried.
func (s *service) reloaded(err error) {
	if err != nil {
		s.app.sink.Record(telemetry.Event{
			Time: time.Now(), Level: telemetry.LevelError,
			Payload: telemetry.Failure{Code: "reload", Stage: "config", Message: telemetry.Scrub("the agent's files have an error; its last good version goes on", nil)},
		})
		return
	}
	if m := s.app.watching.metrics; m != nil {
		m.Define(prom.NamesOf(s.app.router.Agent()))
	}
	s.mcp.Refresh()
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
func (a *app) shown() *httpapi.Memory {
	m := &a.settings.Memory
	out := &httpapi.Memory{
		Store: a.store, Redactor: a.redactor, Kept: a.kept(), Trail: trail{a.watching.recent},
		Context: httpapi.Contexts(a.store, m.MaxTurns*messagesPerTurn, a.known, m.MaxHistoryTokens, a.count,
			func() string { return a.router.Agent().SystemPrompt }),
		Stateless: !m.Enabled,
	}
	if tier, err := tierOf[*recall.Tier](a.known); err == nil {
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
func (a *app) observe(ctx context.Context) error {
	build := readBuild()
	o := &observers{recent: telemetry.NewRecent(nil)}
	sinks := []telemetry.Sink{a.sink, o.recent}
	if a.settings.Telemetry.Metrics {
		o.metrics = prom.New(&prom.Options{
			Names: prom.NamesOf(a.agent), Version: build.version, Revision: build.revision,
			Turns: func() (int, int) { return a.router.Turns() },
			Jobs:  a.countJobs,
			Lost:  a.lostLines(),
			Cache: a.cacheCounts(),

			Database: a.databaseHealth(),
		})
		sinks = append(sinks, o.metrics)
	}
	if endpoint := a.settings.Telemetry.OTLPEndpoint; endpoint != "" {
		sink, err := a.traces(ctx, endpoint, build.version)
		if err != nil {
			return err
		}
		sinks = append(sinks, a.hideIDs(sink))
	}
	a.watching, a.sink = o, telemetry.Multi(sinks...)
	return nil
}

// lostLines counts the lines that the log has lost; nil where it loses none.
func (a *app) lostLines() func() uint64 {
	if a.spool == nil {
		return nil
	}
	return a.spool.Lost
}

// cacheCounts tells how the cache before the store fares; nil where there is none.
func (a *app) cacheCounts() func() prom.Cache {
	if a.cached == nil {
		return nil
	}
	return func() prom.Cache {
		var c prom.Cache
		c.Ill, c.IllEver = a.cached.Ill()
		for _, n := range a.cached.Counts() {
			c.Ends = append(c.Ends, prom.CacheEnd(n))
		}
		return c
	}
}

// mostJobs bounds what a scrape counts.
const mostJobs = 1000

// countJobs counts the jobs that wait and those that were given up, up to mostJobs.
func (a *app) countJobs(ctx context.Context) (pending, dead int, err error) {
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
func (a *app) timed(tiers []memory.Tier) []memory.Tier {
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
