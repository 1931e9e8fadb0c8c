package conversation

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// offering is an agent that asks each kind of question with suggestions.
const offering = `
version: 1
agent: {id: offering%s}
types:
  size: {values: [small, {value: very large, synonyms: [huge]}, "no. 7"]}
params:
  size: {type: size, prompt: "Which size?"}
  gift: {type: boolean, prompt: "Is it a gift?"}
  colour: {type: size, prompt: "And the box?", skippable: true}
  parcel: {type: text, label: parcel}
intents:
  - id: order
    description: order a shirt
    examples: [order a shirt, i want to order a shirt, a shirt please, buy a new shirt]
    params: {required: [size, gift, colour]}
    plan:
      - confirm: "Order it?"
        denied: kept
      - call: buy
      - respond: done
  - id: parcels
    description: find a parcel
    examples: [find my parcels, which parcels do i have, list my parcels, where are my parcels]
    params: {optional: [parcel]}
    plan:
      - call: list_parcels
        save: parcels
      - choose: parcel
        from: $parcels
        label: "{parcel}, from {place}"
      - respond: found
tools:
  buy: {kind: static, effect: write, result: true}
  list_parcels: {kind: static, effect: read, result: [{parcel: P-71, place: Rome}, {parcel: P-72, place: Oslo}, {parcel: "9", place: Rome}]}
responses: {done: Done., kept: Kept., found: "It is {parcel}."}
%s
`

// TestWhatIsOfferedIsUnderstood: each suggestion answers its question.
func TestWhatIsOfferedIsUnderstood(t *testing.T) {
	dir := t.TempDir()
	write := func(name, about, system string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, fmt.Appendf(nil, offering, about, system), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	english := write("en.yaml", "", "")
	german := write("de.yaml", ", language: de", "system: {affirm: {examples: [ja, jawohl]}, deny: {examples: [nein]}, skip: {examples: [weiter]}}")
	for _, test := range []struct {
		name, agent string
		lead        []string
		want        []string // titles
	}{
		{"an enumeration", english, []string{"order a shirt"}, []string{"small", "very large", "no. 7"}},
		{"yes or no", english, []string{"order a shirt", "small"}, []string{"Yes", "No"}},
		{"one that may be skipped", english, []string{"order a shirt", "small", "no"}, []string{"small", "very large", "no. 7", "Skip"}},
		{"yes or no in another language", german, []string{"order a shirt", "small"}, []string{"Ja", "Nein"}},
		{"a confirmation in another language", german, []string{"order a shirt", "small", "no", "very large"}, []string{"Ja", "Nein"}},
		{"a confirmation", english, []string{"order a shirt", "small", "no", "skip"}, []string{"Yes", "No"}},
		{"a colleague", english, []string{"order a shirt", "small", "qwerty", "qwerty", "qwerty"}, []string{"Yes", "No"}},
		{"rows", english, []string{"list my parcels"}, []string{"P-71, from Rome", "P-72, from Oslo", "9, from Rome"}},
		{"the embedded agent's confirmation", "", []string{"cancel order O-12345"}, []string{"Yes", "No"}},
		{"the embedded agent's reasons", "", []string{"return my order O-20112"}, []string{"damaged", "wrong item", "wrong size", "changed my mind"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := runtimetest.Open(t, runtimetest.Config{File: test.agent, Data: t.TempDir(), Set: []string{"telemetry.log=none"}, Options: slotway.Options{NoHTTP: true}})
			talk := func(session string, lines ...string) (reply router.Reply) {
				for _, text := range lines {
					reply = a.Say("", session, text)
				}
				return reply
			}
			offered := talk("s", test.lead...)
			if diff := cmp.Diff(test.want, titles(offered.Options)); diff != "" {
				t.Fatalf("%q offers (-want +got):\n%s", offered.Reply, diff)
			}
			for i, o := range slices.Backward(offered.Options) { // the no before the yes, which changes the shop
				session := fmt.Sprint("s", i)
				asked := talk(session, test.lead...)
				after := talk(session, o.Text)
				if cmp.Equal(asked.WaitingForParam, after.WaitingForParam) && cmp.Equal(asked.Options, after.Options) {
					t.Errorf("%q to %q: %q asks the same again", o.Text, asked.Reply, after.Reply)
				}
			}
		})
	}
}

func titles(options []planner.Suggestion) []string {
	var out []string
	for _, o := range options {
		out = append(out, o.Title)
	}
	return out
}
