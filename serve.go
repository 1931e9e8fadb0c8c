package slotway

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/jobs"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/channel"
	"github.com/slotway/slotway/router/httpapi/channel/desk"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
	"github.com/slotway/slotway/router/httpapi/openai"
	"github.com/slotway/slotway/router/httpapi/rasarest"
	"github.com/slotway/slotway/router/httpapi/studio"
	"github.com/slotway/slotway/router/httpapi/widget"
	"github.com/slotway/slotway/router/sessions"
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

// lastReload returns the outcome of the last load; nil if the agent's files are not watched.
func (r *Runtime) lastReload() *httpapi.Reload {
	last := r.loaded.Load()
	if last == nil || r.opts.Tests == nil {
		return last
	}
	shown := *last
	tests, problems := r.opts.Tests()
	if problems != nil && shown.Error == "" {
		shown = *httpapi.NewReload(last.At, nil, problems)
	}
	shown.Tests = tests
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
		Store: r.store, Redactor: r.redact.Load, Kept: r.past.Kept, Recent: r.observers.recent,
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
	seen := &observers{recent: telemetry.NewRecent(nil)}
	sinks := []telemetry.Sink{r.sink, seen.recent}
	if r.settings.Telemetry.Metrics {
		o := &prom.Options{
			Names: prom.NamesOf(r.agent), Version: info.Version, Revision: info.Revision,
			Turns: func() (int, int) { return r.router.Turns() },
			Jobs:  func(ctx context.Context) (int, int, error) { return build.CountJobs(ctx, r.store) },
		}
		if r.spool != nil {
			o.Lost = r.spool.Lost
		}
		if r.opened != nil {
			o.Cache, o.Durability = r.opened.Cache, r.opened.Durability
		}
		seen.metrics = prom.New(o)
		sinks = append(sinks, seen.metrics)
	}
	if endpoint := r.settings.Telemetry.OTLPEndpoint; endpoint != "" {
		sink, err := r.traces(ctx, endpoint)
		if err != nil {
			return err
		}
		sinks = append(sinks, r.hideIDs(sink))
	}
	r.observers, r.sink = seen, telemetry.Multi(sinks...)
	return nil
}

// flushTime limits the wait for the collector at the end of the process.
const flushTime = 5 * time.Second

// traces connects to a collector, and disconnects when the runtime closes.
func (r *Runtime) traces(ctx context.Context, endpoint string) (TraceSink, error) {
	if r.opts.Traces == nil {
		return nil, errors.New("telemetry.otlp_endpoint is set, but this program exports no traces: give Options.Traces an exporter, such as traces.Open")
	}
	t, err := r.opts.Traces(ctx, TraceOptions{Endpoint: endpoint, Version: build.ReadInfo().Version, AgentID: r.agent.ID, Failed: r.sink})
	if err != nil {
		return nil, fmt.Errorf("telemetry.otlp_endpoint: %w", err)
	}
	r.onClose(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), flushTime)
		defer cancel()
		return t.Close(ctx)
	})
	return t, nil
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

// unprotected is the error of a service that other machines could reach without a key.
const unprotected = `other machines can reach %s, and nobody would be asked for a key: everybody who connects could read, change and import everything; do one of these:
  make a key:            slotway keys new --name web --user alice --file keys.yaml
    and ask for it:      slotway --set server.auth.keys_file=keys.yaml serve
  keep to this machine:  slotway serve --addr 127.0.0.1:8080
  leave it open:         slotway --set server.auth.open=` + settings.OpenKnown + ` serve`

// MayListen returns an error if other machines could reach addr (HOST:PORT) without a key, unless
// server.auth.open allows that. It accepts host names, whose meaning shows only when a listener
// resolves them; Serve checks again then.
func MayListen(s *settings.Settings, addr string) error {
	auth := &s.Server.Auth
	if auth.Asks() || auth.Open == settings.OpenKnown || httpapi.LoopbackHost(addr) != "" {
		return nil
	}
	host, _, _ := net.SplitHostPort(addr) // settings and listeners have this form only
	if _, err := netip.ParseAddr(host); err != nil && host != "" {
		return nil
	}
	return fmt.Errorf("refused to listen: "+unprotected, addr)
}

