package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/telemetry"
)

// Handler runs one turn. Its reply is durable when it is returned. *router.Router is one.
type Handler interface {
	Handle(ctx context.Context, in router.Interaction) (router.Reply, error)
}

// Options are what an API may do without; the zero value is right.
type Options struct {
	Access      access.Authenticator        // who a request is from; default access.Open with user "local"
	Ready       func(context.Context) error // whether turns can be stored now; nil: always
	Agent       func() *config.Agent        // the definition that answers now; a request for another agent is refused. nil: any name is taken
	Model       string                      // what replies name as their model; default the agent's id
	Provider    string                      // what replies name as its provider; default "slotway"
	TurnTimeout time.Duration               // of one turn, waiting for its session included; default 30s
	MaxBody     int64                       // of a request, in bytes; default 64 KiB
	MaxInFlight int                         // turns under way at once; default 256
	Sink        telemetry.Sink              // is told of a panic; default telemetry.Discard
	Faces       []Face                      // more routes
	Memory      *Memory                     // what the routes of sessions and memory read; nil: there are none
}

// Memory is what a service shows of the past.
type Memory struct {
	Store    memory.Store
	Redactor func() *telemetry.Redactor // of the definition that answers now
	// Search finds older messages; nil: the route says that it is not enabled.
	Search func(ctx context.Context, q recall.Query) ([]memory.Recalled, error)
	// Context is what a model would be told of a session if text were said now.
	Context func(ctx context.Context, key memory.Key, text string) (memory.Context, error)
	// Trail has the newest turns as telemetry saw them; nil: there is no live view.
	Trail Trail
}

// Trail keeps the newest turns, in memory, as they were told. A user sees no other's.
type Trail interface {
	// Trace is a turn's events in their order; 0 is the newest turn. None: not kept.
	Trace(userID, sessionID string, turn int64) []telemetry.Event
	// Follow begins to hand out what happens from now on; "" for all sessions of the user.
	Follow(userID, sessionID string) (Follower, error)
}

// Follower hands out events as they happen.
type Follower interface {
	// Next waits for an event, or for ctx; lost counts those that were dropped before it
	// because they were not fetched in time.
	Next(ctx context.Context) (e telemetry.Event, lost int, err error)
	Close()
}

// API answers HTTP requests. It is safe for concurrent use.
type API struct {
	turns Handler
	opts  Options
	mux   *http.ServeMux
	gate  *gate
	all   []Route
}

// New returns an API over h.
func New(h Handler, opts *Options) *API {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Access == nil {
		o.Access = access.Open{UserID: "local"}
	}
	if o.Sink == nil {
		o.Sink = telemetry.Discard
	}
	o.Provider = cmp.Or(o.Provider, "slotway")
	o.TurnTimeout = cmp.Or(o.TurnTimeout, 30*time.Second)
	o.MaxBody = cmp.Or(o.MaxBody, 64<<10)
	o.MaxInFlight = cmp.Or(o.MaxInFlight, 256)
	a := &API{turns: h, opts: o, mux: http.NewServeMux(), gate: newGate(o.MaxInFlight)}
	routes := a.routes()
	for _, f := range o.Faces {
		routes = append(routes, f.Routes(a)...)
	}
	a.mount(routes)
	return a
}

// agentID is the id of the agent that answers; "" where any name is taken.
func (a *API) agentID() string {
	if a.opts.Agent == nil {
		return ""
	}
	return a.opts.Agent().ID
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := &answer{ResponseWriter: w}
	defer a.recover(out)
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	// A reader that never reads must not hold its turn's place. Not every writer has
	// deadlines; those of tests do without.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(a.opts.TurnTimeout + writeTimeout))
	a.mux.ServeHTTP(out, r)
}

// writeTimeout is how long a client may take to read an answer.
const writeTimeout = 10 * time.Second

// Drain makes /readyz fail, refuses new turns, and waits for those under way. It returns
// ctx's error when that comes first; the turns then go on until their own deadline.
func (a *API) Drain(ctx context.Context) error { return a.gate.close(ctx) }

// NewServer returns a server for handler with limits on what a slow or hostile client may
// hold: five seconds for the header, ten for the request, two minutes between requests.
func NewServer(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr: addr, Handler: handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}
