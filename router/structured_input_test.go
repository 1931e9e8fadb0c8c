package router_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/internal/test/routertest"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
	"github.com/slotway/slotway/tools"
)

const deskYAML = `
version: 1
agent: {id: desk}
types:
  item: {patterns: ["\\bI-\\d+\\b"], example: I-1}
  size: {values: [small, large]}
params:
  item: {type: item, scope: session, prompt: "Which item?"}
  mail: {type: text, scope: session, prompt: "Which mail?"}
intents:
  - id: look_up
    description: look an item up
    examples: [look it up, find it, where is it]
    params: {required: [item]}
    plan:
      - {call: find, with: {item: $item}, save: found}
      - respond: found
  - id: order
    description: order an item
    examples: [buy it, order it, get me one]
    params:
      required:
        - item
        - {name: count, type: integer, prompt: "How many?", validation: {min: 1, max: 9, invalid: "One to nine, please."}}
      optional:
        - {name: sizes, type: size, list: true}
        - {name: gift, type: boolean}
        - {name: code, type: text, param_mapping: [{from: tool, key: found}]}
    plan:
      - confirm: "Order {count} {item}?"
      - {call: buy, with: {item: $item, count: $count, sizes: $sizes, gift: $gift, code: $code}}
      - respond: bought
  - id: mail_it
    examples: [mail it, send a mail, write to me]
    params: {required: [mail]}
    plan: [{respond: mailed}]
tools:
  find: {kind: go, effect: read, retries: 0}
  buy: {kind: go, effect: write}
responses:
  found: "Found {found}."
  bought: "Bought {count} {item}."
  mailed: "Mailed."
redaction: {params: [mail], mask: "<{name}>"}
`

// desk is a router whose classifier must not be asked.
type desk struct {
	*routertest.Fixture
	t      *testing.T
	log    *telemetry.Recorder
	bought []map[string]any
	n      int
}

type unasked struct{ t *testing.T }

func (u unasked) Classify(_ context.Context, in classifier.Input) (message.Result, error) {
	if in.Text == "yes" {
		return message.Result{Intent: "affirm", Confidence: 1, Exact: true}, nil
	}
	u.t.Error("the classifier is asked what a program means")
	return message.Result{}, nil
}

func (unasked) Read(param, text string, _ time.Time) (any, bool) {
	switch param {
	case "item":
		return text, strings.HasPrefix(text, "I-")
	case "sizes":
		return text, text == "small" || text == "large"
	case "count":
		return 2.0, text == "two"
	}
	return text, true
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, log: &telemetry.Recorder{}}
	d.Fixture = routertest.New(t, deskYAML, unasked{t}, routertest.Tools{
		"find": find,
		"buy": func(_ context.Context, c tools.Call) (any, error) {
			d.bought = append(d.bought, c.Args)
			return true, nil
		},
	}, &router.Options{Sink: d.log})
	return d
}

type values = map[string]any

func (d *desk) means(intent string, params values) router.Reply {
	d.t.Helper()
	d.n++
	return d.handle(router.Interaction{ID: fmt.Sprint(d.n), Structured: &router.StructuredInput{Intent: intent, Params: params}})
}

func (d *desk) handle(in router.Interaction) router.Reply {
	d.t.Helper()
	in.Context = router.Context{SessionID: "s"}
	reply, err := d.Handle(d.t.Context(), in)
	if err != nil {
		d.t.Fatalf("Handle: %v", err)
	}
	return reply
}

func (d *desk) said() []string {
	d.t.Helper()
	page, err := d.Store.Messages(d.t.Context(), memory.Key{UserID: "local", AgentID: "desk", SessionID: "s"}, memory.Page{Limit: 100})
	if err != nil {
		d.t.Fatal(err)
	}
	var out []string
	for _, m := range page {
		if m.Role == memory.User {
			out = append(out, m.Text)
		}
	}
	return out
}

