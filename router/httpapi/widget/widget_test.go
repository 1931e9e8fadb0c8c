package widget_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/internal/test/contract"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/httpapi/widget"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

const agent = `
version: 1
agent: {id: desk, description: makes badges}
params:
  name: {type: text, prompt: "Your name?"}
intents:
  - id: badge
    description: make a badge
    examples: [badge please, make me a badge, i need a badge]
    params: {required: [name]}
    plan:
      - confirm: "A badge for {name}?"
      - call: make_badge
        with: {who: $name}
      - respond: made
tools:
  make_badge: {kind: go, effect: write}
responses:
  made: "Here you are, {name}."
redaction: {params: [name]}
`

// service is the API with the widget, over a real router.
type service struct {
	t      *testing.T
	api    *httpapi.API
	store  *inmem.Store
	router *router.Router
	made   int // badges
}

// byHeader takes a test's word for a credential with the scope chat.
type byHeader struct{}

func (byHeader) Identify(r *http.Request) (access.Identity, error) {
	user, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer user ")
	if !ok {
		return access.Identity{}, access.ErrNoCredentials
	}
	return access.Identity{Name: user, UserID: user, Scopes: []access.Scope{access.Chat}}, nil
}

// understands is the classifier of the agent.
type understands struct{}

func (understands) Classify(_ context.Context, in classifier.Input) (message.Result, error) {
	res := message.Result{Intent: map[string]string{"badge please": "badge", "yes": "affirm"}[in.Text]}
	if res.Intent != "" {
		res.Confidence, res.Exact = 0.99, true
		res.Ranking = []message.Score{{Intent: res.Intent, Confidence: 0.99}}
	}
	if in.Text == "Zaphod" {
		res.Params = []message.Value{{Param: "name", Value: in.Text, Text: in.Text, End: len(in.Text), Source: "text", Confidence: 1}}
	}
	return res, nil
}

func newService(t *testing.T, change func(*httpapi.Options)) *service {
	t.Helper()
	s := &service{t: t, store: inmem.New(nil)}
	r := routertest.NewOver(t, s.store, agent, understands{}, routertest.Tools{"make_badge": func(context.Context, tools.Call) (any, error) {
		s.made++
		return map[string]any{"n": s.made}, nil
	}}, nil)
	opts := &httpapi.Options{
		Access: byHeader{}, Agent: r.Router.Agent, Adapters: []httpapi.Adapter{widget.Adapter{}}, Origins: []string{"https://shop.example"},
		Visitors: access.NewVisitors([]byte("key"), nil),
		Memory:   &httpapi.Memory{Store: s.store, Redactor: func() *telemetry.Redactor { return telemetry.NewRedactor(r.Agent) }},
	}
	if change != nil {
		change(opts)
	}
	s.api, s.router = httpapi.New(r.Router, opts), r.Router
	return s
}

