package httpapi

import (
	"context"
	"net/http"
	"time"
)

// readyTimeout bounds the check of the store.
const readyTimeout = 2 * time.Second

// Degraded is a part of the service that is unavailable while turns go on without it.
type Degraded struct {
	Part   string `json:"part"`   // the setting that names it
	Detail string `json:"detail"` // for everybody who may reach /readyz: no host, no name
}

// healthz reports that the process lives.
func (a *API) healthz(w http.ResponseWriter, _ *http.Request) {
	WriteJSON(w, http.StatusOK, "application/json", map[string]string{"status": "ok"})
}

// readyz reports whether turns can be taken, but not why not: the store's error may name paths and
// hosts.
func (a *API) readyz(w http.ResponseWriter, r *http.Request) {
	if a.limiter.isClosed() {
		WriteProblem(w, Explain(errDraining))
		return
	}
	if a.opts.Ready != nil {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := a.opts.Ready(ctx); err != nil {
			WriteProblem(w, &Problem{Status: http.StatusServiceUnavailable, Code: "not_ready", Title: "The store cannot be used now", RetryAfter: 1})
			return
		}
	}
	out := struct {
		Status   string     `json:"status"`
		Degraded []Degraded `json:"degraded,omitempty"`
	}{Status: "ready"}
	if a.opts.Degraded != nil {
		out.Degraded = a.opts.Degraded()
	}
	WriteJSON(w, http.StatusOK, "application/json", out)
}