func TestStructuredInputRunsATask(t *testing.T) {
	d := newDesk(t)
	reply := d.means("look_up", values{"item": "I-7"})
	if reply.Reply != "Found I-7." || reply.Intent != "look_up" || reply.Confidence != 1 {
		t.Errorf("reply %+v", reply)
	}
	if diff := cmp.Diff([]string{"look an item up (item: I-7)"}, d.said()); diff != "" {
		t.Errorf("what history tells (-want +got):\n%s", diff)
	}
	for _, e := range d.log.Events() {
		if c, ok := e.Payload.(telemetry.Classify); ok {
			if c.Tier != "given" || !c.Exact || len(c.Params) != 1 || c.Params[0].Source != "given" {
				t.Errorf("classify event %+v", c)
			}
			return
		}
	}
	t.Error("no classify event")
}

// A write asks, whatever the program says at once; the yes comes as a later interaction.
func TestStructuredInputConfirmsNothing(t *testing.T) {
	d := newDesk(t)
	reply := d.means("order", values{"item": "I-7", "count": 2.0, "sizes": []any{"small", "large"}, "gift": true})
	if reply.Reply != "Order 2 I-7?" || reply.Confirming == nil || len(d.bought) != 0 {
		t.Fatalf("reply %q, %d purchases; want a question", reply.Reply, len(d.bought))
	}
	if reply = d.means("order", values{"count": 3}); reply.Confirming == nil || !strings.Contains(reply.Reply, "Order 3 I-7?") {
		t.Fatalf("after a correction: %q, want the question anew", reply.Reply)
	}
	if reply = d.means("affirm", nil); reply.Reply != "Bought 3 I-7." {
		t.Fatalf("after the yes: %q", reply.Reply)
	}
	want := []map[string]any{{"item": "I-7", "count": 3.0, "sizes": []any{"small", "large"}, "gift": true, "code": nil}}
	if diff := cmp.Diff(want, d.bought); diff != "" {
		t.Errorf("purchases (-want +got):\n%s", diff)
	}
	if reply = d.means("order", values{"count": 1}); reply.Confirming == nil {
		t.Errorf("the same task again: %q, want a question", reply.Reply)
	}
	if reply = d.means("deny", nil); len(d.bought) != 1 {
		t.Errorf("after a no: %q, %d purchases", reply.Reply, len(d.bought))
	}
}

func TestStructuredInputAnswersWhatIsAsked(t *testing.T) {
	d := newDesk(t)
	if reply := d.means("order", nil); reply.Asked == nil || *reply.Asked != "item" {
		t.Fatalf("reply %+v, want the item asked for", reply)
	}
	if reply := d.means("", values{"item": "I-3"}); reply.Asked == nil || *reply.Asked != "count" {
		t.Fatalf("reply %+v, want the count asked for", reply)
	}
	if reply := d.means("", values{"count": "two"}); reply.Reply != "Order 2 I-3?" {
		t.Fatalf("reply %q, want the confirmation", reply.Reply)
	}
	// Another task comes in between, with a value of its own for what is known already.
	if reply := d.means("look_up", values{"item": "I-9"}); !strings.HasPrefix(reply.Reply, "Found I-9.") {
		t.Errorf("reply %q, want the look-up", reply.Reply)
	}
	if diff := cmp.Diff([]string{"order an item", "item: I-3", "count: 2", "look an item up (item: I-9)"}, d.said()); diff != "" {
		t.Errorf("what history tells (-want +got):\n%s", diff)
	}
}

