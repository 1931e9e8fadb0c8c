package httpapi

import (
	_ "embed"
	"net/http"
	"slices"

	"github.com/slotway/slotway/router/telemetry"
)

//go:embed openapi.json
var openAPI []byte

// OpenAPI returns the published description of the whole service: OpenAPI 3.1. The caller owns the
// bytes.
func OpenAPI() []byte { return slices.Clone(openAPI) }

// document serves fixed bytes.
func document(kind string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(body)
	}
}

// documents are the routes of the service's descriptions.
func documents() []Route {
	return []Route{
		{Method: http.MethodGet, Path: "/openapi.json", Handler: document("application/json", openAPI)},
		{Method: http.MethodGet, Path: "/telemetry.schema.json", Handler: document("application/schema+json", telemetry.Schema())},
	}
}
