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
	// Refuse writes what is wrong in the face's own form; nil: as a problem document.
	Refuse func(w http.ResponseWriter, p *Problem)
	// Anywhere lets pages of any origin send it, because no credential goes with it that a
	// browser would add by itself.
	Anywhere bool
}

// Adapter is a set of routes that another package brings: the OpenAI-compatible ones, the MCP
// server, the studio.
type Adapter interface {
	Routes(a *API) []Route
}

// routes are the API's own. Those of its adapters come after.
func (a *API) routes() []Route {
	return slices.Concat([]Route{
		{Method: http.MethodPost, Path: "/chat", Scope: access.Chat, Handler: a.chat},
		{Method: http.MethodGet, Path: "/healthz", Handler: a.healthz},
		{Method: http.MethodGet, Path: "/readyz", Handler: a.readyz},
	}, documents(), a.sessionRoutes())
}

// Routes are all routes, in no particular order.
func (a *API) Routes() []Route { return a.all }

// mount puts the routes into the mux, the methods of a path together, so that another
// method is told which there are.
func (a *API) mount(routes []Route) {
	paths := map[string]methods{"/": nil} // what has no path of its own
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

// guarded lets a request in to a route once it is known who it is from and that they may.
func (a *API) guarded(r Route) http.HandlerFunc {
	refuse := r.Refuse
	if refuse == nil {
		refuse = WriteProblem
	}
	return func(w http.ResponseWriter, req *http.Request) {
		err := a.cors.check(w.Header(), req, r.Anywhere)
		if err == nil && r.Scope != "" {
			var id access.Identity
			if id, err = a.authenticate(w.Header(), req, r.Scope); err == nil {
				ctx, end := a.watch(req, id, r.Scope)
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

// authenticate finds out who asks and holds them to their rate and their scopes. Whoever has good
// credentials is let in however many wrong ones come from the same address, which may be
// that of a proxy.
func (a *API) authenticate(h http.Header, req *http.Request, scope access.Scope) (access.Identity, error) {
	id, err := a.opts.Access.Identify(req)
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
	if !id.Has(scope) {
		h.Set("WWW-Authenticate", challenge(req, "insufficient_scope")+`, scope="`+string(scope)+`"`)
		return id, access.ErrForbidden
	}
	return id, nil
}

// challenge says what is missing (RFC 6750, section 3): no error code to a request without
// credentials.
func challenge(req *http.Request, code string) string {
	if req.Header.Get("Authorization") == "" {
		return `Bearer realm="slotway"`
	}
	return `Bearer realm="slotway", error="` + code + `"`
}
