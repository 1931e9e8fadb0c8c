package mcpserver

import (
	"net/http"

	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
)

var _ httpapi.Adapter = (*Server)(nil)

// Routes implements httpapi.Adapter: it serves /mcp. What New was not given it takes from the API: the
// turns, within the API's limits, and the identity of requests. A key needs the scope chat for all of
// it, and read to search and to list.
func (s *Server) Routes(a *httpapi.API) []httpapi.Route {
	if s.deps.Turn == nil {
		s.deps.Turn = a.Turn
	}
	if o := &s.opts.HTTP; o.User == nil {
		o.User = func(r *http.Request) (string, bool) {
			id := access.From(r.Context())
			return id.UserID, id.UserID != ""
		}
		o.Scopes = func(r *http.Request) []string {
			scopes := []string{} // none is not all
			for _, scope := range access.From(r.Context()).Scopes {
				scopes = append(scopes, string(scope))
			}
			return scopes
		}
	}
	h := s.HTTP()
	var routes []httpapi.Route
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		routes = append(routes, httpapi.Route{Method: method, Path: "/mcp", Scope: access.Chat, Handler: h.ServeHTTP})
	}
	return routes
}