func (r *Runtime) checkListen(addr string) error {
	if r.opts.Access != nil {
		return nil
	}
	return MayListen(r.settings, addr)
}

// openAccess sets how requests prove who they are from; nil: they need not.
func (r *Runtime) openAccess() (err error) {
	if r.access = r.opts.Access; r.access == nil {
		keys, err := access.FromSettings(r.settings.Server.Auth, &access.Options{Secret: os.Getenv, Notify: func(err error) {
			if err != nil {
				r.opts.notify("%v", err)
				return
			}
			r.opts.notify("the API keys were read again")
		}})
		if err != nil {
			return err
		}
		if keys != nil {
			r.access = keys // never a nil *Bearer in it
		}
	}
	if r.admits() {
		r.visitKey, err = build.VisitKey(build.DataDir(r.settings), r.settings.Server.Widget.KeyEnv)
	}
	return err
}

// admits reports whether visitors get tokens: where nobody is asked for a key, one may do less than the others.
func (r *Runtime) admits() bool { return r.settings.Server.Widget.Visitors || r.access == nil }

// guard sets authentication, rate limits and allowed origins. addr is the listener's address; nil:
// the embedding program listens.
func (r *Runtime) guard(addr net.Addr, o *httpapi.Options) {
	s, loopback := r.settings.Server, ""
	if addr != nil {
		loopback = httpapi.LoopbackHost(addr.String())
	}
	o.Rate, o.MaxStreams, o.Origins = s.Limits.Rate, s.Limits.Streams, s.CORS
	if r.admits() {
		o.Visitors = access.NewVisitors(r.visitKey, &access.VisitorsOptions{Life: s.Widget.VisitorTTL})
	}
	switch {
	case r.access != nil:
		o.Access = r.access
	case loopback != "":
		o.Loopback = loopback
		if host, _, err := net.SplitHostPort(s.Addr); err == nil {
			o.Loopback = host // as written, which may be a name
		}
		if !r.settings.Given("server.limits.rate") {
			o.Rate = 0 // all requests come from this machine's own programs, or through one proxy on it
		}
	case addr != nil:
		r.opts.notify("warning: server.auth.open: listening on %s, which other machines may reach, and nobody is asked for a key: all may do everything", addr)
	}
	if r.access == nil && slices.Contains(s.CORS, "*") {
		r.opts.notify(`warning: server.cors is "*" and nobody is asked for a key: every page that somebody opens may talk here`)
	}
}

// noKeys answers another machine if the embedding program listens and the settings neither name
// keys nor open the service to everybody.
var noKeys = &httpapi.Problem{
	Status: http.StatusForbidden, Code: "no_keys", Title: "Nobody is asked for a key here",
	Detail: "Only this machine may ask, at a loopback address. Name keys in server.auth.keys_file, or say server.auth.open: " + settings.OpenKnown + ".",
}

// fromHere reports whether this machine sent a request to a loopback address, under a loopback
// name: a web page may use a name of its own that leads here.
func fromHere(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return local != nil && httpapi.LoopbackHost(local.String()) != "" && httpapi.LoopbackHost(hostPort(r.Host)) != ""
}

// hostPort returns a Host header with a port.
func hostPort(host string) string {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return host
	}
	return net.JoinHostPort(strings.Trim(host, "[]"), "80")
}

// reach connects the agent with messaging platforms and with the people who take conversations over.
type reach struct {
	hub     *channel.Hub // nil: the runtime is not a service
	open    bool         // the hub has channels
	workers []memory.Worker
	runners []*jobs.Runner // one for each worker, so that none waits for another
}

