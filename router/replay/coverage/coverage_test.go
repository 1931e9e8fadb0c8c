package coverage

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// room has a question, a condition, a confirmation and a call that may fail.
const room = `
version: 1
agent: {id: rooms}
params:
  day: {type: date, prompt: "Which day?"}
  note: {type: text}
intents:
  - id: book
    examples: [book a room, i need a room, reserve a room]
    params: {required: [day], optional: [note]}
    plan:
      - id: sure
        confirm: "A room on {day}?"
        denied: kept
      - id: write
        call: book
        on_error:
          conflict: {respond: taken, end: true}
      - id: thank
        when: note != nil
        respond: noted
not_served:
  - name: parking
    examples: [book a parking space, i need a garage, where can i park]
    response: There is no garage.
tools:
  book: {kind: http, effect: write, method: POST, url: "https://example.com/rooms"}
responses:
  kept: All right.
  taken: It is taken.
  noted: Noted.
`

func rooms(t *testing.T) *config.Agent {
	t.Helper()
	a, err := config.Parse("rooms.yaml", []byte(room), "")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestNothingIsReached(t *testing.T) {
	r := New().Report(rooms(t))
	want := []Count{{Intents, 0, 2}, {Params, 0, 3}, {Steps, 0, 3}, {Branches, 0, 5}, {Responses, 0, 4}}
	if diff := cmp.Diff(want, r.Kinds); diff != "" || r.Percent != 0 {
		t.Errorf("%v %% (-want +got):\n%s", r.Percent, diff)
	}
}

func TestReachedParts(t *testing.T) {
	c := New()
	for _, p := range []planner.Passage{
		{Intent: "book"},
		{Intent: "book", Param: "day", Asked: true},
		{Intent: "book", Param: "day"},
		{Intent: "book", Step: "sure"},
		{Intent: "book", Step: "sure", Way: planner.WayYes},
		{Intent: "book", Step: "write"},
		{Intent: "book", Step: "write", Way: "conflict"},
	} {
		c.Pass(p)
	}
	c.Record(telemetry.Event{Payload: telemetry.Respond{Response: []string{"taken"}}})
	c.Record(telemetry.Event{Payload: telemetry.Classify{Intent: "not_served.parking"}})
	r := c.Report(rooms(t))
	var missed []string
	for _, i := range r.Missed() {
		missed = append(missed, i.Name)
	}
	want := []string{
		"book: note is given", "book: thank", "book: sure, denied", "book: thank, if note != nil", "book: thank, if not note != nil", "not_served.parking", "kept", "noted",
	}
	if diff := cmp.Diff(want, missed); diff != "" {
		t.Errorf("missed (-want +got):\n%s", diff)
	}
	if got := r.Intent("book"); got.Reached != 7 || got.All != 12 {
		t.Errorf("intent book: %+v", got)
	}
	for _, n := range []struct {
		step, param, part string
		want              bool
	}{
		{"", "", "", true},
		{"", "day", "", true},
		{"", "note", "", false},
		{"sure", "", "", true},
		{"sure", "", "denied", false},
		{"write", "", "conflict", true},
		{"thank", "", "if", false},
		{"thank", "", "", false},
	} {
		if got := r.Reached("book", n.step, n.param, n.part); got != n.want {
			t.Errorf("Reached(%q, %q, %q) = %v", n.step, n.param, n.part, got)
		}
	}
}

// A share is rounded down, so that 100 % means that nothing is missing.
func TestWriteText(t *testing.T) {
	r := &Report{Agent: "a", Kinds: []Count{{Intents, 199, 200}, {Steps, 0, 0}}, Items: []Item{{Kind: Steps, Name: "i: s", File: "f.yaml", Line: 3}}}
	var b bytes.Buffer
	if err := WriteText(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"intents  199 of 200   99 %", "steps      0 of 0  100 %", "no conversation reaches these steps:\n  f.yaml:3: i: s\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in:\n%s", want, b.String())
		}
	}
}
