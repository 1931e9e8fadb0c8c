package router

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

const hiding = `
version: 1
agent: {id: a}
params:
  name: {type: text, prompt: "?"}
  city: {type: text, prompt: "?"}
intents:
  - id: x
    examples: [one, two, three]
    params: {required: [name, city]}
    plan: [{respond: done}]
responses: {done: "Done."}
redaction: {params: [name], patterns: [email], mask: "<{name}>"}
`

func TestMaskedReply(t *testing.T) {
	def, err := config.Parse("a.yaml", []byte(hiding), "")
	if err != nil {
		t.Fatal(err)
	}
	plain := Reply{
		Reply: "Ford or Arthur, Zaphod? Not Marvin.", Params: map[string]any{"name": "Zaphod", "city": "Bonn"},
		Options: []planner.Suggestion{
			{Title: "Ford, in Bonn", Text: "Ford", Param: "name"},
			{Title: "Arthur", Text: "Arthur", Param: "name"},
			{Title: "Skip", Text: "skip"},
		},
		Unheard: []Unheard{{Text: "Marvin", Param: "name"}, {Text: "tell a@example.org and Zaphod", Told: true}},
	}
	before, _ := json.Marshal(plain)
	got := plain.Masked(telemetry.NewRedactor(def))
	want := Reply{
		Reply: "<name> or <name>, <name>? Not <name>.", Params: map[string]any{"name": "<name>", "city": "Bonn"},
		Options: []planner.Suggestion{
			{Title: "<name>, in Bonn", Text: "<name>", Param: "name"},
			{Title: "<name>", Text: "<name>", Param: "name"},
			{Title: "Skip", Text: "skip"},
		},
		Unheard: []Unheard{{Text: "<name>", Param: "name"}, {Text: "tell <email> and <name>", Told: true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Masked (-want +got):\n%s", diff)
	}
	if after, _ := json.Marshal(plain); string(after) != string(before) {
		t.Errorf("the reply itself became %s", after)
	}
	empty := (&Reply{}).Masked(telemetry.NewRedactor(def))
	if text, _ := json.Marshal(empty); strings.Contains(string(text), "options") || strings.Contains(string(text), "unheard") {
		t.Errorf("a reply without them has them: %s", text)
	}
}

// TestAnAccountIsToldWithoutItsTexts holds what telemetry gets to know of a reading.
func TestAnAccountIsToldWithoutItsTexts(t *testing.T) {
	how := planner.Interpretation{
		Chosen:    []planner.ScoredReading{{Rule: "answer", Intent: "x", Score: 0.5, Evidence: 0.75, Share: 0.25, Spans: [][2]int{{0, 4}}}},
		RunnersUp: []planner.ScoredReading{{Rule: "task"}, {Rule: "yes"}},
		Unheard:   []planner.Leftover{{Start: 5, End: 11, Kind: "value", Param: "name", Text: "Zaphod", Told: true}},
	}
	got := describe(message.Result{Intent: "x", Confidence: 0.9}, how)
	want := []telemetry.Reading{{Rule: "answer", Intent: "x", Score: 0.5, Evidence: 0.75, Share: 0.25, Spans: []telemetry.Span{{Start: 0, End: 4}}}}
	if diff := cmp.Diff(want, got.Chosen); diff != "" {
		t.Errorf("chosen (-want +got):\n%s", diff)
	}
	if len(got.RunnersUp) != 2 || got.RunnersUp[1].Rule != "yes" || got.Unheard != 1 {
		t.Errorf("runners-up %v, unheard %d", got.RunnersUp, got.Unheard)
	}
	line := telemetry.AppendLine(nil, telemetry.Event{Stage: telemetry.StageClassify, Payload: got})
	if strings.Contains(string(line), "Zaphod") {
		t.Errorf("telemetry tells what was left over: %s", line)
	}
}

// What is left out of a stored reply comes back: from its turn, or as what is empty.
func TestStoredReply(t *testing.T) {
	name := "order_id"
	for _, want := range []Reply{
		{Params: map[string]any{}, ToolCalls: []ToolReport{}},
		{
			Intent: "order_status", Confidence: 0.25, Reply: "Which one?", Asked: &name, WaitingForParam: &name, Confirming: &name, Handoff: true, Error: &name,
			Params: map[string]any{"zip": "04101"}, ToolCalls: []ToolReport{{Tool: "find", Status: "ok"}}, Action: "take",
			Options: []planner.Suggestion{{Title: "Yes", Text: "yes"}}, Unheard: []Unheard{{Text: "and, quickly"}}, Model: "m", Provider: "p",
		},
	} {
		want.SessionID, want.Turn = "s", 7
		stored, err := json.Marshal(storedReply(want))
		if err != nil {
			t.Fatal(err)
		}
		got, err := StoredReply("s", &memory.Turn{Number: 7, Intent: want.Intent, Response: stored})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", stored, diff)
		}
	}
	if _, err := StoredReply("s", &memory.Turn{}); !errors.Is(err, memory.ErrCorrupt) {
		t.Errorf("a reply that is not kept: %v", err)
	}
}
