package review

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
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"
)

const stall = `
version: 1
agent: {id: stall}
types:
  item: {patterns: ["\\bI-\\d+\\b"], example: I-1}
params:
  item: {type: item, scope: session, prompt: "Which item?"}
intents:
  - id: price
    examples: ["price of [I-2](item)", how much is it, tell me the price]
    params: {optional: [item]}
    plan: [{respond: price}]
  - id: order
    examples: [buy it, order it, get me one]
    params: {optional: [item]}
    plan: [{respond: bought}]
  - id: out_of_scope
    examples: [blah blah, nonsense, what]
    answer_only: true
    plan: [{respond: pardon}]
classifier: {fallback: out_of_scope}
responses: {price: Ten., bought: Bought., pardon: Pardon.}
redaction: {params: [item], patterns: [email]}
`

// phrases knows messages by their first word, and "no" at the head of a longer one.
type phrases struct{ routertest.Phrases }

func (p phrases) Classify(ctx context.Context, in classifier.Input) (message.Result, error) {
	rest, leads := strings.CutPrefix(in.Text, "no, ")
	in.Text = rest
	res, err := p.Phrases.Classify(ctx, in)
	for i := range res.Params { // the item alone, not all that follows
		v := &res.Params[i]
		v.End = v.Start + len(strings.Fields(v.Text)[0])
		v.Text = in.Text[v.Start:v.End]
		v.Value = v.Text
	}
	if leads {
		res.Lead = message.Lead{Intent: "deny", End: 4}
	}
	return res, err
}

var understands = phrases{routertest.Phrases{
	Words:     map[string]string{"price": "price", "buy": "order", "maybe": "price"},
	Otherwise: "out_of_scope", Confidence: 0.2, ItemSure: 1,
}}

// stallStore is a store with conversations, and a reader of them.
func stallStore(t *testing.T, conversations map[string][]string) (*inmem.Store, *Reader, func(session string)) {
	t.Helper()
	store := inmem.New(nil)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f := routertest.NewOver(t, store, stall, understands, routertest.Tools{}, &router.Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
	for _, session := range []string{"a", "b", "c", "d"} {
		for i, text := range conversations[session] {
			in := router.Interaction{ID: fmt.Sprint(session, i), Text: text, Context: router.Context{UserID: "ann", SessionID: session}}
			if _, err := f.Router.Handle(t.Context(), in); err != nil {
				t.Fatal(err)
			}
		}
	}
	undo := func(session string) {
		if _, err := sessions.Undo(t.Context(), store, memory.Key{UserID: "ann", AgentID: "stall", SessionID: session}, now); err != nil {
			t.Fatal(err)
		}
	}
	return store, NewReader(f.Agent, understands), undo
}

func told(items []Item) []string {
	out := []string{}
	for _, i := range items {
		out = append(out, fmt.Sprintf("%s %v %s", i.Text, i.Reasons, i.WentOn))
	}
	return out
}

// Only turns that show a mistake are found, each with what it shows.
func TestCollect(t *testing.T) {
	store, reader, undo := stallStore(t, map[string][]string{
		"a": {"grok the I-77 thing", "buy I-77"},
		"b": {"price please", "no, buy it"},
		"c": {"price now please", "buy one now"},
		"d": {"buy it", "nonsense", "price of I-9", "?!"},
	})
	undo("c")
	found, err := Collect(t.Context(), store, Query{AgentID: "stall"}, reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"buy one now [undone] ", "price please [corrected] order", "grok the {item} thing [fallback] order"}
	if diff := cmp.Diff(want, told(found.Items)); diff != "" {
		t.Errorf("items (-want +got)\n%s", diff)
	}
	if found.Sessions != 4 || found.More || found.Damaged != 0 {
		t.Errorf("%+v", found)
	}
	one, err := Collect(t.Context(), store, Query{AgentID: "stall", Sessions: []string{"b"}}, reader, nil)
	if err != nil || len(one.Items) != 1 {
		t.Errorf("of one session: %v, %v", told(one.Items), err)
	}
	if _, err := Collect(t.Context(), store, Query{AgentID: "stall", Sessions: []string{"z"}}, reader, nil); err == nil {
		t.Error("an unknown session has no error")
	}
}

// What was said to a person was not misunderstood by the agent.
func TestCollectLeavesOutWhatAPersonWasTold(t *testing.T) {
	store := inmem.New(nil)
	f := routertest.NewOver(t, store, stall, understands, routertest.Tools{}, nil)
	for i, in := range []router.Interaction{
		{Text: "price please"},
		{HandOver: &router.HandOver{Action: router.ActionTake}},
		{Text: "grok the thing"},
		{Text: "grok that thing", HandOver: &router.HandOver{Action: router.ActionAnswer}},
		{HandOver: &router.HandOver{Action: router.ActionGiveBack}},
		{Text: "wreck the thing"},
	} {
		in.ID, in.Context = fmt.Sprint(i), router.Context{UserID: "ann", SessionID: "a"}
		if _, err := f.Router.Handle(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Collect(t.Context(), store, Query{AgentID: "stall"}, NewReader(f.Agent, understands), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"wreck the thing [fallback] "}, told(found.Items)); diff != "" {
		t.Errorf("items (-want +got)\n%s", diff)
	}
}

// What holds a value and no word is no example of anything, whichever mistake it shows.
func TestCollectWords(t *testing.T) {
	store, reader, undo := stallStore(t, map[string][]string{"a": {"buy", "I-77 I-9"}, "b": {"buy", "well I-77"}})
	undo("a")
	undo("b")
	found, err := Collect(t.Context(), store, Query{AgentID: "stall"}, reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"well {item} [undone fallback] "}, told(found.Items)); diff != "" {
		t.Errorf("items (-want +got)\n%s", diff)
	}
}

// An example has a sample in place of what is redacted, by the param's name or by a pattern.
func TestExampleHoldsNoSecret(t *testing.T) {
	store, reader, _ := stallStore(t, map[string][]string{"a": {"grok I-77 for zed@zed.org today"}})
	found, err := Collect(t.Context(), store, Query{AgentID: "stall"}, reader, nil)
	if err != nil || len(found.Items) != 1 {
		t.Fatalf("%v, %v", told(found.Items), err)
	}
	e, err := reader.Example(&found.Items[0].Reading, "order")
	if err != nil || e.Text != "grok I-1 for jo@example.org today" || len(e.Spans) != 1 || e.Spans[0].Param != "item" {
		t.Errorf("%+v, %v", e, err)
	}
}

// Alike messages are one group; the largest comes first.
func TestGroup(t *testing.T) {
	item := func(session, text, wentOn string) Item {
		return Item{Key: memory.Key{SessionID: session}, WentOn: wentOn, Reasons: []Reason{Fallback}, Reading: Reading{Text: text, Ranking: []message.Score{{Intent: "price", Confidence: 0.4}}}}
	}
	groups := Group([]Item{
		item("a", "what is the weather", ""), item("a", "where is my parcel {item}", "order"), item("b", "where is my parcel, {item}?", ""), item("c", "where's my parcel {item} now", "order"),
	}, nil)
	if len(groups) != 2 || groups[0].Size != 3 || groups[0].Sessions != 3 || len(groups[0].Texts) != 2 || groups[0].Texts[0].Count != 2 {
		t.Fatalf("%+v", groups)
	}
	want := []Candidate{{Intent: "order", WentOn: 2}, {Intent: "price", Confidence: 0.4}}
	if diff := cmp.Diff(want, groups[0].Candidates, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })); diff != "" {
		t.Errorf("candidates (-want +got)\n%s", diff)
	}
}
