package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/tools"
)

// stall is an agent with a tool that must not be called twice.
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
      - respond: price
  - id: order
    examples: [buy it, order it, get me one]
    params: {required: [item]}
    plan:
      - confirm: "Order {item}?"
        denied: kept
      - call: buy
        with: {item: $item}
      - respond: bought
  - id: out_of_scope
    description: anything else
    examples: [blah blah, nonsense, what]
    answer_only: true
    plan:
      - respond: pardon
classifier: {fallback: out_of_scope}
tools:
  buy: {kind: go, effect: write}
responses:
  price: "One {item} costs ten."
  bought: "You have bought {item}."
  kept: "As you like."
  pardon: "Pardon me?"
`

// phrases understands what these tests say.
var phrases = routertest.Phrases{
	Words:     map[string]string{"yes": "affirm", "sure": "affirm", "no": "deny", "price": "price", "buy": "order"},
	Otherwise: "out_of_scope", Confidence: 0.9, ItemSure: 1,
}

// fixture is a service around the stall agent.
type fixture struct {
	t       testing.TB
	api     *httpapi.API
	adapter *Adapter
	store   *routertest.Store

	mu     sync.Mutex // guards what follows
	bought []string
	now    time.Time
}

// byHeader takes a test's word for who it is.
type byHeader struct{}

func (byHeader) Identify(r *http.Request) (access.Identity, error) {
	switch name := r.Header.Get("Authorization"); name {
	case "":
		return access.Identity{}, access.ErrNoCredentials
	case "reader":
		return access.Identity{Name: name, UserID: name, Scopes: []access.Scope{access.Read}}, nil
	default:
		return access.Identity{Name: name, UserID: name, Scopes: access.Scopes}, nil
	}
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	return newFixtureOver(t, inmem.New(nil), router.Options{})
}

func newFixtureOver(t testing.TB, store memory.Backend, opts router.Options) *fixture {
	t.Helper()
	w := &fixture{t: t, now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}
	digests, err := memory.OpenDigests(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	opts.Now, opts.Digests = w.clock, digests
	f := routertest.NewOver(t, store, stall, phrases, routertest.Tools{"buy": w.buy}, &opts)
	w.store = f.Store
	w.adapter = New(&Options{Store: w.store, Agent: f.Router.Agent, Now: w.clock, Digests: digests})
	w.api = httpapi.New(f.Router, &httpapi.Options{Access: byHeader{}, Agent: f.Router.Agent, Adapters: []httpapi.Adapter{w.adapter}})
	return w
}

// clock goes on a little each time it is looked at.
func (w *fixture) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(10 * time.Millisecond)
	return w.now
}

// pass lets time go by.
func (w *fixture) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// buy buys an item.
func (w *fixture) buy(_ context.Context, call tools.Call) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bought = append(w.bought, fmt.Sprint(call.Args["item"]))
	return "ok", nil
}

func (w *fixture) purchases() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.bought...)
}

// send makes a request as user ann, unless a header says otherwise.
func (w *fixture) send(method, path, body string, headers ...string) *http.Response {
	w.t.Helper()
	var from io.Reader
	if body != "" {
		from = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, path, from)
	r.Header.Set("Authorization", "ann")
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	out := httptest.NewRecorder()
	w.api.ServeHTTP(out, r)
	return out.Result()
}

func body(t testing.TB, res *http.Response) []byte {
	t.Helper()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read reads a JSON answer that is to have a status.
func read[T any](t testing.TB, res *http.Response, status int) T {
	t.Helper()
	var v T
	data := body(t, res)
	if err := json.Unmarshal(data, &v); err != nil || res.StatusCode != status {
		t.Fatalf("status %d, want %d; %v in %s", res.StatusCode, status, err, data)
	}
	return v
}

// told is what these tests look at of a completion.
type told struct {
	ID      string `json:"id"`
	Choices []struct {
		Message struct{ Content string } `json:"message"`
	} `json:"choices"`
	Slotway struct {
		SessionID  string         `json:"session_id"`
		Turn       int64          `json:"turn"`
		Params     map[string]any `json:"params"`
		Confirming *string        `json:"confirming"`
		History    string         `json:"history"`
	} `json:"slotway"`
}

func (t told) text() string { return t.Choices[0].Message.Content }

// history is a list of messages as clients send it: the user's and the agent's in turn.
func history(said ...string) string {
	list := []map[string]string{{"role": "system", "content": "Be brief."}}
	for i, text := range said {
		list = append(list, map[string]string{"role": []string{user, assistant}[i%2], "content": text})
	}
	data, err := json.Marshal(map[string]any{"model": "stall", "messages": list, "temperature": 0.2})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// complete sends a whole history.
func (w *fixture) complete(said ...string) told {
	w.t.Helper()
	return read[told](w.t, w.send("POST", "/v1/chat/completions", history(said...)), http.StatusOK)
}

// client is a chat client that keeps its history and sends all of it each time.
type client struct {
	w    *fixture
	said []string
}

func (c *client) say(text string) told {
	c.w.t.Helper()
	c.said = append(c.said, text)
	got := c.w.complete(c.said...)
	c.said = append(c.said, got.text())
	return got
}
