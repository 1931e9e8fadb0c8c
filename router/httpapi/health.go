package httpapi

import (
	"context"
	"net/http"
	"time"
)

// readyTimeout bounds the check of the store.
const readyTimeout = 2 * time.Second

// healthz says that the process lives.
func (a *API) healthz(w http.ResponseWriter, _ *http.Request) {
	WriteJSON(w, http.StatusOK, "application/json", map[string]string{"status": "ok"})
}

// readyz says whether turns can be taken. Why not is for the operator to find out: the
// store's error may name paths and hosts.
func (a *API) readyz(w http.ResponseWriter, r *http.Request) {
	if a.gate.isClosed() {
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
	WriteJSON(w, http.StatusOK, "application/json", map[string]string{"status": "ready"})
}
