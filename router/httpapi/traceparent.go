package httpapi

import (
	"context"
	"net/http"

	"github.com/slotway/slotway/router/telemetry"
)

type traceKey struct{}

// withTraceParent keeps the trace of a request (W3C Trace Context) for its turns.
func withTraceParent(ctx context.Context, h http.Header) context.Context {
	parent := h.Get("Traceparent")
	if !telemetry.ValidTraceParent(parent) {
		return ctx
	}
	return context.WithValue(ctx, traceKey{}, parent)
}
