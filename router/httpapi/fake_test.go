package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/tools"
)

// handlerFunc is a Handler.
type handlerFunc func(context.Context, router.Interaction) (router.Reply, error)

func (f handlerFunc) Handle(ctx context.Context, in router.Interaction) (router.Reply, error) {
	return f(ctx, in)
}

// echo answers with what was said.
func echo(_ context.Context, in router.Interaction) (router.Reply, error) {
	return router.Reply{SessionID: in.Context.SessionID, Turn: 1, Reply: in.Text, Params: map[string]any{}, ToolCalls: []router.ToolReport{}}, nil
}

// notes is an agent with one write tool.
const notes = `
version: 1
agent:
  id: notes
intents:
  - id: keep
    description: keep a note
    examples:
      - keep a note
      - write this down
    plan:
      - confirm: Shall I keep it?
      - call: keep
      - respond: kept
  - id: hello
    description: say hello
    answer_only: true
    examples:
      - good day to you
      - nice to see you
    plan:
      - respond: hello
tools:
  keep:
    kind: go
    effect: write
responses:
  kept: It is kept.
  hello: Good day.
`

// phrases understands a few fixed phrases.
type phrases map[string]string

func (p phrases) Classify(_ context.Context, in classifier.Input) (message.Result, error) {
	intent := p[in.Text]
	return message.Result{Intent: intent, Confidence: 0.99, Exact: intent != "", Ranking: []message.Score{{Intent: intent, Confidence: 0.99}}, Tier: "test"}, nil
}

// counter counts the calls of a tool.
type counter struct{ n atomic.Int64 }

// newRouter is a real router over the notes agent and an in-memory store.
func newRouter(t testing.TB) (*router.Router, *inmem.Store, *counter) {
	t.Helper()
	store, keep := inmem.New(nil), &counter{}
	functions := routertest.Tools{"keep": func(context.Context, tools.Call) (any, error) {
		return map[string]any{"n": float64(keep.n.Add(1))}, nil
	}}
	understand := phrases{"keep a note": "keep", "good day to you": "hello", "yes": "affirm"}
	return routertest.NewOver(t, store, notes, understand, functions, nil).Router, store, keep
}

// called is an agent of which only the id matters.
func called(id string) func() *config.Agent {
	return func() *config.Agent { return &config.Agent{ID: id} }
}

// byHeader takes a test's word for who it is.
type byHeader struct{}

func (byHeader) Identify(r *http.Request) (access.Identity, error) {
	user := r.Header.Get("X-Test-User")
	if user == "" {
		return access.Identity{}, access.ErrNoCredentials
	}
	return access.Identity{Name: user, UserID: user, Scopes: access.Scopes}, nil
}

// post sends a JSON body to /chat and returns the answer with its body read.
func post(h http.Handler, body string, headers ...string) *http.Response {
	r := httptest.NewRequest(http.MethodPost, "/chat", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return do(h, r)
}

func do(h http.Handler, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	watched(h).ServeHTTP(w, r)
	return w.Result()
}

func readAll(t testing.TB, res *http.Response) []byte {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// decode reads a JSON answer, strictly.
func decode[T any](t testing.TB, res *http.Response) T {
	t.Helper()
	var v T
	body := readAll(t, res)
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return v
}