// openChannels creates the channels of the settings and of the embedding program.
func (r *Runtime) openChannels(ctx context.Context) error {
	if r.observers == nil || r.opts.Now != nil { // not a service
		return nil
	}
	list, err := build.Channels(&r.settings.Channels, r.digests)
	if err != nil {
		return err
	}
	list = append(list, r.opts.Channels...)
	if len(list) > 0 && !r.settings.Memory.Enabled {
		return errors.New("open the channels: they need memory.enabled, because they send replies from the store; set memory.enabled to true, or remove the channels")
	}
	r.openHub(list)
	if r.reach.open = len(list) > 0; r.reach.open {
		if err := r.reach.hub.Open(); err != nil {
			return err
		}
	}
	if err := r.openDesk(); err != nil {
		return err
	}
	for _, w := range r.reach.workers {
		r.reach.runners = append(r.reach.runners, build.Sender(r.store, w, build.JobEnded(r.record)))
	}
	return nil
}

// openDesk creates the worker that posts hand-over events to a desk, if the settings name one.
func (r *Runtime) openDesk() error {
	target, err := build.DeskTarget(r.settings.Channels.Handoff)
	if target == nil || err != nil {
		return err
	}
	r.reach.workers = append(r.reach.workers, desk.New(desk.Options{
		Target: target, Store: r.store, Digests: r.digests, From: r.restored,
		Refused: func(key memory.Key, err error) { r.sink.Record(channel.Failed(key, "not_delivered", err)) },
	}))
	return nil
}

// Channels returns the names of the connected messaging platforms.
func (r *Runtime) Channels() []string {
	if r.reach.hub == nil {
		return nil
	}
	return r.reach.hub.Names()
}

// openHub creates the hub. A hub without channels answers each delivery with 404.
func (r *Runtime) openHub(list []channel.Channel) {
	r.reach.hub = channel.New(&channel.Options{
		Channels: list, Store: r.store, Digests: r.digests, Restored: r.restored, AgentID: r.agent.ID, Sink: r.sink, Settle: r.settings.Channels.Settle,
		Handle: func(ctx context.Context, in router.Interaction) (router.Reply, error) { return r.Handle(ctx, in) },
	})
	r.reach.workers = append(r.reach.workers, r.reach.hub.Workers()...)
}

// nudge wakes the runners: there may be a job.
func (c *reach) nudge() {
	for _, runner := range c.runners {
		runner.Nudge()
	}
}

// start receives messages from platforms and sends replies until the runtime closes.
func (c *reach) start(r *Runtime) {
	if len(c.runners) == 0 {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, runner := range c.runners {
		all.Go(func() { _ = runner.Run(ctx) }) // it returns nil
	}
	if c.open {
		all.Go(func() { c.hub.Run(ctx) })
	}
	r.onClose(func() error {
		stop()
		all.Wait()
		return nil
	})
}

// ServeMCP serves a user as an MCP server on a pair of streams until ctx or the input ends. Each
// task and answer of the agent is a tool. ServeMCP closes neither stream.
func (r *Runtime) ServeMCP(ctx context.Context, in io.Reader, out io.Writer, user string) error {
	server := r.mcpServer(r.Handle, mcpserver.HTTPOptions{})
	r.mu.Lock()
	r.refresh = append(r.refresh, server.Refresh)
	r.mu.Unlock()
	err := server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: keepOpen{out}}, user)
	return errors.Join(err, server.Close())
}

// keepOpen is a stream that survives the session on it.
type keepOpen struct{ io.Writer }

// Close does nothing.
func (keepOpen) Close() error { return nil }