func (s *service) ask(method, path, credential, body string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if credential != "" {
		r.Header.Set("Authorization", "Bearer "+credential)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d, err := contract.New(httpapi.OpenAPI(), map[string][]byte{"telemetry.schema.json": telemetry.Schema()})
	if err != nil {
		s.t.Fatal(err)
	}
	d.Watch(s.api).ServeHTTP(w, r)
	for _, v := range d.Violations() {
		s.t.Error(v)
	}
	return w
}

// visitor lets a visitor in and returns the token.
func (s *service) visitor() string {
	s.t.Helper()
	w := s.ask(http.MethodPost, "/widget/visits", "", "")
	var visit struct{ Token string }
	if err := json.Unmarshal(w.Body.Bytes(), &visit); err != nil || w.Code != http.StatusOK {
		s.t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return visit.Token
}

type answer struct {
	ConversationID string `json:"conversation_id"`
	Messages       []struct {
		Seq, Turn  int64
		Role, Text string
		Person     *string
	}
	Person              *string
	Seq, Turn, Answered int64
	More                bool
	Options             []struct{ Title, Say string }
}

// texts returns one line for each message.
func (a answer) texts() string {
	var out strings.Builder
	for _, m := range a.Messages {
		fmt.Fprintf(&out, "%s: %s\n", m.Role, m.Text)
	}
	return out.String()
}

// say sends a message and returns the data of the event done.
func (s *service) say(credential, body string) (a answer) {
	s.t.Helper()
	w := s.ask(http.MethodPost, "/widget/messages", credential, body)
	_, done, ok := strings.Cut(w.Body.String(), "event: done\ndata: ")
	if !ok || json.Unmarshal([]byte(done), &a) != nil {
		s.t.Fatalf("%s: %d %s", body, w.Code, w.Body)
	}
	return a
}

func (s *service) read(credential, query string) (a answer) {
	s.t.Helper()
	w := s.ask(http.MethodGet, "/widget/messages"+query, credential, "")
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != http.StatusOK {
		s.t.Fatalf("%s: %d %s: %v", query, w.Code, w.Body, err)
	}
	return a
}

// The script stays small: people load it on every page of a site.
func TestSize(t *testing.T) {
	s := newService(t, nil)
	w := s.ask(http.MethodGet, "/widget.js", "", "", "Origin", "https://anywhere.example", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors")
	if w.Code != http.StatusOK || w.Header().Get("Cross-Origin-Resource-Policy") != "cross-origin" || w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(w.Body.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d compressed", w.Body.Len(), zipped.Len())
	if zipped.Len() >= 15_000 || w.Body.Len() < 10_000 {
		t.Errorf("%d bytes, %d compressed, want less than 15000", w.Body.Len(), zipped.Len())
	}
	files, err := filepath.Glob("assets/*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); filepath.Ext(file) == ".js" && (err != nil || !bytes.Contains(w.Body.Bytes(), text)) {
			t.Errorf("%s is not in the script: %v", file, err)
		}
	}
	again := s.ask(http.MethodGet, "/widget.js", "", "", "If-None-Match", w.Header().Get("ETag"))
	if again.Code != http.StatusNotModified {
		t.Errorf("loaded again: %d", again.Code)
	}
}

// The answer and a later read have the same messages, each with one number.
func TestConversation(t *testing.T) {
	s := newService(t, nil)
	ann := s.visitor()
	if a := s.read(ann, ""); len(a.Messages) != 0 || a.Seq != 0 || a.Turn != 0 {
		t.Errorf("before anything was said: %+v", a)
	}
	first := s.say(ann, `{"text": "badge please", "message_id": "1", "after_turn": 0, "after": 0}`)
	if got := first.texts(); got != "user: badge please\nagent: Your name?\n" {
		t.Errorf("first answer:\n%s", got)
	}
	second := s.say(ann, fmt.Sprintf(`{"text": "Zaphod", "message_id": "2", "after_turn": %d, "after": %d}`, first.Turn, first.Seq))
	if got := second.texts(); got != "user: Zaphod\nagent: A badge for Zaphod?\n" || second.Answered != 2 {
		t.Errorf("second answer:\n%s", got)
	}
	if len(second.Options) != 2 || second.Options[0].Say == "" {
		t.Errorf("options %+v", second.Options)
	}
	all := s.read(ann, "")
	if len(all.Messages) != 4 || all.Seq != second.Seq || all.Turn != 2 || len(all.Options) != 2 {
		t.Errorf("read again: %+v", all)
	}
	if got := all.texts(); !strings.Contains(got, "agent: A badge for Zaphod?") {
		t.Errorf("the person would confirm what they do not see:\n%s", got)
	}
	if later := s.read(ann, fmt.Sprintf("?after=%d", first.Seq)); len(later.Messages) != 2 || later.Messages[0].Seq <= first.Seq || len(later.Options) != 2 {
		t.Errorf("after the first answer: %+v", later)
	}
	if none := s.read(ann, fmt.Sprintf("?after=%d", all.Seq)); len(none.Messages) != 0 || none.Seq != all.Seq || none.Turn != 2 {
		t.Errorf("after all: %+v", none)
	}
	s.say(ann, fmt.Sprintf(`{"text": "yes", "message_id": "3", "after_turn": %d, "after": %d}`, second.Turn, second.Seq))
	if got := s.read(ann, "").texts(); strings.Contains(got, "A badge for Zaphod") || !strings.Contains(got, "A badge for ") || strings.Contains(got, "user: Zaphod") {
		t.Errorf("a redacted value of an earlier turn is not masked:\n%s", got)
	}
	bob := s.visitor()
	if a := s.read(bob, ""); len(a.Messages) != 0 || a.ConversationID == all.ConversationID {
		t.Errorf("another visitor sees %+v", a)
	}
}

// A message whose answer was lost is sent again and has no second effect; a yes to an old question has none.
func TestOnce(t *testing.T) {
	s := newService(t, nil)
	ann := s.visitor()
	s.say(ann, `{"text": "badge please", "message_id": "1"}`)
	s.say(ann, `{"text": "Zaphod", "message_id": "2"}`)
	w := s.ask(http.MethodPost, "/widget/messages", ann, `{"text": "yes", "message_id": "early", "after_turn": 1}`)
	if w.Code != http.StatusConflict || !strings.Contains(w.Body.String(), "moved_on") || s.made != 0 {
		t.Errorf("a yes to another question: %d %s, %d badges", w.Code, w.Body, s.made)
	}
	const yes = `{"text": "yes", "message_id": "3", "after_turn": 2, "after": 4}`
	first := s.say(ann, yes)
	again := s.say(ann, yes)
	if first.texts() != again.texts() || first.texts() != "user: yes\nagent: Here you are, Zaphod.\n" || s.made != 1 {
		t.Errorf("%d badges; answers:\n%s%s", s.made, first.texts(), again.texts())
	}
	// The page may have read the turn meanwhile: then there is nothing to show twice.
	seen := s.say(ann, strings.Replace(yes, `"after": 4`, fmt.Sprintf(`"after": %d`, first.Seq), 1))
	for _, m := range seen.Messages {
		if m.Seq != 0 || m.Turn != 3 {
			t.Errorf("a stored message comes again: %+v", m)
		}
	}
}

// What a person says in the agent's place comes with the next poll, once, and with their name. Meanwhile
// the agent is silent.
func TestPersonAnswers(t *testing.T) {
	s := newService(t, nil)
	ann := s.visitor()
	a := s.say(ann, `{"text": "badge please", "message_id": "1"}`)
	list, err := s.store.Sessions(t.Context(), memory.Query{AgentID: "desk"})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	act := func(action router.Action, text string) {
		t.Helper()
		key := list[0].Key
		if _, err := s.router.Handle(t.Context(), router.Interaction{
			Text: text, HandOver: &router.HandOver{Action: action, By: "Kim"}, Context: router.Context{UserID: key.UserID, SessionID: key.SessionID},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if a.Person != nil {
		t.Errorf("%s has the conversation", *a.Person)
	}
	act(router.ActionTake, "")
	if got := s.read(ann, fmt.Sprintf("?after=%d", a.Seq)); got.Person == nil || *got.Person != "Kim" || len(got.Messages) != 0 {
		t.Errorf("taken: %+v", got)
	}
	act(router.ActionAnswer, "This is Kim.")
	got := s.read(ann, fmt.Sprintf("?after=%d", a.Seq))
	if got.texts() != "agent: This is Kim.\n" || got.Messages[0].Person == nil || *got.Messages[0].Person != "Kim" {
		t.Errorf("the next look shows: %+v", got)
	}
	silent := s.say(ann, fmt.Sprintf(`{"text": "hello Kim", "message_id": "2", "after": %d}`, a.Seq))
	if silent.texts() != "agent: This is Kim.\nuser: hello Kim\n" || silent.Person == nil {
		t.Errorf("the answer to a page that has not looked: %+v", silent)
	}
	act(router.ActionGiveBack, "")
	back := s.read(ann, fmt.Sprintf("?after=%d", silent.Seq))
	if len(back.Messages) != 1 || !strings.Contains(back.Messages[0].Text, "Your name?") || back.Messages[0].Person != nil || back.Person != nil {
		t.Errorf("given back: %+v", back)
	}
}

func TestWhoMayTalk(t *testing.T) {
	s := newService(t, nil)
	const hi = `{"text": "badge please", "message_id": "1"}`
	if a := s.say("user alice", hi); a.Answered != 1 {
		t.Errorf("a key with the scope chat: %+v", a)
	}
	ann := s.visitor()
	for _, path := range []string{"/v1/agent", "/v1/sessions", "/v1/events", "/v1/report"} {
		if w := s.ask(http.MethodGet, path, ann, ""); w.Code != http.StatusForbidden {
			t.Errorf("a visitor gets %s: %d", path, w.Code)
		}
	}
	if w := s.ask(http.MethodPost, "/chat", ann, `{"message": "badge please"}`); w.Code != http.StatusForbidden {
		t.Errorf("a visitor's POST /chat: %d", w.Code)
	}
	for _, credential := range []string{"", ann + "x", "slotway_visit_AAAA"} {
		if w := s.ask(http.MethodPost, "/widget/messages", credential, hi); w.Code != http.StatusUnauthorized {
			t.Errorf("%q: %d", credential, w.Code)
		}
	}
	closed := newService(t, func(o *httpapi.Options) { o.Visitors = nil })
	if w := closed.ask(http.MethodPost, "/widget/visits", "", ""); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "no_visitors") {
		t.Errorf("visitors are let in: %d %s", w.Code, w.Body)
	}
	if w := closed.ask(http.MethodPost, "/widget/messages", ann, hi); w.Code != http.StatusUnauthorized {
		t.Errorf("a visitor of another service: %d", w.Code)
	}
	for origin, want := range map[string]int{"https://shop.example": http.StatusOK, "https://evil.example": http.StatusForbidden} {
		if w := s.ask(http.MethodPost, "/widget/visits", "", "", "Origin", origin, "Sec-Fetch-Site", "cross-site"); w.Code != want {
			t.Errorf("a visit from a page of %s: %d, want %d", origin, w.Code, want)
		}
	}
}

// An address gets a few identities, then has to wait.
func TestVisitsAreLimited(t *testing.T) {
	s := newService(t, func(o *httpapi.Options) { o.Rate = 0.001 })
	s.visitor()
	if w := s.ask(http.MethodPost, "/widget/visits", "", ""); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("the second visit at once: %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
}

func TestBadRequests(t *testing.T) {
	s := newService(t, nil)
	ann := s.visitor()
	for body, want := range map[string]string{
		`{"text": "hi"}`:                                   "message_id is missing",
		`{"message_id": "1"}`:                              "text is missing",
		`{"text": " \n", "message_id": "1"}`:               "text is missing",
		`{"text": "hi", "message_id": "1", "after": -1}`:   "0 or more",
		`{"text": "hi", "message_id": "1", "session": ""}`: "unknown_field",
		`{"text": "hi", "message_id": "1"} {}`:             "follows",
		`hi`:                                               "bad_json",
		"{\"text\": \"\xff\", \"message_id\": \"1\"}":      "bad_json",
	} {
		if w := s.ask(http.MethodPost, "/widget/messages", ann, body); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q: %d %s, want %s", body, w.Code, w.Body, want)
		}
	}
	for _, query := range []string{"?after=x", "?after=-1", "?after=1&after=2", "?before=1"} {
		if w := s.ask(http.MethodGet, "/widget/messages"+query, ann, ""); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", query, w.Code)
		}
	}
}
