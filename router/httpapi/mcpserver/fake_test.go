package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/classifier/cascade"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
	"github.com/slotway/slotway/tools"
)

const shopYAML = `
version: 1
agent: {id: shop, description: Looks after orders}
classifier: {fallback: lost}
types:
  order_id: {patterns: ["\\b(O-\\d{5})\\b"], bare: "(?:O-)?\\d{5}", normalize: [digits, "prefix:O-"], example: O-12345}
  reason: {values: [damaged, late, {value: changed my mind, synonyms: [do not want it]}]}
params:
  order_id: {type: order_id, scope: session, label: order number, prompt: "What's your order number?", reprompt: "An order number reads like O-12345."}
intents:
  - id: order_status
    description: say where an order is
    examples: [where is my order, track my parcel, order status, has it shipped]
    params: {required: [order_id]}
    plan:
      - {call: get_order, with: {order_id: $order_id}, save: order, on_error: {not_found: {respond: unknown, forget: [order_id]}}}
      - respond: status
  - id: cancel_order
    description: cancel an order
    examples: [cancel my order, i want to cancel, call the order off, stop the order]
    params:
      required:
        - order_id
        - {name: reason, type: reason, prompt: "Why: damaged, late or changed your mind?"}
      optional:
        - {name: count, type: integer, validation: {min: 1, max: 9}}
        - {name: gift, type: boolean}
        - {name: notes, type: text, list: true, validation: {max_length: 50}}
        - {name: hidden, type: text, param_mapping: [{from: tool, key: order}]}
    plan:
      - {confirm: "Cancel {order_id} because it is {reason}?", denied: kept}
      - {call: cancel, with: {order_id: $order_id, reason: $reason}}
      - respond: cancelled_order
  - id: hours/today
    answer_only: true
    examples: [when are you open, opening hours, are you open today]
    plan: [{respond: hours}]
  - id: person
    examples: [talk to a person, give me a human please, colleague]
    plan: [{handoff: desk}]
  - id: lost
    answer_only: true
    examples: [what is the meaning of life, sing a song]
    plan: [{respond: sorry}]
  - id: parcels
    description: find a parcel
    examples: [find my parcels, which parcels do i have, list the parcels]
    params: {optional: [{name: parcel, type: integer, label: parcel}]}
    plan:
      - {call: list_parcels, save: parcels}
      - {choose: parcel, from: $parcels, label: "{parcel} in {place}"}
      - respond: found
  - id: breaks
    examples: [break it, make it fail, crash please]
    plan: [{call: fails, on_error: {"*": {respond: sorry, end: true}}}]
tools:
  get_order: {kind: go, effect: read, retries: 0}
  cancel: {kind: go, effect: write}
  fails: {kind: go, effect: read, retries: 0}
  list_parcels: {kind: go, effect: read}
responses:
  status: "{order_id} is {order.status}."
  unknown: "There is no {order_id}."
  cancelled_order: "{order_id} is cancelled."
  kept: "OK, it stays."
  found: "Parcel {parcel} is there."
  hours: "Nine to five."
  sorry: "That did not work."
redaction: {params: [order_id]}
`

// shop is an agent behind an MCP server, with what its tools did.
type shop struct {
	*mcpserver.Server
	t      testing.TB
	router *router.Router
	store  memory.Backend

	mu        sync.Mutex // guards cancelled
	cancelled []string
}

func newShop(t testing.TB, opts *mcpserver.Options) *shop {
	t.Helper()
	s := &shop{t: t, store: inmem.New(nil)}
	parts := s.parts(shopYAML)
	s.router = router.New(parts.Agent, parts.Classifier, memory.NewConversations(s.store, 20), parts.Tools, nil)
	if opts == nil {
		opts = &mcpserver.Options{}
	}
	if opts.HTTP.User == nil {
		opts.HTTP.User = func(r *http.Request) (string, bool) { return r.Header.Get("X-User"), true }
	}
	s.Server = mcpserver.New(mcpserver.Deps{
		Turn: s.router.Handle, Agent: s.router.Agent, Search: s.search, Sessions: s.sessions,
	}, opts)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Logf("Close: %v", err)
		}
	})
	return s
}

// parts makes what belongs to a definition.
func (s *shop) parts(yaml string) router.Deps {
	s.t.Helper()
	def := routertest.Agent(s.t, yaml)
	understand, err := cascade.New(def, &cascade.Options{Cache: &trained})
	if err != nil {
		s.t.Fatal(err)
	}
	functions := routertest.Tools{
		"get_order": func(_ context.Context, c tools.Call) (any, error) {
			if c.Args["order_id"] == "O-99999" {
				return nil, &tools.Error{Code: tools.NotFound, Tool: "get_order"}
			}
			return map[string]any{"status": "shipped"}, nil
		},
		"cancel": func(_ context.Context, c tools.Call) (any, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.cancelled = append(s.cancelled, fmt.Sprint(c.Caller.UserID, " ", c.Args["order_id"]))
			return true, nil
		},
		"list_parcels": func(context.Context, tools.Call) (any, error) {
			return []any{map[string]any{"parcel": 7001.0, "place": "Rome"}, map[string]any{"parcel": 7002.0, "place": "Oslo"}}, nil
		},
		"fails": func(context.Context, tools.Call) (any, error) { return nil, errors.New("broken") },
	}
	return router.Deps{Agent: def, Classifier: understand, Tools: functions.Registry(s.t, def)}
}

