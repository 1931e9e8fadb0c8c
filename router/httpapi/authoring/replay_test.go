package authoring

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/contract"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/replay"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

const stall = `
version: 1
agent: {id: stall}
types:
  item: {patterns: ["\\bI-\\d+\\b"], example: I-1}
params:
  item: {type: item, scope: session, prompt: "Which item?"}
intents:
  - id: price
    examples: [what is the price, how much is it, tell me the price]
    params: {required: [item]}
    plan:
      - call: look_up
        with: {item: $item}
        save: found
      - respond: price
tools:
  look_up: {kind: go, effect: read}
responses:
  price: "{item} costs {found.price}."
redaction: {params: [item]}
`

// byHeader takes a test's word for who it is.
type byHeader struct{}

func (byHeader) Identify(r *http.Request) (access.Identity, error) {
	id := access.Identity{Name: "ann", UserID: "ann", Scopes: access.Scopes}
	if r.Header.Get("X-Test") == "reader" {
		id.Scopes = []access.Scope{access.Read}
	}
	return id, nil
}

// fixture is a service around the stall agent.
type fixture struct {
	t   *testing.T
	api http.Handler
}

func newFixture(t *testing.T, opts Options) *fixture {
	t.Helper()
	store := inmem.New(nil)
	phrases := routertest.Phrases{Words: map[string]string{"price": "price"}, Confidence: 0.9, ItemSure: 1}
	called := routertest.Tools{"look_up": func(context.Context, tools.Call) (any, error) { return map[string]any{"price": 7.0}, nil }}
	f := routertest.NewOver(t, store, stall, phrases, called, &router.Options{})
	api := httpapi.New(f.Router, &httpapi.Options{
		Access: byHeader{}, Agent: f.Router.Agent, Adapters: []httpapi.Adapter{New(opts)},
		Memory: &httpapi.Memory{Store: store, Redactor: func() *telemetry.Redactor { return telemetry.NewRedactor(f.Agent) }},
	})
	published, err := contract.New(httpapi.OpenAPI(), map[string][]byte{"telemetry.schema.json": telemetry.Schema()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range published.Violations() {
			t.Error(v)
		}
	})
	return &fixture{t, published.Watch(api)}
}

// ask sends a request and returns the status and the body of its answer.
func (f *fixture) ask(method, path, body string, as ...string) (int, string) {
	f.t.Helper()
	r := httptest.NewRequestWithContext(f.t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, name := range as {
		r.Header.Set("X-Test", name)
	}
	w := httptest.NewRecorder()
	f.api.ServeHTTP(w, r)
	text, _ := io.ReadAll(w.Result().Body)
	return w.Code, string(text)
}

// say runs turns of the session s.
func (f *fixture) say(texts ...string) {
	f.t.Helper()
	for _, text := range texts {
		body, _ := json.Marshal(map[string]string{"message": text, "conversation_id": "s"})
		if status, answer := f.ask(http.MethodPost, "/chat", string(body)); status != http.StatusOK {
			f.t.Fatalf("%q: %d %s", text, status, answer)
		}
	}
}

// A session becomes a replay file that can be parsed; what was undone is no part of it.
func TestReplay(t *testing.T) {
	f := newFixture(t, Options{AgentFile: "stall.yaml"})
	f.say("the price please", "I-77", "the price again")
	if status, text := f.ask(http.MethodPost, "/v1/sessions/s/undo", ""); status != http.StatusOK {
		t.Fatalf("undo: %d %s", status, text)
	}
	status, text := f.ask(http.MethodGet, "/v1/sessions/s/replay?reveal=true", "")
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	for _, part := range []string{"agent: stall.yaml", "- user: I-77", "look_up:", "price: 7", "I-77 costs 7."} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	if strings.Contains(text, "price again") {
		t.Errorf("an undone turn is in\n%s", text)
	}
	list, err := replay.Parse("conversation.yaml", []byte(text))
	if err != nil || len(list) != 1 || len(list[0].Turns) != 2 {
		t.Errorf("it does not parse: %v, %d conversations", err, len(list))
	}
}

// Without reveal the values of redacted params are marks, and reveal needs the scope admin.
func TestReplayIsMasked(t *testing.T) {
	f := newFixture(t, Options{})
	f.say("the price please", "I-77")
	if status, text := f.ask(http.MethodGet, "/v1/sessions/s/replay", "", "reader"); status != http.StatusOK || strings.Contains(text, "I-77") {
		t.Errorf("masked: %d\n%s", status, text)
	}
	if status, text := f.ask(http.MethodGet, "/v1/sessions/s/replay?reveal=true", "", "reader"); status != http.StatusForbidden {
		t.Errorf("revealed without the scope admin: %d %s", status, text)
	}
	if status, _ := f.ask(http.MethodGet, "/v1/sessions/other/replay", ""); status != http.StatusNotFound {
		t.Errorf("an unknown session: %d", status)
	}
}
