package httpapi

import (
	"context"
	"net/http"

	"github.com/slotway/slotway/router/telemetry"
)

type traceKey struct{}

// withTraceParent keeps which trace a request belongs to (W3C Trace Context), for the turns that it
// makes.
func withTraceParent(ctx context.Context, h http.Header) context.Context {
	parent := h.Get("Traceparent")
	if !telemetry.ValidTraceParent(parent) {
		return ctx
	}
	return context.WithValue(ctx, traceKey{}, parent)
}
