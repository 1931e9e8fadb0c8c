package httpapi

import (
	"net/http"

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

// Face is a set of routes that another package brings: the OpenAI-compatible ones, the MCP
// server, the studio.
type Face interface {
	Routes(a *API) []Route
}

// routes are the API's own. Those of its faces come after.
func (a *API) routes() []Route {
	return []Route{
		{Method: http.MethodPost, Path: "/chat", Scope: access.Chat, Handler: a.chat},
		{Method: http.MethodGet, Path: "/healthz", Handler: a.healthz},
		{Method: http.MethodGet, Path: "/readyz", Handler: a.readyz},
	}
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
		paths[r.Path][r.Method] = a.door(r)
	}
	for path, m := range paths {
		a.mux.Handle(path, m)
	}
	a.all = routes
}

// door lets a request in to a route once it is known who it is from and that they may.
func (a *API) door(r Route) http.HandlerFunc {
	refuse := r.Refuse
	if refuse == nil {
		refuse = WriteProblem
	}
	return func(w http.ResponseWriter, req *http.Request) {
		if r.Scope == "" {
			r.Handler(w, req)
			return
		}
		id, err := a.opts.Access.Identify(req)
		if err == nil && !id.Has(r.Scope) {
			err = access.ErrForbidden
		}
		if err != nil {
			refuse(w, Explain(err))
			return
		}
		r.Handler(w, req.WithContext(access.With(req.Context(), id)))
	}
}