// mcpServer returns the MCP server of the runtime. turn runs turns; nil: the HTTP API that it is
// added to runs them, within its limits.
func (r *Runtime) mcpServer(turn func(context.Context, router.Interaction) (router.Reply, error), http mcpserver.HTTPOptions) *mcpserver.Server {
	deps := mcpserver.Deps{Turn: turn, Agent: r.router.Agent, Sessions: r.mcpSessions}
	if tier, err := memory.TierOf[*recall.Tier](r.tiers); err == nil {
		deps.Search = func(ctx context.Context, asked mcpserver.Search) ([]mcpserver.Found, error) {
			return r.mcpSearch(ctx, tier, asked)
		}
	}
	return mcpserver.New(deps, &mcpserver.Options{HTTP: http, Digests: r.digests})
}

// mcpSearch searches the messages of a user, and masks the redacted values of each session.
func (r *Runtime) mcpSearch(ctx context.Context, tier *recall.Tier, asked mcpserver.Search) ([]mcpserver.Found, error) {
	q := recall.Query{
		Key: memory.Key{UserID: asked.User, AgentID: r.router.Agent().ID}, Text: asked.Query, K: asked.Limit, MinSimilarity: asked.MinSimilarity, Rerank: true,
	}
	recalled, err := tier.Search(ctx, q.Only(asked.Only))
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	masks := sessions.NewMasks(r.store, r.redact.Load())
	found := make([]mcpserver.Found, 0, len(recalled))
	for _, hit := range recalled {
		mask, err := masks.Of(ctx, hit.Key)
		if err != nil {
			return nil, fmt.Errorf("load a session that was found: %w", err)
		}
		shown := mask.Message(hit.Message)
		if !shown.HasTags(asked.Only.Tags) {
			continue // the match was a tag that is masked
		}
		found = append(found, mcpserver.Found{
			ConversationID: hit.Key.SessionID, Role: string(shown.Role), Text: shown.Text, At: shown.Timestamp, Score: hit.Score,
		})
	}
	return found, nil
}

// mcpSessions lists a user's conversations, and masks what looks like a redacted value in their
// titles.
func (r *Runtime) mcpSessions(ctx context.Context, user string, limit int) ([]mcpserver.Session, error) {
	infos, err := r.store.Sessions(ctx, memory.Query{UserID: user, AgentID: r.router.Agent().ID, Limit: limit})
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	mask := r.redact.Load()
	list := make([]mcpserver.Session, len(infos))
	for i, info := range infos {
		list[i] = mcpserver.Session{
			ConversationID: info.Key.SessionID, Title: mask.MaskText(info.Title, nil),
			Turns: info.Turns, WaitingForParam: info.Waiting, UpdatedAt: info.UpdatedAt,
		}
	}
	return list, nil
}

// openLog opens the telemetry log that the settings name. The log of a service never delays a turn.
func (r *Runtime) openLog() (telemetry.Sink, error) {
	level, ok := telemetry.ParseLevel(r.settings.Telemetry.Level)
	if !ok {
		return nil, fmt.Errorf("telemetry.level is %q, expected debug, info, warn or error", r.settings.Telemetry.Level)
	}
	switch target := r.settings.Telemetry.Log; target {
	case "", "none", "off":
		return telemetry.Discard, nil
	case "stderr":
		if r.opts.Stderr == nil {
			return telemetry.Discard, nil
		}
		r.spool, _ = r.opts.Stderr.(*telemetry.Spool)
		return r.hideIDs(telemetry.NewLog(r.opts.Stderr, level)), nil
	default:
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of telemetry.log: %w", err)
		}
		file, err := os.OpenFile(target, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open telemetry.log: %w", err)
		}
		r.onClose(file.Close)
		if r.opts.NoHTTP {
			return r.hideIDs(telemetry.NewLog(file, level)), nil
		}
		r.spool = telemetry.NewSpool(file)
		r.onClose(r.spool.Close)
		return r.hideIDs(telemetry.NewLog(r.spool, level)), nil
	}
}

// hideIDs keeps ids that hold redacted values out of a log or a collector.
func (r *Runtime) hideIDs(next telemetry.Sink) telemetry.Sink {
	if next == telemetry.Discard {
		return next
	}
	return telemetry.HideIDs(next, r.redact.Load, r.idKey)
}
