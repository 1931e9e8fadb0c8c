package service

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/accesstest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// bodies are valid requests to the routes of the service, for the session s1.
var bodies = map[string]string{
	"POST /chat":                `{"message": "where is O-12345?", "conversation_id": "s1"}`,
	"POST /v1/memory/search":    `{"query": "order O-12345"}`,
	"POST /v1/chat/completions": `{"model": "shop", "messages": [{"role": "user", "content": "where is O-12345?"}]}`,
	"POST /v1/responses":        `{"model": "shop", "input": "where is it?", "conversation": "s1"}`,
	"PATCH /v1/sessions/{id}":   `{"title": "parcel"}`,

	"POST /widget/messages":       `{"text": "where is O-12345?", "message_id": "w1"}`,
	"POST /webhooks/rest/webhook": `{"sender": "s1", "message": "where is O-12345?"}`,

	"POST /v1/sessions/{id}/handoff": `{"action": "take", "by": "Ann"}`,

	"POST /v1/sessions/{id}/fork": `{"session_id": "s2"}`,
	"POST /v1/label":              `{"group": "1a2b3c4d", "intent": "order_status"}`,
	"POST /mcp":                   `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_sessions", "arguments": {}}}`,
}

// TestEveryRouteOfTheService calls each route with each key that must not open it, and compares
// each answer with the OpenAPI document.
func TestEveryRouteOfTheService(t *testing.T) {
	s := runtimetest.ServeWithKeys(t, []string{"server.widget.visitors=true"}, "owner=alice chat, read, admin, handoff, metrics", "stranger=mallory chat, read, admin, handoff, metrics",
		"c=alice chat", "r=alice read", "a=alice admin", "h=alice handoff", "m=alice metrics")
	for i, message := range []string{"where is O-12345?", "i was told about it in Canary Lane"} {
		req := httptest.NewRequest(http.MethodPost, "/chat", strings.NewReader(fmt.Sprintf(`{"message": %q, "conversation_id": "s1", "message_id": "m%d"}`, message, i)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+s.Keys["owner"])
		w := httptest.NewRecorder()
		s.ServeHTTP(w, req)
		if w.Code != http.StatusOK {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
	}
	s.Post(t, "owner", "/widget/messages", `{"text": "i was told about it in Canary Lane", "message_id": "m2"}`)
	var visit struct{ Token string }
	if err := json.Unmarshal([]byte(s.Post(t, "", "/widget/visits", "")), &visit); err != nil {
		t.Fatal(err)
	}
	key := memory.Key{UserID: "alice", AgentID: "shop", SessionID: "s1"}
	tried := map[string]bool{}
	accesstest.Run(t, &accesstest.Case{
		API: s.API, Handler: s, Owner: s.Keys["owner"], Stranger: s.Keys["stranger"], Visitor: visit.Token,
		Only:     map[access.Scope]string{access.Chat: s.Keys["c"], access.Read: s.Keys["r"], access.Admin: s.Keys["a"], access.Handoff: s.Keys["h"], access.Metrics: s.Keys["m"]},
		Canaries: []string{"Canary Lane"},
		Fill:     map[string]string{"id": "s1", "model": "shop", "channel": "slack"},
		Body: func(r httpapi.Route) (string, string) {
			at := r.Method + " " + r.Path
			tried[at] = true
			if strings.HasSuffix(r.Path, "/import") {
				return "application/x-ndjson", "{}"
			}
			return "", bodies[at]
		},
		Intact: func(t *testing.T) {
			messages, err := s.Runtime.Store().Messages(t.Context(), key, memory.Page{})
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

// TestMetricsOfTheService: the metrics count HTTP requests, and no label names a user or a value.
func TestMetricsOfTheService(t *testing.T) {
	s := runtimetest.ServeWithKeys(t, nil, "owner=alice chat, read, metrics")
	s.Post(t, "owner", "/chat", `{"message": "where is O-12345?", "conversation_id": "s1"}`)
	s.Get(t, "owner", "/v1/sessions/s1/messages")
	got := map[string]bool{}
	var named strings.Builder // the lines without their figures: a duration may have any digits
	for line := range strings.Lines(s.Get(t, "owner", "/metrics")) {
		line = strings.TrimSpace(line)
		got[line] = true
		if end := strings.LastIndexByte(line, ' '); end > 0 {
			line = line[:end]
		}
		named.WriteString(line + "\n")
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
		if strings.Contains(named.String(), secret) {
			t.Errorf("%q is in the metrics", secret)
		}
	}
}

// TestMetricsHaveAScope: only the scope metrics opens /metrics, since its counts are about all
// users.
func TestMetricsHaveAScope(t *testing.T) {
	s := runtimetest.ServeWithKeys(t, nil, "all=alice chat, read, admin", "m=prometheus metrics")
	for name, want := range map[string]int{"all": http.StatusForbidden, "m": http.StatusOK} {
		if w := s.Ask(t, name, http.MethodGet, "/metrics", ""); w.Code != want {
			t.Errorf("%s: status %d, want %d", name, w.Code, want)
		}
	}
}
