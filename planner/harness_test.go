package planner

import (
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// shopYAML is a small agent with every rule in it that these tests are about.
const shopYAML = `
version: 1
agent: {id: test}
types:
  order_id: {patterns: ["\\bO-\\d+\\b"], bare: "\\d+", example: O-1}
params:
  order_id:
    type: order_id
    scope: session
    prompt: Which order?
    reprompt: ["I need an order like O-1.", "Just the number, please."]
    help: It is on your receipt.
    validation: {tool: exists, invalid: "No order {order_id}."}
  email: {type: email, scope: session, prompt: "Which email?"}
intents:
  - id: status
    examples: [where is my order, track it, order state]
    params: {one_of: [[order_id], [email]]}
    plan:
      - call: find
        with: {order_id: $order_id, email: $email}
        save: orders
      - choose: order_id
        from: $orders
        label: "{id}"
        when: len(orders) > 1
      - respond: status
  - id: call_off
    examples: [cancel my order, stop the order, call it off]
    params:
      required: [order_id]
      optional:
        - {name: note, type: text, prompt: "Any note?", ask: true, skippable: true}
    plan:
      - call: get
        with: {order_id: $order_id}
        save: order
        on_error:
          not_found: {respond: gone, forget: [order_id]}
      - when: order.state != "open"
        respond: too_late
        end: true
      - confirm: "Cancel {order_id}?"
        denied: kept
      - call: drop
        with: {order_id: $order_id, note: $note}
      - respond: dropped
  - id: price
    answer_only: true
    examples: [how much is it, what does it cost, price]
    plan: [{respond: price}]
tools:
  exists: {kind: static, effect: read, result: true}
  find: {kind: static, effect: read, result: []}
  get: {kind: static, effect: read, result: {}}
  drop: {kind: static, effect: write, result: true}
responses:
  status: "{orders.0.id} is {orders.0.state}."
  gone: "Order {order_id} is gone."
  too_late: "Too late."
  kept: "Kept."
  dropped: "Dropped {order_id}."
  price: "It is free."
`

func testAgent(t testing.TB) *config.Agent {
	t.Helper()
	def, err := config.Parse("test.yaml", []byte(shopYAML), "")
	if err != nil {
		t.Fatalf("parse the test agent: %v", err)
	}
	return def
}

// bench drives a conversation without a router: tools answer from a function, and the
// state goes through its stored form after each turn.
type bench struct {
	t     testing.TB
	def   *config.Agent
	st    *Turn
	tool  func(ToolCall) Outcome
	reads func(param, text string) bool
	now   time.Time
	turn  int64
	calls []string // every call of the last turn, by tool
	reset bool
}

func newBench(t testing.TB) *bench {
	return &bench{
		t: t, def: testAgent(t), st: &Turn{State: New()}, now: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC),
		tool: func(c ToolCall) Outcome {
			switch c.Tool {
			case "get":
				return Outcome{Value: map[string]any{"state": "open"}}
			case "find":
				return Outcome{Value: []any{map[string]any{"id": c.Args["order_id"], "state": "open"}}}
			}
			return Outcome{Value: true}
		},
	}
}

// say runs one turn and returns its reply.
func (b *bench) say(h Understanding) string {
	b.t.Helper()
	b.turn++
	b.now = b.now.Add(time.Second)
	last := b.now.Add(-time.Second)
	b.begin(TurnInput{Number: b.turn, Now: b.now, Since: last, CanRead: b.reads})
	b.st.Interpret(h)
	return b.run()
}

// begin opens a turn on the state that the last one left.
func (b *bench) begin(o TurnInput) {
	b.t.Helper()
	var err error
	if b.st, err = Begin(b.def, b.st.State, o); err != nil {
		b.t.Fatalf("begin: %v", err)
	}
}

func (b *bench) run() string {
	b.t.Helper()
	b.calls = nil
	var said []string
	var out Outcome // of the last call
	for step := 0; ; step++ {
		if step > 40 {
			b.t.Fatalf("no rest after 40 steps: %q", said)
		}
		switch s := b.st.Next(out).(type) {
		case ToolCall:
			b.calls = append(b.calls, s.Tool)
			out = b.tool(s)
		case AskUser:
			said = append(said, s.Prompt)
		case Choose:
			said = append(said, s.Prompt)
		case Confirm:
			said = append(said, s.Prompt)
		case Offer:
			said = append(said, s.Prompt)
		case Respond:
			said = append(said, s.Text)
		case Handoff:
			said = append(said, s.Text)
		case End:
			if !s.Ends {
				b.store()
				return strings.Join(said, " ")
			}
		}
	}
}

// store takes the state through its stored form, as a turn's commit does.
func (b *bench) store() {
	b.t.Helper()
	b.reset, b.st.Reset = b.st.Reset, false
	plan, err := b.st.Save()
	if err != nil {
		b.t.Fatalf("save: %v", err)
	}
	loaded, err := Load(plan, b.st.Params())
	if err != nil {
		b.t.Fatalf("load: %v", err)
	}
	b.st = &Turn{State: loaded}
}

// asks is a message for an intent, with values for params.
func asks(intent string, values ...message.Value) Understanding {
	return Understanding{Text: intent, Intent: intent, Confidence: 0.95, Ranking: []message.Score{{Intent: intent, Confidence: 0.95}}, Values: values}
}

// tells is a message that brings values and no intent of its own.
func tells(values ...message.Value) Understanding {
	return Understanding{Text: "x", Intent: "price", Confidence: 0.1, Values: values}
}

// does is a system intent by itself.
func does(intent string) Understanding {
	return Understanding{Text: intent, Intent: intent, Confidence: 1, Exact: true}
}

func order(id string) message.Value {
	return message.Value{Param: "order_id", Value: id, Text: id, End: len(id), Source: "pattern", Confidence: 1}
}
