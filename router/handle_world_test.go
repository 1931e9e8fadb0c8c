package router_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/router/telemetry/telemetrytest"
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

// understood is a classifier for these tests: stock phrases, and anything that begins
// with "I-" is an item.
type understood struct{}

func (understood) Classify(_ context.Context, in classifier.Input) (classifier.Result, error) {
	res := classifier.Result{Intent: "count", Confidence: 0.1}
	switch {
	case in.Text == "panic":
		panic("a secret of " + in.Text)
	case in.Text == "yes":
		res = classifier.Result{Intent: "affirm", Confidence: 1, Exact: true}
	case in.Text == "count":
		res = classifier.Result{Intent: "count", Confidence: 0.9}
	case in.Text == "brief":
		res = classifier.Result{Intent: "brief", Confidence: 0.9}
	case in.Text == "talk":
		res = classifier.Result{Intent: "chat", Confidence: 0.9}
	case strings.HasPrefix(in.Text, "find"):
		res = classifier.Result{Intent: "look_up", Confidence: 0.9}
	case strings.HasPrefix(in.Text, "buy"):
		res = classifier.Result{Intent: "order", Confidence: 0.9}
	}
	if i := strings.Index(in.Text, "I-"); i >= 0 {
		res.Params = []classifier.Value{{Param: "item", Value: in.Text[i:], Text: in.Text[i:], Start: i, End: len(in.Text), Source: "pattern"}}
	}
	res.Ranking = []classifier.Score{{Intent: res.Intent, Confidence: res.Confidence}}
	return res, nil
}

// world is a router with everything around it under the test's control.
type world struct {
	*router.Router
	store *faulty
	log   *telemetry.Recorder
	model *echo
	mu    sync.Mutex // guards buys and keys
	buys  int
	keys  map[string]bool
	fail  error // of the next buy
}

// faulty is a store whose next commit can be made to fail.
type faulty struct {
	memory.Backend
	mu     sync.Mutex // guards before
	before func(*memory.Delta) error
}

func (f *faulty) Commit(ctx context.Context, d *memory.Delta) error {
	f.mu.Lock()
	hook := f.before
	f.before = nil
	f.mu.Unlock()
	if hook != nil {
		if err := hook(d); err != nil {
			return err
		}
	}
	return f.Backend.Commit(ctx, d)
}

func newWorld(t *testing.T, idempotent bool) *world {
	t.Helper()
	def, err := config.Parse("test.yaml", fmt.Appendf(nil, agentYAML, idempotent), "")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{store: &faulty{Backend: inmem.New(nil)}, log: &telemetry.Recorder{}, model: &echo{}, keys: map[string]bool{}}
	registry := tools.New(nil)
	register := func(name string, f func(context.Context, tools.Call) (any, error)) {
		if err := registry.Register(def.Tools[name], goFunc(f)); err != nil {
			t.Fatal(err)
		}
	}
	register("find", func(_ context.Context, c tools.Call) (any, error) { return c.Args["item"], nil })
	register("buy", w.buy)
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	w.Router = router.New(def, understood{}, memory.NewConversations(w.store, 20), registry,
		&router.Options{Sink: telemetrytest.Checked(t, w.log), Generator: w.model, Now: func() time.Time { return now }, Digests: memory.NewDigests([]byte("key"))})
	return w
}

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
func (w *world) buy(_ context.Context, c tools.Call) (any, error) {
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

func (w *world) say(t *testing.T, id, text string) router.Reply {
	t.Helper()
	reply, err := w.Handle(t.Context(), router.Interaction{ID: id, Text: text, Context: router.Context{SessionID: "s"}})
	if err != nil {
		t.Fatalf("Handle(%q): %v", text, err)
	}
	return reply
}
