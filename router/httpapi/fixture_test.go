package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/recall"
	"github.com/slotway/slotway/memory/window"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/access"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

// desk is an agent most of whose params are redacted.
const desk = `
version: 1
agent: {id: desk, description: makes badges and finds parcels}
params:
  name: {type: text, prompt: "Your name?"}
  pin: {type: integer, prompt: "Your pin?"}
  parcel: {type: text, prompt: "Which parcel?"}
intents:
  - id: badge
    description: make a badge
    examples: [badge please, make me a badge, i need a badge]
    params: {required: [name, pin]}
    plan:
      - confirm: "A badge for {name} with pin {pin}?"
      - call: make_badge
        with: {who: $name, code: $pin}
        save: badge
      - respond: made
  - id: track
    description: find a parcel
    examples: [track my parcels, where are my parcels, find a parcel]
    params: {optional: [parcel]}
    plan:
      - call: list_parcels
        save: parcels
      - choose: parcel
        from: $parcels
        label: "{id} in {place}"
      - call: get_parcel
        with: {number: $parcel}
        save: found
      - respond: found
tools:
  make_badge: {kind: go, effect: write}
  list_parcels: {kind: go, effect: read}
  get_parcel: {kind: go, effect: read}
responses:
  made: "Here you are, {name}."
  found: "{parcel} is on its way."
redaction: {params: [name, pin, parcel]}
`

// Values of redacted params. None may stand in a masked answer.
const (
	canaryName  = `Zaphod "Canary" Beeblebrox`
	canaryPin   = "73914"
	canaryFirst = "canary-alpha"
	canaryOther = "canary-omega"
)

var canaries = []string{"Zaphod", "Beeblebrox", canaryPin, canaryFirst, canaryOther}

// understands is a classifier for the desk.
type understands struct{}

func (understands) Classify(_ context.Context, in classifier.Input) (message.Result, error) {
	res := message.Result{Intent: map[string]string{"badge please": "badge", "track my parcels": "track", "yes": "affirm", "human please": "human"}[in.Text]}
	if res.Intent != "" {
		res.Confidence, res.Exact = 0.99, true
		res.Ranking = []message.Score{{Intent: res.Intent, Confidence: 0.99}}
	}
	value := func(param string, v any, source string) {
		res.Params = []message.Value{{Param: param, Value: v, Text: in.Text, End: len(in.Text), Source: source, Confidence: 1}}
	}
	switch {
	case in.Text == canaryName:
		value("name", canaryName, "text")
	case in.Text == canaryPin:
		value("pin", 73914.0, "builtin")
	case in.Text == "the first" && in.Asked != nil && len(in.Asked.Options) > 0:
		value(in.Asked.Param, in.Asked.Options[0].Value, "option")
	}
	return res, nil
}

var deskTools = routertest.Tools{
	"make_badge": func(_ context.Context, c tools.Call) (any, error) {
		return map[string]any{"for": c.Args["who"], "code": c.Args["code"], "note": "made for " + canaryName}, nil
	},
	"list_parcels": func(context.Context, tools.Call) (any, error) {
		return []any{map[string]any{"id": canaryFirst, "place": "Oslo"}, map[string]any{"id": canaryOther, "place": "Bonn"}}, nil
	},
	"get_parcel": func(_ context.Context, c tools.Call) (any, error) {
		return map[string]any{"id": c.Args["number"], "owner": canaryName}, nil
	},
}

// telltale is a tier that tells what it should hide.
type telltale struct{}

func (telltale) Name() string { return "telltale" }

func (telltale) Contribute(_ context.Context, _ memory.Request, c *memory.Context) error {
	c.System = []memory.Message{{Role: memory.System, Text: "Be kind to " + canaryName}}
	c.Facts = []memory.Fact{
		{Key: "name", Value: canaryName, Category: memory.Entity, Origin: memory.FromSlot, Sensitive: true},
		{Key: "parcel of " + canaryName, Value: canaryOther, Category: memory.General, Origin: memory.FromTool},
	}
	c.Narrative = canaryName + " came for " + canaryFirst + ", pin " + canaryPin + "."
	c.Kept = []memory.Message{{Seq: 1, Role: memory.User, Text: "I am " + canaryName}}
	return nil
}

// fixture is the API over a real router, its store and its telemetry.
type fixture struct {
	api    *API
	store  *inmem.Store
	recent *telemetry.Recent
	as     string // who asks
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	w := &fixture{store: inmem.New(nil), recent: telemetry.NewRecent(&telemetry.RecentOptions{Followers: 4096, PerUser: 4096}), as: "ann"}
	r := routertest.NewOver(t, w.store, desk, understands{}, deskTools, &router.Options{Sink: w.recent})
	found := recall.New(w.store, nil)
	w.api = New(r, &Options{Access: scoped{}, Agent: r.Router.Agent, MaxImport: 1 << 20, Memory: &Memory{
		Store: w.store, Redactor: func() *telemetry.Redactor { return telemetry.NewRedactor(r.Agent) }, Search: found.Search,
		Context: contexts(w.store, "", window.New(window.Limits{}), found, telltale{}), Recent: w.recent,
	}})
	return w
}

// contexts assembles tiers as the program does.
func contexts(store memory.SessionStore, system string, tiers ...memory.Tier) func(context.Context, memory.Key, string) (memory.Context, error) {
	return func(ctx context.Context, key memory.Key, text string) (memory.Context, error) {
		session, err := memory.NewConversations(store, 24).ForSession(ctx, key)
		if err != nil {
			return memory.Context{}, err
		}
		asked := session.Request(text, time.Now(), 0)
		asked.Prompt = system
		return prompt.Assemble(ctx, tiers, asked, nil)
	}
}

// scoped takes a test's word for who it is and what it may do.
type scoped struct{}

func (scoped) Identify(r *http.Request) (access.Identity, error) {
	user := r.Header.Get("X-Test-User")
	if user == "" {
		return access.Identity{}, access.ErrNoCredentials
	}
	id := access.Identity{Name: user, UserID: user, Scopes: access.Scopes}
	if only := r.Header.Get("X-Test-Scopes"); only != "" {
		id.Scopes = nil
		for s := range strings.SplitSeq(only, ",") {
			id.Scopes = append(id.Scopes, access.Scope(s))
		}
	}
	return id, nil
}

// ask sends a request with a JSON body, or none, as the fixture's user.
func (w *fixture) ask(method, path, body string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("X-Test-User", w.as)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return do(w.api, r)
}

// say runs turns of a session.
func (w *fixture) say(t testing.TB, session string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		body, _ := json.Marshal(map[string]string{"message": text, "conversation_id": session})
		if res := w.ask(http.MethodPost, "/chat", string(body)); res.StatusCode != http.StatusOK {
			t.Fatalf("%q: %d %s", text, res.StatusCode, readAll(t, res))
		}
	}
}

// object reads a JSON answer with status 200.
func object(t testing.TB, res *http.Response) map[string]any {
	t.Helper()
	body := readAll(t, res)
	var v map[string]any
	if err := json.Unmarshal(body, &v); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("status %d, %v in %s", res.StatusCode, err, body)
	}
	return v
}
