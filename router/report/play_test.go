package report

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/tools"
)

// stall is a stall that sells items. Those are not redacted: the report hides them all the same.
const stall = `
version: 1
agent: {id: stall}
types:
  item: {patterns: ["\\bI-\\d+\\b"], example: I-1}
params:
  item: {type: item, prompt: "Which item?"}
  name: {type: text, prompt: "Your name?"}
intents:
  - id: price
    answer_only: true
    examples: [how much is it, tell me the price]
    plan: [{respond: ten}]
  - id: buy
    examples: [buy it, order it, get me one]
    params: {required: [item]}
    plan:
      - confirm: "Buy {item}?"
        denied: kept
      - {call: sell, with: {item: $item}}
      - respond: bought
  - id: find
    examples: [find it, search for it]
    params: {required: [item, name]}
    plan: [{call: look, with: {item: $item}}, {respond: found}]
  - id: out_of_scope
    examples: [blah blah, nonsense, what]
    answer_only: true
    plan: [{respond: pardon}]
session: {idle_ttl: 1h}
classifier: {fallback: out_of_scope}
tools: {sell: {kind: go, effect: write}, look: {kind: go, effect: read}}
responses: {ten: Ten., bought: "Bought {item}.", kept: Kept., found: Found., pardon: Pardon.}
redaction: {params: [name]}
`

var understands = routertest.Phrases{
	Words:     map[string]string{"buy": "buy", "price": "price", "find": "find", "yes": "affirm", "no": "deny", "stop": "cancel", "human": "human"},
	Otherwise: "out_of_scope", Confidence: 0.9, ItemSure: 1,
}

// said tells a classifier of fixed phrases what stops and what asks for a person.
type said struct{ routertest.Phrases }

func (s said) Classify(ctx context.Context, in classifier.Input) (message.Result, error) {
	res, err := s.Phrases.Classify(ctx, in)
	if res.Intent == "cancel" || res.Intent == "human" {
		res.Confidence, res.Exact = 1, true
	}
	return res, err
}

// play is a store with conversations on a clock of its own.
type play struct {
	t     *testing.T
	f     *routertest.Fixture
	store *inmem.Store
	now   time.Time
	fails string // code with which tools fail; "": they do not
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newPlay(t *testing.T) *play { return newPlayOf(t, stall) }

// newPlayOf plays with another agent, all of whose tools do the same.
func newPlayOf(t *testing.T, yaml string) *play {
	t.Helper()
	p := &play{t: t, store: inmem.New(nil), now: noon}
	tool := func(context.Context, tools.Call) (any, error) {
		if p.fails != "" {
			return nil, &tools.Error{Code: tools.Code(p.fails)}
		}
		return map[string]any{"ok": true}, nil
	}
	functions := routertest.Tools{}
	for name := range routertest.Agent(t, yaml).Tools {
		functions[name] = tool
	}
	p.f = routertest.NewOver(t, p.store, yaml, said{understands}, functions, &router.Options{Now: func() time.Time { return p.now }})
	return p
}

// say runs turns a minute apart. "+2h" lets time pass.
func (p *play) say(user, session string, texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if strings.HasPrefix(text, "+") {
			d, err := time.ParseDuration(text[1:])
			if err != nil {
				p.t.Fatal(err)
			}
			p.now = p.now.Add(d)
			continue
		}
		p.now = p.now.Add(time.Minute)
		in := router.Interaction{ID: fmt.Sprint(user, session, p.now), Text: text, Context: router.Context{UserID: user, SessionID: session}}
		if _, err := p.f.Router.Handle(p.t.Context(), in); err != nil {
			p.t.Fatalf("%q: %v", text, err)
		}
	}
}

func (p *play) report(q Query) *Report {
	p.t.Helper()
	if q.Now.IsZero() {
		q.Now = p.now.Add(time.Second)
	}
	if q.Since.IsZero() {
		q.Since = noon
	}
	r, err := Collect(p.t.Context(), p.f.Store, p.f.Agent, Reading{Classifier: said{understands}}, q, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		if sum := t.Done + t.Declined + t.Stopped + t.HandedOff + t.Failed + t.Abandoned + t.Open; sum != t.Begun {
			p.t.Errorf("the fates of %s add up to %d of %d", t.Intent, sum, t.Begun)
		}
	}
	return r
}

// fates describes the tasks of a report that are not zero.
func fates(r *Report) []string {
	out := []string{}
	for _, t := range r.Tasks {
		var line strings.Builder
		line.WriteString(fmt.Sprintf("%s %d:", t.Intent, t.Begun))
		for _, f := range []struct {
			name string
			n    int
		}{
			{"done", t.Done},
			{"declined", t.Declined},
			{"stopped", t.Stopped},
			{"handed off", t.HandedOff},
			{"failed", t.Failed},
			{"abandoned", t.Abandoned},
			{"open", t.Open},
		} {
			if f.n > 0 {
				line.WriteString(fmt.Sprintf(" %s %d", f.name, f.n))
			}
		}
		out = append(out, line.String())
	}
	return out
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
