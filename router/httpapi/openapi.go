package httpapi

import (
	_ "embed"
	"net/http"
	"slices"

	"github.com/slotway/slotway/router/telemetry"
)

//go:embed openapi.json
var openAPI []byte

// OpenAPI is the description of the whole service, as it is published: OpenAPI 3.1. The
// bytes are the caller's.
func OpenAPI() []byte { return slices.Clone(openAPI) }

// document serves bytes that never change.
func document(kind string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(body)
	}
}

// documents are the routes of what describes the service.
func documents() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/openapi.json", Handler: document("application/json", openAPI)},
		{Method: http.MethodGet, Path: "/telemetry.schema.json", Handler: document("application/schema+json", telemetry.Schema())},
	}
}
