package httpapi

import (
	"errors"
	"net/http"
	"slices"

	"github.com/slotway/slotway/router/httpapi/access"
)

// Route is one method of one path.
type Route struct {
	Method  string       // GET answers HEAD too
	Path    string       // as http.ServeMux reads it, without the method: /v1/sessions/{id}
	Scope   access.Scope // what the caller must be allowed; "": open to everybody
	Handler http.HandlerFunc
	// Refuse writes a problem in the adapter's own form; nil: as a problem document.
	Refuse func(w http.ResponseWriter, p *Problem)
	// Visitors lets visitors of a website in, too, who have no other scope than access.Visit.
	Visitors bool
	// PerAddress limits the rate of each address, for a route without a scope that gives something away.
	PerAddress bool
	// Anywhere lets pages of any origin send it, because a browser adds no credential to it by itself.
	Anywhere bool
}

// Adapter is a set of routes of another package: the OpenAI-compatible ones, the MCP server, the
// studio.
type Adapter interface {
	Routes(a *API) []Route
}

// Author is an Adapter that serves authors of an agent.
type Author interface {
	Adapter
	// Features names what it does, for GET /v1/agent.
	Features() []string
}

// routes returns the API's own routes.
func (a *API) routes() []Route {
	return slices.Concat([]Route{
		{Method: http.MethodPost, Path: "/chat", Scope: access.Chat, Handler: a.chat},
		{Method: http.MethodGet, Path: "/healthz", Handler: a.healthz},
		{Method: http.MethodGet, Path: "/readyz", Handler: a.readyz},
	}, documents(), a.sessionRoutes())
}

// Routes returns all routes, in no particular order.
func (a *API) Routes() []Route { return a.all }

// mount registers the routes. The methods of a path are one handler, so that a request with another
// method gets the list of them.
func (a *API) mount(routes []Route) {
	paths := map[string]methods{"/": nil} // all other paths
	for _, r := range routes {
		if paths[r.Path] == nil {
			paths[r.Path] = methods{}
		}
		paths[r.Path][r.Method] = a.guarded(r)
	}
	for path, m := range paths {
		a.mux.Handle(path, m)
	}
	a.all = routes
}

// guarded checks the origin, the credentials and the scope of a request before the route handles it.
func (a *API) guarded(r Route) http.HandlerFunc {
	refuse := r.Refuse
	if refuse == nil {
		refuse = WriteProblem
	}
	return func(w http.ResponseWriter, req *http.Request) {
		err := a.cors.check(w.Header(), req, r.Anywhere)
		if err == nil && r.PerAddress {
			err = a.reserveAddress(req)
		}
		if err == nil && r.Scope != "" {
			var id access.Identity
			if id, err = a.authenticate(w.Header(), req, &r); err == nil {
				ctx, end := a.watch(req, id, &r)
				defer end()
				req = req.WithContext(withTraceParent(access.With(ctx, id), req.Header))
			}
		}
		if err != nil {
			refuse(w, Explain(err))
			return
		}
		r.Handler(w, req)
	}
}

// lets reports whether an identity has what the route asks for.
func (r *Route) lets(id access.Identity) bool {
	return id.Has(r.Scope) || (r.Visitors && id.Has(access.Visit))
}

// identify tells visitors by their tokens, and everybody else as the options say.
func (a *API) identify(req *http.Request) (access.Identity, error) {
	if v := a.opts.Visitors; v != nil {
		if id, visits, err := v.Identify(req); visits {
			return id, err
		}
	}
	return a.opts.Access.Identify(req)
}

// authenticate returns the identity of a request and checks its rate and its scopes. Valid
// credentials are accepted however many wrong ones come from the same address, which may be a
// proxy's.
func (a *API) authenticate(h http.Header, req *http.Request, route *Route) (access.Identity, error) {
	id, err := a.identify(req)
	if errors.Is(err, access.ErrNoCredentials) {
		if wait := a.failureRate.reserve(clientAddr(req)); wait > 0 {
			a.limited(errFailures)
			return id, tooMany(wait)
		}
		h.Set("WWW-Authenticate", challenge(req, "invalid_token"))
	}
	if err != nil {
		return id, err
	}
	if wait := a.requestRate.reserve(a.rateKey(req, id)); wait > 0 {
		a.limited(errRate)
		return id, tooMany(wait)
	}
	if !id.For(a.agentID()) {
		return id, access.ErrForbidden
	}
	if !route.lets(id) {
		h.Set("WWW-Authenticate", challenge(req, "insufficient_scope")+`, scope="`+string(route.Scope)+`"`)
		return id, access.ErrForbidden
	}
	return id, nil
}

// challenge is the WWW-Authenticate header (RFC 6750, section 3): without an error code for a request
// without credentials.
func challenge(req *http.Request, code string) string {
	if req.Header.Get("Authorization") == "" {
		return `Bearer realm="slotway"`
	}
	return `Bearer realm="slotway", error="` + code + `"`
}