// trained keeps what classifiers have learned, so that each agent is trained once.
var trained kept

type kept struct{ models sync.Map }

func (k *kept) Get(name string) []byte {
	data, _ := k.models.Load(name)
	model, _ := data.([]byte)
	return model
}

func (k *kept) Put(name string, data []byte) { k.models.Store(name, data) }

func (s *shop) done() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.cancelled...)
}

// search finds messages by a part of their text.
func (s *shop) search(ctx context.Context, q mcpserver.Search) ([]mcpserver.Found, error) {
	sessions, err := s.store.Sessions(ctx, memory.Query{UserID: q.User, AgentID: "shop"})
	if err != nil {
		return nil, err
	}
	var found []mcpserver.Found
	for _, info := range sessions {
		messages, err := s.store.Messages(ctx, info.Key, memory.Page{Limit: 100})
		if err != nil {
			return nil, err
		}
		for _, m := range messages {
			if q.Only.Passes(&m) && strings.Contains(m.Text, q.Query) && len(found) < q.Limit && (q.MinSimilarity == nil || *q.MinSimilarity < 1) {
				found = append(found, mcpserver.Found{ConversationID: info.Key.SessionID, Role: string(m.Role), Text: m.Text, At: m.Timestamp, Score: 1})
			}
		}
	}
	return found, nil
}

func (s *shop) sessions(ctx context.Context, user string, limit int) ([]mcpserver.Session, error) {
	list, err := s.store.Sessions(ctx, memory.Query{UserID: user, AgentID: "shop", Limit: limit})
	var out []mcpserver.Session
	for _, info := range list {
		out = append(out, mcpserver.Session{ConversationID: info.Key.SessionID, Turns: info.Turns, UpdatedAt: info.UpdatedAt, WaitingForParam: info.Waiting})
	}
	return out, err
}

// The protocols that are spoken here: one with sessions and one without.
var protocols = []string{"2025-11-25", "2026-07-28"}

// way is how a client is connected.
type way struct {
	protocol string
	http     bool
}

func ways() map[string]way {
	all := map[string]way{}
	for _, p := range protocols {
		all[p+" in memory"] = way{p, false}
		all[p+" over HTTP"] = way{p, true}
	}
	return all
}

// person is a client's user, who is asked by forms.
type person struct {
	t       testing.TB
	answers []*mcp.ElicitResult // in turn; none left: the form is dismissed
	asked   []string
	schemas []map[string]any
	asking  func() // before each answer; nil: nothing
}

func (p *person) elicit(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	p.asked = append(p.asked, req.Params.Message)
	schema, _ := req.Params.RequestedSchema.(map[string]any)
	p.schemas = append(p.schemas, schema)
	if p.asking != nil {
		p.asking()
	}
	if len(p.answers) == 0 {
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}
	next := p.answers[0]
	p.answers = p.answers[1:]
	return next, nil
}

func accept(field string, value any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{field: value}}
}

// connect makes a client; p is nil for one without elicitation.
func (s *shop) connect(w way, user string, p *person, opts *mcp.ClientOptions) *mcp.ClientSession {
	s.t.Helper()
	if opts == nil {
		opts = &mcp.ClientOptions{}
	}
	if p != nil {
		opts.ElicitationHandler = p.elicit
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts)
	var transport mcp.Transport
	if w.http {
		server := httptest.NewServer(s.HTTP())
		s.t.Cleanup(server.Close)
		transport = clientOf(server.URL, user)
	} else {
		var end mcp.Transport
		transport, end = mcp.NewInMemoryTransports()
		ctx, cancel := context.WithCancel(context.Background())
		var wg sync.WaitGroup
		wg.Go(func() {
			if err := s.Run(ctx, end, user); err != nil {
				s.t.Errorf("Run: %v", err)
			}
		})
		s.t.Cleanup(func() { cancel(); wg.Wait() })
	}
	session, err := client.Connect(context.Background(), transport, &mcp.ClientSessionOptions{ProtocolVersion: w.protocol})
	if err != nil {
		s.t.Fatalf("connect: %v", err)
	}
	s.t.Cleanup(func() { _ = session.Close() }) // the server may be gone by then
	if got := session.InitializeResult(); w.protocol < "2026" && got.ProtocolVersion != w.protocol {
		s.t.Fatalf("protocol %s, want %s", got.ProtocolVersion, w.protocol)
	}
	return session
}

func clientOf(url, user string) *mcp.StreamableClientTransport {
	return &mcp.StreamableClientTransport{
		Endpoint: url, MaxRetries: -1, HTTPClient: &http.Client{Transport: as{user}},
	}
}

// as sends every request as a user.
type as struct{ user string }

func (a as) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-User", a.user)
	return http.DefaultTransport.RoundTrip(r)
}

// use calls a tool and reads its structured result.
func use[T any](t testing.TB, session *mcp.ClientSession, name string, args map[string]any, meta ...string) T {
	t.Helper()
	result, err := call(t, session, name, args, meta...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var v T
	text, err := json.Marshal(result.StructuredContent)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v in %s", name, err, text)
	}
	return v
}

func call(t testing.TB, session *mcp.ClientSession, name string, args map[string]any, meta ...string) (*mcp.CallToolResult, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	params := &mcp.CallToolParams{Name: name, Arguments: args}
	if len(meta) > 0 {
		params.Meta = mcp.Meta{"slotway/idempotency-key": meta[0]}
	}
	return session.CallTool(ctx, params)
}

type arguments = map[string]any