func TestStructuredInputThatCannotBeRead(t *testing.T) {
	for name, tc := range map[string]struct {
		params values
		asked  string
		reply  string
	}{
		"a text of another form":      {values{"item": "seven"}, "item", "I can't read that as the item. It looks like I-1. Which item?"},
		"a map":                       {values{"item": values{"id": "I-1"}}, "item", "I can't read that as the item. It looks like I-1. Which item?"},
		"a list for one":              {values{"item": []any{"I-1", "I-2"}}, "item", "I can't read that as the item. It looks like I-1. Which item?"},
		"a fraction of a whole":       {values{"item": "I-1", "count": 1.5}, "count", "One to nine, please. How many?"},
		"out of its range":            {values{"item": "I-1", "count": 99}, "count", "One to nine, please. How many?"},
		"a truth for a number":        {values{"item": "I-1", "count": true}, "count", "One to nine, please. How many?"},
		"too long":                    {values{"item": strings.Repeat("I-1 ", 3000)}, "item", "I can't read that as the item. It looks like I-1. Which item?"},
		"not UTF-8":                   {values{"item": "I-\xff"}, "item", "I can't read that as the item. It looks like I-1. Which item?"},
		"null is not given":           {values{"item": nil}, "item", "Which item?"},
		"an optional one of a set":    {values{"item": "I-1", "sizes": []any{"small", "huge"}}, "count", "I can't read that as the sizes. How many?"},
		"one that words may not fill": {values{"item": "I-1", "count": 1, "code": "free"}, "", "Order 1 I-1?"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			reply := d.means("order", tc.params)
			asked := ""
			if reply.Asked != nil {
				asked = *reply.Asked
			}
			if asked != tc.asked || reply.Reply != tc.reply {
				t.Errorf("asked %q, reply %q\nwant  %q, reply %q", asked, reply.Reply, tc.asked, tc.reply)
			}
			if reply.Params["code"] != nil {
				t.Error("a param that only a tool may fill is filled")
			}
		})
	}
}

func TestStructuredInputIsRefused(t *testing.T) {
	const secret = "my secret is 4711"
	for name, m := range map[string]router.StructuredInput{
		"nothing":                 {},
		"no such intent":          {Intent: "nope"},
		"a sentence for a name":   {Intent: secret},
		"no such param":           {Intent: "order", Params: values{"colour": "red"}},
		"another intent's param":  {Intent: "look_up", Params: values{"count": 1}},
		"no such param to answer": {Params: values{secret: secret}},
		"a yes with values":       {Intent: "affirm", Params: values{"item": "I-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			_, err := d.Handle(t.Context(), router.Interaction{Structured: &m, Context: router.Context{SessionID: "s"}})
			if !errors.Is(err, router.ErrBadInteraction) {
				t.Fatalf("error %v, want ErrBadInteraction", err)
			}
			if strings.Contains(err.Error(), "4711") {
				t.Errorf("the error says %q", err)
			}
		})
	}
	d := newDesk(t)
	if _, err := d.Handle(t.Context(), router.Interaction{Text: "yes", Structured: &router.StructuredInput{Intent: "affirm"}}); !errors.Is(err, router.ErrBadInteraction) {
		t.Errorf("a text and a meaning: %v, want ErrBadInteraction", err)
	}
}

func TestStructuredInputTwiceRunsOnce(t *testing.T) {
	d := newDesk(t)
	d.means("order", values{"item": "I-7", "count": 2})
	yes := router.Interaction{ID: "yes", Structured: &router.StructuredInput{Intent: "affirm"}}
	first, again := d.handle(yes), d.handle(yes)
	if diff := cmp.Diff(first, again); diff != "" || len(d.bought) != 1 {
		t.Errorf("%d purchases, replies differ (-first +second):\n%s", len(d.bought), diff)
	}
}

// A redacted value stands in history by its mask from the start.
func TestStructuredInputHidesRedactedValues(t *testing.T) {
	d := newDesk(t)
	if reply := d.means("mail_it", values{"mail": "ann at home"}); reply.Params["mail"] != "ann at home" {
		t.Errorf("params %v", reply.Params)
	}
	if diff := cmp.Diff([]string{"mail it (mail: <mail>)"}, d.said()); diff != "" {
		t.Errorf("what history tells (-want +got):\n%s", diff)
	}
}
