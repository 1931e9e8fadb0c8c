package httpapi

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/slotway/slotway/internal/test/contract"
	"github.com/slotway/slotway/router/telemetry"
)

// published is the document that every answer in this package's tests is held to.
var published = sync.OnceValue(func() *contract.Document {
	d, err := contract.New(OpenAPI(), map[string][]byte{"telemetry.schema.json": telemetry.Schema()})
	if err != nil {
		panic(err)
	}
	return d
})

// watched compares what goes through h with the published document; TestMain tells.
func watched(h http.Handler) http.Handler { return published().Watch(h) }

func TestMain(m *testing.M) {
	code := m.Run()
	if broken := published().Violations(); len(broken) > 0 {
		fmt.Printf("answers that are not as /openapi.json says:\n%s\n", strings.Join(broken, "\n"))
		code = max(code, 1)
	}
	os.Exit(code)
}

func TestDocumentIsSound(t *testing.T) {
	for _, problem := range published().Structure() {
		t.Error(problem)
	}
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = true
	loader.ReadFromURIFunc = func(*openapi3.Loader, *url.URL) ([]byte, error) { return telemetry.Schema(), nil }
	doc, err := loader.LoadFromData(OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.AllowExtraSiblingFields("x-events")); err != nil {
		t.Error(err)
	}
}

// Every route of this package is described. The whole service, with the routes of other
// packages, is held to the document where it is put together.
func TestRoutesAreDescribed(t *testing.T) {
	w := newFixture(t)
	var routes []contract.Route
	for _, r := range w.api.Routes() {
		routes = append(routes, contract.Route{Method: r.Method, Path: r.Path})
	}
	for _, r := range published().Undocumented(routes) {
		t.Errorf("%s is not in /openapi.json", r)
	}
	for _, r := range published().Unserved(routes) {
		if !strings.Contains(r, " /v1/chat/") && !strings.Contains(r, " /v1/responses") && !strings.Contains(r, " /v1/conversations") &&
			!strings.HasSuffix(r, "/replay") && !strings.Contains(r, " /v1/evaluation") && !strings.Contains(r, " /v1/label") && !strings.Contains(r, " /v1/models") && !strings.HasSuffix(r, " /mcp") && !strings.HasSuffix(r, " /metrics") && !strings.Contains(r, " /studio") && !strings.Contains(r, " /webhooks/") && !strings.Contains(r, " /channels/") && !strings.Contains(r, " /widget") && r != "GET /" {
			t.Errorf("%s is in /openapi.json and nothing answers it", r)
		}
	}
}

func TestDocumentsAreServed(t *testing.T) {
	api := New(handlerFunc(echo), nil)
	for path, want := range map[string][]byte{"/openapi.json": OpenAPI(), "/telemetry.schema.json": telemetry.Schema()} {
		res := do(api, httptest.NewRequest(http.MethodGet, path, nil))
		if got := readAll(t, res); res.StatusCode != http.StatusOK || string(got) != string(want) {
			t.Errorf("GET %s: status %d, %d bytes", path, res.StatusCode, len(got))
		}
	}
}
