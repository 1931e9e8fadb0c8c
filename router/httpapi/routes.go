package httpapi

import (
	"net/http"

	"github.com/slotway/slotway/router/httpapi/access"
)

// sessionRoutes are the routes of stored sessions and of events; none without Options.Memory.
func (a *API) sessionRoutes() []Route {
	if a.opts.Memory == nil {
		return nil
	}
	const one = "/v1/sessions/{id}"
	get, post := http.MethodGet, http.MethodPost
	return []Route{
		{Method: get, Path: "/v1/agent", Scope: access.Read, Handler: JSON(a.agent)},
		{Method: get, Path: "/v1/agent/flow", Scope: access.Read, Handler: JSON(a.flow)},
		{Method: get, Path: "/v1/events", Scope: access.Read, Handler: a.events},
		{Method: get, Path: "/v1/report", Scope: access.Read, Handler: JSON(a.report)},
		{Method: get, Path: "/v1/sessions", Scope: access.Read, Handler: JSON(a.listSessions)},
		{Method: post, Path: "/v1/sessions", Scope: access.Chat, Handler: newSession(a.create)},
		{Method: post, Path: "/v1/sessions/import", Scope: access.Admin, Handler: a.importSessions},
		{Method: get, Path: one, Scope: access.Read, Handler: JSON(a.getSession)},
		{Method: http.MethodPatch, Path: one, Scope: access.Chat, Handler: JSON(a.patchSession)},
		{Method: http.MethodDelete, Path: one, Scope: access.Chat, Handler: a.deleteSession},
		{Method: get, Path: one + "/messages", Scope: access.Read, Handler: JSON(a.messages)},
		{Method: get, Path: one + "/state", Scope: access.Read, Handler: JSON(a.state)},
		{Method: get, Path: one + "/turns", Scope: access.Read, Handler: JSON(a.history)},
		{Method: get, Path: one + "/context", Scope: access.Read, Handler: JSON(a.context)},
		{Method: get, Path: one + "/trace", Scope: access.Read, Handler: JSON(a.trace)},
		{Method: get, Path: one + "/export", Scope: access.Read, Handler: a.export},
		{Method: post, Path: one + "/clear", Scope: access.Chat, Handler: JSON(a.clearSession)},
		{Method: post, Path: one + "/fork", Scope: access.Chat, Handler: newSession(a.fork)},
		{Method: post, Path: one + "/handoff", Scope: access.Handoff, Handler: JSON(a.handOver)},
		{Method: post, Path: one + "/undo", Scope: access.Chat, Handler: JSON(a.undoTurn)},
		{Method: post, Path: "/v1/memory/search", Scope: access.Read, Handler: JSON(a.searchMemory)},
	}
}
