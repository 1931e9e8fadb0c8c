package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/accesstest"
	"github.com/slotway/slotway/router/httpapi/contract"
	"github.com/slotway/slotway/router/telemetry"
)

// keyed is a service as `serve` puts it together, with a key for each of names: NAME=USER
// SCOPES, and with settings besides. Every answer is compared with /openapi.json.
func keyed(t *testing.T, set []string, names ...string) (*service, http.Handler, map[string]string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "keys.yaml")
	keys, text := map[string]string{}, "keys:\n"
	for _, n := range names {
		name, rest, _ := strings.Cut(n, "=")
		user, scopes, _ := strings.Cut(rest, " ")
		key, hash := access.NewKey()
		keys[name] = key
		text += fmt.Sprintf("- {name: %s, hash: \"sha256:%x\", user: %s, scopes: [%s]}\n", name, hash, user, scopes)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &flags{data: dir, set: append([]string{"telemetry.log=none", "server.limits.rate=0", "server.auth.keys_file=" + file}, set...)}
	a, err := newApp(t.Context(), f, slotway.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	s := newService(a)
	d, err := contract.New(httpapi.OpenAPI(), map[string][]byte{"telemetry.schema.json": telemetry.Schema()})
	if err != nil {
		t.Fatal(err)
	}
	var routes []contract.Route
	for _, r := range s.api.Routes() {
		routes = append(routes, contract.Route{Method: r.Method, Path: r.Path})
	}
	for what, found := range map[string][]string{"not documented": d.Undocumented(routes), "not served": d.Unserved(routes), "structure": d.Structure()} {
		if len(found) > 0 {
			t.Errorf("%s: %s", what, strings.Join(found, "; "))
		}
	}
	t.Cleanup(func() {
		for _, v := range d.Violations() {
			t.Error(v)
		}
	})
	return s, d.Watch(s), keys
}

// bodies are what a route of the full service answers to, for the session s1.
var bodies = map[string]string{
	"POST /chat":                `{"message": "where is O-12345?", "conversation_id": "s1"}`,
	"POST /v1/memory/search":    `{"query": "order O-12345"}`,
	"POST /v1/chat/completions": `{"model": "shop", "messages": [{"role": "user", "content": "where is O-12345?"}]}`,
	"POST /v1/responses":        `{"model": "shop", "input": "where is it?", "conversation": "s1"}`,
	"PATCH /v1/sessions/{id}":   `{"title": "parcel"}`,
	"POST /mcp":                 `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_sessions", "arguments": {}}}`,
}

// TestEveryRouteOfTheService tries every route that `serve` has with every key that must not
// open it, and compares each answer with what is published.
func TestEveryRouteOfTheService(t *testing.T) {
	s, watched, keys := keyed(t, nil, "owner=alice chat, read, admin, metrics", "stranger=mallory chat, read, admin, metrics",
		"c=alice chat", "r=alice read", "a=alice admin", "m=alice metrics")
	for i, message := range []string{"where is O-12345?", "i was told about it in Canary Lane"} {
		req := httptest.NewRequest(http.MethodPost, "/chat", strings.NewReader(fmt.Sprintf(`{"message": %q, "conversation_id": "s1", "message_id": "m%d"}`, message, i)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+keys["owner"])
		w := httptest.NewRecorder()
		watched.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
	}
	key := memory.Key{UserID: "alice", AgentID: "shop", SessionID: "s1"}
	tried := map[string]bool{}
	accesstest.Run(t, &accesstest.Case{
		API: s.api, Handler: watched, Owner: keys["owner"], Stranger: keys["stranger"],
		Only:     map[access.Scope]string{access.Chat: keys["c"], access.Read: keys["r"], access.Admin: keys["a"], access.Metrics: keys["m"]},
		Canaries: []string{"Canary Lane"},
		Fill:     map[string]string{"id": "s1", "model": "shop"},
		Body: func(r httpapi.Route) (string, string) {
			at := r.Method + " " + r.Path
			tried[at] = true
			if strings.HasSuffix(r.Path, "/import") {
				return "application/x-ndjson", "{}"
			}
			return "", bodies[at]
		},
		Intact: func(t *testing.T) {
			messages, err := s.app.Store().Messages(t.Context(), key, memory.Page{})
			said := slices.ContainsFunc(messages, func(m memory.Message) bool { return strings.Contains(m.Text, "Canary Lane") })
			if err != nil || !said {
				t.Errorf("what the owner said is not among %d messages: %v", len(messages), err)
			}
		},
	})
	if len(tried) < 20 {
		t.Errorf("only %d routes were tried", len(tried))
	}
}

// TestMetricsOfTheService: what is done over HTTP is counted, and no label says by whom or
// about what.
func TestMetricsOfTheService(t *testing.T) {
	_, watched, keys := keyed(t, nil, "owner=alice chat, read, metrics")
	ask := func(method, path, body string) string {
		t.Helper()
		req := httptest.NewRequest(method, path, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+keys["owner"])
		w := httptest.NewRecorder()
		watched.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
		text, _ := io.ReadAll(w.Result().Body)
		return string(text)
	}
	ask(http.MethodPost, "/chat", `{"message": "where is O-12345?", "conversation_id": "s1"}`)
	ask(http.MethodGet, "/v1/sessions/s1/messages", "")
	got := map[string]bool{}
	text := ask(http.MethodGet, "/metrics", "")
	for line := range strings.Lines(text) {
		got[strings.TrimSpace(line)] = true
	}
	want := []string{
		`slotway_turns_total{outcome="responded"} 1`, `slotway_intents_total{intent="order_status"} 1`,
		`slotway_http_requests_total{method="POST",route="/chat",status_class="2xx"} 1`,
		`slotway_http_requests_total{method="GET",route="/v1/sessions/{id}/messages",status_class="2xx"} 1`,
	}
	for _, line := range want {
		if !got[line] {
			t.Errorf("no line %s", line)
		}
	}
	for _, secret := range []string{"12345", "alice", "s1\""} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the metrics", secret)
		}
	}
}

// The counts are of all users together: no other scope shows them.
func TestMetricsHaveAScope(t *testing.T) {
	_, watched, keys := keyed(t, nil, "all=alice chat, read, admin", "m=prometheus metrics")
	for name, want := range map[string]int{"all": http.StatusForbidden, "m": http.StatusOK} {
		req := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		req.Header.Set("Authorization", "Bearer "+keys[name])
		w := httptest.NewRecorder()
		watched.ServeHTTP(w, req)
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", name, w.Code, want)
		}
	}
}
