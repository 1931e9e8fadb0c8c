package planner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// parcelYAML has a param that is wanted only for deliveries to an office.
const parcelYAML = `
version: 1
agent: {id: parcels}
types:
  place: {values: [{value: home}, {value: office}]}
params:
  place: {type: place, prompt: "Home or office?"}
  room: {type: text, prompt: "Which room?", when: place == "office"}
intents:
  - id: deliver
    examples: [deliver it, bring it, send it over]
    params: {required: [place, room]}
    plan:
      - confirm: "Deliver to the {place}?"
      - call: send
        with: {place: $place, room: $room}
      - respond: sent
tools:
  send: {kind: static, effect: write, result: true}
responses:
  sent: "Sent."
`

func place(v string) message.Value {
	return message.Value{Param: "place", Value: v, Text: v, End: len(v), Source: "enum", Confidence: 1}
}

// A param with `when` is asked for only where its condition holds, and its value is used
// only there: after a correction it is no argument any more.
func TestAConditionalParam(t *testing.T) {
	def, err := config.Parse("parcels.yaml", []byte(parcelYAML), "")
	if err != nil {
		t.Fatal(err)
	}
	room := Understanding{Text: "room 12", Values: []message.Value{{Param: "room", Value: "room 12", Text: "room 12", End: 7, Source: "text", Confidence: 0.4}}}
	for _, tc := range []struct {
		name    string
		turns   []Understanding
		replies []string
		args    map[string]any
	}{
		{
			"home: no room",
			[]Understanding{asks("deliver", place("home")), does("affirm")},
			[]string{"Deliver to the home?", "Sent."},
			map[string]any{"place": "home", "room": nil},
		},
		{
			"office: the room is asked for",
			[]Understanding{asks("deliver", place("office")), room, does("affirm")},
			[]string{"Which room?", "Deliver to the office?", "Sent."},
			map[string]any{"place": "office", "room": "room 12"},
		},
		{
			"office, then home after all",
			[]Understanding{asks("deliver", place("office")), room, tells(place("home")), does("affirm")},
			[]string{"Which room?", "Deliver to the office?", "OK, place is now home. Deliver to the home?", "Sent."},
			map[string]any{"place": "home", "room": nil},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t)
			b.def = def
			var args map[string]any
			b.tool = func(c ToolCall) Outcome { args = c.Args; return Outcome{Value: true} }
			for i, h := range tc.turns {
				if got := b.say(h); got != tc.replies[i] {
					t.Fatalf("turn %d: %q, want %q", i+1, got, tc.replies[i])
				}
			}
			if diff := cmp.Diff(tc.args, args); diff != "" {
				t.Errorf("arguments of the write (-want +got):\n%s", diff)
			}
		})
	}
}
