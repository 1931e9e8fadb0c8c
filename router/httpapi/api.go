package httpapi

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
)

// Handler runs one turn. Its reply is durable when it is returned. *router.Router is one.
type Handler interface {
	Handle(ctx context.Context, in router.Interaction) (router.Reply, error)
}

// Options are what an API may do without; the zero value is right.
type Options struct {
	User        func(*http.Request) string  // whose conversations a request may see; default "local"
	Ready       func(context.Context) error // whether turns can be stored now; nil: always
	Agent       string                      // id of the agent that answers; a request for another is refused. "": any name is taken
	Model       string                      // what replies name as their model; default Agent
	Provider    string                      // what replies name as its provider; default "slotway"
	TurnTimeout time.Duration               // of one turn, waiting for its session included; default 30s
	MaxBody     int64                       // of a request, in bytes; default 64 KiB
	MaxInFlight int                         // turns under way at once; default 256
	Sink        telemetry.Sink              // is told of a panic; default telemetry.Discard
}

// API answers HTTP requests. It is safe for concurrent use.
type API struct {
	turns Handler
	opts  Options
	mux   *http.ServeMux
	gate  *gate
}

// New returns an API over h.
func New(h Handler, opts *Options) *API {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.User == nil {
		o.User = func(*http.Request) string { return "local" }
	}
	if o.Sink == nil {
		o.Sink = telemetry.Discard
	}
	o.Model = cmp.Or(o.Model, o.Agent)
	o.Provider = cmp.Or(o.Provider, "slotway")
	o.TurnTimeout = cmp.Or(o.TurnTimeout, 30*time.Second)
	o.MaxBody = cmp.Or(o.MaxBody, 64<<10)
	o.MaxInFlight = cmp.Or(o.MaxInFlight, 256)
	a := &API{turns: h, opts: o, mux: http.NewServeMux(), gate: newGate(o.MaxInFlight)}
	for path, m := range a.routes() {
		a.mux.Handle(path, m)
	}
	return a
}

// routes is every path with its methods. GET answers HEAD too.
func (a *API) routes() map[string]methods {
	return map[string]methods{
		"/chat":    {http.MethodPost: a.chat},
		"/healthz": {http.MethodGet: a.healthz},
		"/readyz":  {http.MethodGet: a.readyz},
		"/":        nil, // what has no path of its own
	}
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
