package runtimetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/contract"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/authoring"
	"github.com/slotway/slotway/router/telemetry"
)

// Service is a runtime behind HTTP, without a socket.
type Service struct {
	http.Handler

	Runtime *Runtime
	API     *httpapi.API
	Keys    map[string]string // by their names; see ServeWithKeys
}

// Serve puts a runtime behind HTTP. Requests seem to arrive at a loopback address, which a service
// without keys insists on.
func Serve(r *Runtime) *Service {
	h, local := r.Handler(), &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	return &Service{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			h.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), http.LocalAddrContextKey, local)))
		}),
		Runtime: r,
		API:     h.(interface{ API() *httpapi.API }).API(),
	}
}

// authors offers authors everything, without training anything.
var authors = authoring.Options{
	Evaluate: func(context.Context, *config.Agent, func(done, total int)) (*authoring.Evaluation, error) {
		return nil, errors.New("not in this test")
	},
	Label: &authoring.Label{Classifier: func(context.Context, *config.Agent) (classifier.Classifier, error) {
		return routertest.Phrases{}, nil
	}},
}

// ServeWithKeys opens a service as `slotway serve` does, with settings and keys. Each of names is
// NAME=USER SCOPES, such as "web=alice chat, read". The test fails if an answer differs from
// /openapi.json, or a route from what it lists.
func ServeWithKeys(t *testing.T, set []string, names ...string) *Service {
	t.Helper()
	dir := t.TempDir()
	file, keys := writeKeys(t, dir, names)
	r := Open(t, Config{Data: dir, Set: append([]string{"telemetry.log=none", "server.limits.rate=0", "server.auth.keys_file=" + file}, set...), Options: slotway.Options{Adapters: []httpapi.Adapter{authoring.New(authors)}}})
	h := r.Handler()
	api := h.(interface{ API() *httpapi.API }).API()
	d := published(t)
	var routes []contract.Route
	for _, r := range api.Routes() {
		routes = append(routes, contract.Route{Method: r.Method, Path: r.Path})
	}
	for what, found := range map[string][]string{"not documented": d.Undocumented(routes), "not served": d.Unserved(routes), "structure": d.Structure()} {
		if len(found) > 0 {
			t.Errorf("%s: %s", what, strings.Join(found, "; "))
		}
	}
	return &Service{d.Watch(h), r, api, keys}
}

// Checked fails the test if an answer of a handler differs from /openapi.json.
func Checked(t *testing.T, h http.Handler) http.Handler {
	t.Helper()
	return published(t).Watch(h)
}

// published returns the OpenAPI document of the service, whose violations fail the test at its end.
func published(t *testing.T) *contract.Document {
	t.Helper()
	d, err := contract.New(httpapi.OpenAPI(), map[string][]byte{"telemetry.schema.json": telemetry.Schema()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range d.Violations() {
			t.Error(v)
		}
	})
	return d
}

// writeKeys makes a key for each name and writes the file of keys.
func writeKeys(t *testing.T, dir string, names []string) (file string, keys map[string]string) {
	t.Helper()
	keys = map[string]string{}
	var text strings.Builder
	text.WriteString("keys:\n")
	for _, n := range names {
		name, rest, _ := strings.Cut(n, "=")
		user, scopes, _ := strings.Cut(rest, " ")
		key, hash := access.NewKey()
		keys[name] = key
		text.WriteString(fmt.Sprintf("- {name: %s, hash: \"sha256:%x\", user: %s, scopes: [%s]}\n", name, hash, user, scopes))
	}
	file = filepath.Join(dir, "keys.yaml")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, keys
}

// Ask sends a request with a key, and a body as JSON unless it is "".
func (s *Service) Ask(t testing.TB, key, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	var text io.Reader
	if body != "" {
		text = strings.NewReader(body)
	}
	req := httptest.NewRequestWithContext(t.Context(), method, path, text)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+s.Keys[key])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, req)
	return w
}

// Get is Ask with the method GET. It returns the body, and fails the test unless the status is 200.
func (s *Service) Get(t testing.TB, key, path string) string {
	t.Helper()
	return s.ok(t, key, http.MethodGet, path, "")
}

// Post is Ask with the method POST. It returns the body, and fails the test unless the status is
// 200.
func (s *Service) Post(t testing.TB, key, path, body string) string {
	t.Helper()
	return s.ok(t, key, http.MethodPost, path, body)
}

func (s *Service) ok(t testing.TB, key, method, path, body string) string {
	t.Helper()
	w := s.Ask(t, key, method, path, body)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	return w.Body.String()
}

// KeyPerUser gives each request the key whose name its header X-User holds.
func KeyPerUser(s *Service) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+s.Keys[r.Header.Get("X-User")])
		s.ServeHTTP(w, r)
	})
}
