package planner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
)

const pizzaYAML = `
version: 1
agent: {id: test%s}
types:
  size: {values: [{value: small, synonyms: [little]}, {value: large, synonyms: [big]}]}
  room: {values: [r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11]}
  lone: {values: [only]}
params:
  size: {type: size}
  crust: {type: size, skippable: true}
  room: {type: room}
  lone: {type: lone}
  vegan: {type: boolean}
  note: {type: text, skippable: true}
intents:
  - id: order
    description: order a pizza
    examples: [a pizza, order a pizza, i am hungry]
    params:
      required: [size, room, lone, vegan]
      optional: [crust, note]
    plan: [{respond: done}]
%s
responses: {done: Done.}
`

func pizza(t *testing.T, agent, system string) *config.Agent {
	t.Helper()
	def, err := config.Parse("test.yaml", fmt.Appendf(nil, pizzaYAML, agent, system), "")
	if err != nil {
		t.Fatal(err)
	}
	return def
}

func TestOptions(t *testing.T) {
	en := pizza(t, "", "")
	de := pizza(t, ", language: de", `
system:
  affirm: {examples: [ja, jawohl]}
  deny: {examples: [nein]}
  skip: {examples: [übergehen]}`)
	two := []Option{{Value: "O-1", Label: "O-1, a speaker"}, {Value: 2.0, Label: "the other"}}
	tests := []struct {
		name string
		def  *config.Agent
		open *openQuestion
		want string // title=say, of each
	}{
		{"nothing is asked", en, nil, ""},
		{"a confirmation", en, &openQuestion{Kind: askConfirm}, "Yes=yes No=no"},
		{"a colleague", en, &openQuestion{Kind: askHandoff}, "Yes=yes No=no"},
		{"a correction", en, &openQuestion{Kind: askCorrect, Correct: "size", Options: []Option{{Value: "large"}}}, "Yes=yes No=no"},
		{"one task to go on with", en, &openQuestion{Kind: askResumeOne, Options: two[:1]}, "Yes=yes No=no"},
		{"one task that may be meant", en, &openQuestion{Kind: askIntent, Options: two[:1]}, "Yes=yes No=no"},
		{"two tasks: nobody says an id", en, &openQuestion{Kind: askIntent, Options: []Option{{"order", "order a pizza"}, {"eat", "eat"}}}, "order a pizza=order a pizza eat=eat"},
		{"rows: their values", en, &openQuestion{Kind: askChoice, Param: "note", Options: two}, "O-1, a speaker=O-1(note) the other=2(note)"},
		{"rows without a value of their own", en, &openQuestion{Kind: askChoice, Param: "note", Options: []Option{{Value: map[string]any{}, Label: "a"}, {Value: true, Label: "b"}}}, "a=a(note) b=b(note)"},
		{"what should be different", en, &openQuestion{Kind: askChange}, ""},
		{"an enumeration", en, &openQuestion{Kind: askParam, Param: "size"}, "small=small large=large"},
		{"one that may be skipped", en, &openQuestion{Kind: askParam, Param: "crust"}, "small=small large=large Skip=skip"},
		{"a long one", en, &openQuestion{Kind: askParam, Param: "room"}, "r1=r1 r2=r2 r3=r3 r4=r4 r5=r5 r6=r6 r7=r7 r8=r8 r9=r9 r10=r10"},
		{"one of a single value", en, &openQuestion{Kind: askParam, Param: "lone"}, ""},
		{"yes or no", en, &openQuestion{Kind: askParam, Param: "vegan"}, "Yes=yes No=no"},
		{"any text", en, &openQuestion{Kind: askParam, Param: "note"}, ""},
		{"a param that is there no more", en, &openQuestion{Kind: askParam, Param: "gone"}, ""},
		{"a kind of question of a later release", en, &openQuestion{Kind: "duel"}, ""},
		{"another language", de, &openQuestion{Kind: askConfirm}, "Ja=ja Nein=nein"},
		{"a boolean in another language", de, &openQuestion{Kind: askParam, Param: "vegan"}, "Ja=yes Nein=no"},
		{"skipping in another language", de, &openQuestion{Kind: askParam, Param: "crust"}, "small=small large=large Übergehen=übergehen"},
	}
	for _, test := range tests {
		st := New()
		st.Active, st.Open = &frame{ID: "1.0", Intent: "order"}, test.open
		var got []string
		for _, o := range suggestions(test.def, st) {
			said := o.Title + "=" + o.Text
			if o.Param != "" {
				said += "(" + o.Param + ")"
			}
			got = append(got, said)
		}
		if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestOptionsAreOfTheOpenQuestion holds that they are those of what the reply asks, turn by
// turn, and that looking at them changes nothing.
func TestOptionsAreOfTheOpenQuestion(t *testing.T) {
	b := newBench(t)
	for _, turn := range []struct {
		says Understanding
		want int
	}{
		{asks("call_off"), 0},
		{tells(order("O-1")), 0}, // "any note?" may be anything
		{does("skip"), 2},
		{does("affirm"), 0},
	} {
		b.say(turn.says)
		if got := suggestions(b.def, b.st.State); len(got) != turn.want {
			t.Errorf("after %q: %v, want %d", turn.says.Text, got, turn.want)
		}
		before, _ := b.st.Save()
		suggestions(b.def, b.st.State)
		if after, _ := b.st.Save(); string(after) != string(before) {
			t.Errorf("after %q: the state has changed", turn.says.Text)
		}
	}
}
