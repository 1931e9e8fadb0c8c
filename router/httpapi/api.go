package httpapi

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/report"
	"github.com/slotway/slotway/router/sessions"
	"github.com/slotway/slotway/router/telemetry"
)

// Handler runs one turn. Its reply is durable when it returns. *router.Router is a Handler.
type Handler interface {
	Handle(ctx context.Context, in router.Interaction) (router.Reply, error)
}

// Options configure an API; every zero value has a default.
type Options struct {
	Access   access.Authenticator        // identifies the caller; default access.Open with user "local"
	Visitors *access.Visitors            // people who have no credential and may talk through the widget; nil: nobody
	Ready    func(context.Context) error // fails while turns cannot be stored; nil: never
	Degraded func() []Degraded           // returns the unavailable parts that turns do without; nil: none
	Agent    func() *config.Agent        // returns the current definition; a request for another agent is refused. nil: any name is accepted
	Model    string                      // the model in replies; default the agent's id
	Provider string                      // the provider in replies; default "slotway"

	AgentAliases []string            // other names of the agent that a request may use
	TurnTimeout  time.Duration       // of one turn, waiting for its session included; default 30s
	MaxBody      int64               // of a request, in bytes; default 64 KiB
	MaxInFlight  int                 // turns under way at once; default 256
	MaxStreams   int                 // long-lived answers at once; default 1024
	Rate         settings.Rate       // of one client's requests, with a burst of twice as many; 0: no limit
	Origins      []string            // whose pages may call, as browsers write them; "*": all. Default: only our own
	Loopback     string              // the listener's host if it is a loopback one and there are no credentials: see LoopbackHost
	Limited      func(reason string) // is called for each request that a limit refused, with a reason of limitReasons
	Served       Served              // is called for each answered request
	Sink         telemetry.Sink      // records panics; default telemetry.Discard
	Adapters     []Adapter           // more routes
	Reload       func() *Reload      // returns the outcome of the last load of the agent's files; nil, also as its result: they are not watched
	Memory       *Memory             // for the routes of sessions and memory, which also need Agent; nil: there are none
	Digests      *memory.Digests     // makes conversation ids of the first message's id; those of the store
	MaxImport    int64               // bytes of an import of sessions; default 16 MiB
}

// Served is called after each answer: with the route's pattern, never the path; the method, "other"
// for an unusual one; the status; and how long it took.
type Served func(route, method string, status int, took time.Duration)

// Store is the part of a backend that the session routes use.
type Store interface {
	memory.Store
	memory.Reader
	memory.Admin
	memory.Transfer
}

// Memory configures the routes that show stored sessions.
type Memory struct {
	Store    Store
	Redactor func() *telemetry.Redactor // of the current definition
	// Stateless: no session outlives its turn, so none can be created.
	Stateless bool
	Kept      *sessions.MaskCache // caches the masks of sessions; nil: the API has its own
	// Search finds older messages; nil: the route answers that it is not enabled.
	Search func(ctx context.Context, q recall.Query) ([]memory.Recalled, error)
	// Context returns what a model would be told of a session if text were said now.
	Context func(ctx context.Context, key memory.Key, text string) (memory.Context, error)
	// Reading returns what reads texts of users for a report, as the agent does but without asking a
	// model server; nil: messages that were not understood are counted and not listed.
	Reading func(ctx context.Context, agent *config.Agent) (report.Reading, error)
	// Recent has the telemetry of the newest turns; nil: there is no live view.
	Recent *telemetry.Recent
}

// API answers HTTP requests. It is safe for concurrent use.
type API struct {
	turns       Handler
	opts        Options
	mux         *http.ServeMux
	limiter     *limiter
	streams     *streams
	cors        *originPolicy
	requestRate *rateLimits // by identity, or by address without credentials
	failureRate *rateLimits // failed authentications by address
	addressRate *rateLimits // requests to routes with PerAddress
	all         []Route
	kept        *sessions.MaskCache // masks of the sessions read last; nil without Memory
	importMu    sync.Mutex          // held by the import under way
	reporting   chan struct{}       // holds one while a report is made
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
	o.MaxStreams = cmp.Or(o.MaxStreams, 1024)
	o.MaxImport = cmp.Or(o.MaxImport, 16<<20)
	_, keyless := o.Access.(access.Open)
	a := &API{
		turns: h, opts: o, mux: http.NewServeMux(), limiter: newLimiter(o.MaxInFlight), streams: newStreams(o.MaxStreams),
		cors: newOriginPolicy(o.Origins, o.Loopback, keyless), requestRate: newRateLimits(o.Rate), failureRate: newRateLimits(o.Rate), addressRate: newRateLimits(o.Rate),
		reporting: make(chan struct{}, 1),
	}
	if m := o.Memory; m != nil {
		if a.kept = m.Kept; a.kept == nil {
			a.kept = sessions.NewMaskCache(m.Store, nil)
		}
	}
	routes := a.routes()
	for _, f := range o.Adapters {
		routes = append(routes, f.Routes(a)...)
	}
	a.mount(routes)
	return a
}

// agentID is the id of the served agent; "" if any name is taken.
func (a *API) agentID() string {
	if a.opts.Agent == nil {
		return ""
	}
	return a.opts.Agent().ID
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out, begin := &responseWriter{ResponseWriter: w, status: http.StatusOK}, time.Now()
	defer func() { a.served(r, out.status, time.Since(begin)) }()
	defer a.recover(out)
	secure(w.Header())
	// A client that never reads must not keep its turn's slot. Some writers, such as those of tests,
	// have no deadlines.
	_ = http.NewResponseController(w).SetWriteDeadline(begin.Add(a.opts.TurnTimeout + writeTimeout))
	if !a.cors.allowsHost(r.Host) {
		WriteProblem(out, unknownHost)
		return
	}
	if r.Method == http.MethodOptions {
		if handler, _ := a.mux.Handler(r); a.cors.preflight(out, r, handler) {
			return
		}
	}
	a.mux.ServeHTTP(out, r)
}

// served reports an answer to Options.Served.
func (a *API) served(r *http.Request, status int, took time.Duration) {
	if status == http.StatusRequestEntityTooLarge {
		a.limited(errTooLarge)
	}
	if a.opts.Served == nil {
		return
	}
	route, method := r.Pattern, r.Method
	if route == "" || route == "/" { // nothing was there
		route = "other"
	}
	if !usualMethods[method] {
		method = "other"
	}
	a.opts.Served(route, method, status, took)
}

// usualMethods bounds the label: a client may send any word.
var usualMethods = map[string]bool{
	http.MethodGet: true, http.MethodHead: true, http.MethodPost: true, http.MethodPut: true, http.MethodPatch: true,
	http.MethodDelete: true, http.MethodOptions: true,
}

// writeTimeout is how long a client may take to read an answer.
const writeTimeout = 10 * time.Second

// Drain makes /readyz fail, refuses new turns, ends the streams, and waits for the turns under way.
// If ctx ends first, it returns its error; the turns then go on until their own deadline.
func (a *API) Drain(ctx context.Context) error {
	a.streams.close()
	return a.limiter.close(ctx)
}

// NewServer returns a server with limits for slow or hostile clients: five seconds for the header,
// ten for the request, two minutes between requests.
func NewServer(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr: addr, Handler: handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connection{}, c) // for who must end it: see watch
		},
	}
}
