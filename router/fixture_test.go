package router_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/internal/test/telemetrytest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

const agentYAML = `
version: 1
agent: {id: test}
types:
  item: {patterns: ["\\bI-\\d+\\b"], example: I-1}
params:
  item: {type: item, scope: session, prompt: "Which item?"}
intents:
  - id: look_up
    examples: [look it up, find it, where is it]
    params: {required: [item]}
    plan:
      - call: find
        with: {item: $item}
        save: found
      - respond: found
  - id: order
    examples: [buy it, order it, get me one]
    params: {required: [item]}
    plan:
      - confirm: "Order {item}?"
      - call: buy
        with: {item: $item}
      - respond: bought
  - id: chat
    examples: [tell me something, say anything, talk]
    answer_only: true
    plan:
      - generate: "Talk about {item}."
        else: nothing
  - id: brief
    examples: [brief me, a briefing, what is new]
    answer_only: true
    plan:
      - respond: first
      - generate: "One about {item}."
        else: nothing
      - generate: "Two."
        else: nothing
  - id: count
    examples: [count, count up, keep counting]
    plan:
      - {call: find, id: a, with: {item: x}}
      - {call: find, id: b, with: {item: x}}
      - {call: find, id: c, with: {item: x}}
      - {call: find, id: d, with: {item: x}, save: found}
      - respond: found
policy: {max_steps: 4}
tools:
  find: {kind: go, effect: read, retries: 0}
  buy: {kind: go, effect: write, idempotent: %v}
responses:
  found: "Found: {found}."
  bought: "Bought {item}."
  nothing: "I have nothing to say."
  first: Listen.
redaction: {params: [item]}
`

// phrases is the classifier of these tests.
type phrases struct{ routertest.Phrases }

var understood = phrases{routertest.Phrases{
	Words:     map[string]string{"yes": "affirm", "count": "count", "brief": "brief", "talk": "chat", "find": "look_up", "buy": "order"},
	Otherwise: "count", Confidence: 0.1,
}}

// Classify panics where the message says so.
func (p phrases) Classify(ctx context.Context, in classifier.Input) (message.Result, error) {
	if in.Text == "panic" {
		panic("a secret of " + in.Text)
	}
	return p.Phrases.Classify(ctx, in)
}

// fixture is a router over the test agent, with what its tools and its model saw.
type fixture struct {
	*routertest.Fixture
	log   *telemetry.Recorder
	model *echo
	mu    sync.Mutex // guards buys and keys
	buys  int
	keys  map[string]bool
	fail  error // of the next buy
}

func newFixture(t *testing.T, idempotent bool) *fixture {
	t.Helper()
	return newFixtureOf(t, fmt.Sprintf(agentYAML, idempotent))
}

func newFixtureOf(t *testing.T, yaml string) *fixture {
	t.Helper()
	w := &fixture{log: &telemetry.Recorder{}, model: &echo{}, keys: map[string]bool{}}
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	w.Fixture = routertest.New(t, yaml, understood, routertest.Tools{"find": find, "buy": w.buy}, &router.Options{
		Sink: telemetrytest.Checked(t, w.log), Generator: w.model, Now: func() time.Time { return now }, Digests: memory.NewDigests([]byte("key")),
	})
	return w
}

// find returns the item that it is asked for.
func find(_ context.Context, c tools.Call) (any, error) { return c.Args["item"], nil }

// echo is a model server that notes what it is sent and answers with the instruction.
type echo struct {
	seen strings.Builder
	fail error
}

func (e *echo) Generate(_ context.Context, prompt []memory.Message) (string, error) {
	for _, m := range prompt {
		e.seen.WriteString(m.Text)
	}
	return "You said: " + prompt[0].Text, e.fail
}

// buy acts once for each key, as an idempotent tool does.
func (w *fixture) buy(_ context.Context, c tools.Call) (any, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c.IdempotencyKey == "" || w.keys[c.IdempotencyKey] {
		return "already", nil
	}
	if w.fail != nil {
		err := w.fail
		w.fail = nil
		return nil, err
	}
	w.keys[c.IdempotencyKey] = true
	w.buys++
	return "ok", nil
}

func (w *fixture) say(t *testing.T, id, text string) router.Reply {
	t.Helper()
	reply, err := w.Handle(t.Context(), router.Interaction{ID: id, Text: text, Context: router.Context{SessionID: "s"}})
	if err != nil {
		t.Fatalf("Handle(%q): %v", text, err)
	}
	return reply
}
