package replay

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"
)

func TestFromHistory(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	name := "order_id"
	reply, err := json.Marshal(router.Reply{
		Intent: "order_status", Reply: "What's your order number?", Asked: &name, WaitingForParam: &name, Params: map[string]any{"zip": "04101"},
		Options: []planner.Suggestion{{Title: "Yes", Text: "yes"}, {Title: "No", Text: "no"}}, Unheard: []router.Unheard{{Text: "and, quickly"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	messages := []memory.Message{
		{Seq: 1, Turn: 1, Role: memory.User, Text: "where: is it?", Timestamp: at},
		{Seq: 2, Turn: 1, Role: memory.Agent, Text: "What's your order number?", Timestamp: at},
		{Seq: 3, Turn: 2, Role: memory.User, Text: "O-1", Timestamp: at.Add(90 * time.Second)},
		{Seq: 4, Turn: 2, Role: memory.Tool, Name: "find", Text: `[{"id":"O-1","count":2}]`},
		{Seq: 5, Turn: 2, Role: memory.Tool, Name: "find", Text: "timeout"},
		{Seq: 6, Turn: 2, Role: memory.Tool, Name: "large", Text: "a result of 5000 bytes"},
		{Seq: 7, Turn: 2, Role: memory.Tool, Name: "large", Text: "1"},
		{Seq: 8, Turn: 2, Role: memory.Agent, Text: "It is here.", ToolCalls: []memory.ToolCall{{Tool: "find"}, {Tool: "find"}}},
	}
	turns := []memory.Turn{{Number: 1, Intent: "order_status", Response: reply}}
	got, err := FromHistory(Heading{Name: "session s", User: "ana"}, messages, turns)
	if err != nil {
		t.Fatal(err)
	}
	const want = `conversation: session s
user: ana
start: 2026-02-03T04:05:06Z
tools:
  find:
    - result: [{count: 2, id: O-1}]
    - error: timeout
turns:
  - user: "where: is it?"
    expect:
      intent: order_status
      asked: order_id
      waiting_for_param: order_id
      confirming: null
      params: {zip: "04101"}
      calls: []
      handoff: false
      error: null
      options: ["Yes", "No"]
      unheard: ["and, quickly"]
      reply: "What's your order number?"
  - user: O-1
    after: 1m30s
    expect:
      reply: It is here.
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("replay (-want +got):\n%s", diff)
	}
	if _, err := Parse("f", got); err != nil {
		t.Error(err)
	}
	if _, err := FromHistory(Heading{}, nil, nil); err == nil {
		t.Error("an empty session was recorded")
	}
}

// Whatever was said and known, the file says it again.
func TestFlowReadsBack(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~]{0,12}`), rapid.SampledFrom([]string{
		"null", "No", "~", "1", "0x1", "1e3", "a: b", "a #b", "- a", "*a", "&a", "!a", "it's", "{a}", "a, b", "What?", "", " a", "a ", "'", "\"", "\x00", "\u0085", "\ufeff", "😀", "---", "<<",
	}))
	leaf := rapid.OneOf(
		rapid.Map(text, func(s string) any { return s }),
		rapid.Map(rapid.Float64Range(-1e15, 1e15), func(f float64) any { return f }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Just[any](nil),
	)
	value := rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(leaf, 0, 4), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(text, leaf, 0, 4), func(m map[string]any) any { return m }),
	)
	rapid.Check(t, func(t *rapid.T) {
		want := value.Draw(t, "value")
		raw := "a: " + flow(want, nil) + "\nb: [" + flow(want, nil) + ", 1]\n"
		node, problems := source.Parse("f", []byte(raw))
		if problems != nil {
			t.Fatalf("%v in %s", problems, raw)
		}
		if diff := cmp.Diff(map[string]any{"a": want, "b": []any{want, 1.0}}, node.Value()); diff != "" {
			t.Fatalf("(-want +got):\n%s in %s", diff, raw)
		}
	})
}

func TestScalarStaysReadable(t *testing.T) {
	for _, plain := range []string{"O-12345", "I want to check my order", "Done.", "it's mine"} {
		if got := scalar(plain); got != plain {
			t.Errorf("scalar(%s) = %s", plain, got)
		}
	}
	for _, quoted := range []string{"yes", "04101", "a: b", ""} {
		if got := scalar(quoted); !strings.HasPrefix(got, `"`) {
			t.Errorf("scalar(%s) = %s", quoted, got)
		}
	}
}
