package rasa_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/convert"
	"github.com/slotway/slotway/config/convert/rasa"
)

// readFiles reads a bot of several files.
func readFiles(t *testing.T, files map[string]string) *convert.Bot {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bot, err := rasa.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return bot
}

// reported reports whether a note with an outcome has a text in it.
func reported(b *convert.Bot, outcome convert.Outcome, text string) bool {
	return slices.ContainsFunc(b.Report.Of(outcome), func(n convert.Note) bool { return strings.Contains(n.Text, text) })
}

// YAML 1.2 reads yes and no as texts: they are a yes and a no all the same.
func TestWordsForYesAndNo(t *testing.T) {
	yes := `type: any, mappings: [{type: from_intent, intent: affirm, value: yes}, {type: from_intent, intent: deny, value: no}]`
	b := read(t, slotsOf("  continue_form: {"+yes+"}\n  size: {type: text}\n  confirm_order: {"+yes+"}"))
	if diff := cmp.Diff([]string{"size"}, b.Intents[0].Required); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
	if plan := b.Intents[0].Plan; plan[0].Confirm == "" || !b.Tools[0].Write {
		t.Errorf("no last yes stands before the write: %+v", plan[0])
	}
}

// wash is a bot whose form ends with another one, unless an action has set a slot.
const wash = `
intents: [wash_car, sell_car, deny, inform]
entities: [plate, stars]
slots:
  plate: {type: text, mappings: [{type: from_entity, entity: plate}]}
  stars: {type: float, mappings: [{type: from_entity, entity: stars}]}
  remark: {type: text, mappings: [{type: from_text}]}
  asked_before: {type: bool, mappings: [{type: custom}]}
forms:
  wash_form: {required_slots: [plate]}
  sell_form: {required_slots: [plate]}
  opinion_form: {required_slots: [stars, remark]}
responses:
  utter_ask_plate: [{text: "Which plate?"}]
  utter_ask_stars: [{text: "How many stars?"}]
  utter_ask_remark: [{text: "Anything to add?"}]
  utter_dropped: [{text: "Dropped."}]
rules:
- rule: wash
  steps: [{intent: wash_car}, {action: action_deactivate_loop}, {active_loop: null}, {action: wash_form}, {active_loop: wash_form}]
- rule: sell
  steps: [{intent: sell_car}, {action: action_deactivate_loop}, {active_loop: null}, {action: sell_form}, {active_loop: sell_form}]
- rule: sold
  condition: [{active_loop: sell_form}]
  steps: [{action: sell_form}, {active_loop: null}, {action: action_sell}]
- rule: asked
  condition: [{active_loop: wash_form}, {slot_was_set: [{asked_before: true}]}]
  steps: [{action: wash_form}, {active_loop: null}, {action: action_wash}]
- rule: not asked
  condition: [{active_loop: wash_form}]
  steps: [{action: wash_form}, {active_loop: null}, {action: action_wash}, {action: opinion_form}, {active_loop: opinion_form}]
- rule: opinion
  condition: [{active_loop: opinion_form}]
  steps: [{action: opinion_form}, {active_loop: null}, {action: action_opinion}]
nlu:
- intent: wash_car
  examples: |
    - wash my car
    - wash [AB1](plate)
- intent: sell_car
  examples: |
    - sell my car
- intent: deny
  examples: |
    - no
`

// A form after a form is asked for in the same plan; the ending for a slot that an action sets is noted.
func TestSecondForm(t *testing.T) {
	b := read(t, wash)
	in := b.Intents[slices.IndexFunc(b.Intents, func(in *convert.Intent) bool { return in.ID == "wash_car" })]
	var got []string
	for _, s := range in.Plan {
		if s.Ask != "" || s.Call != "" {
			got = append(got, s.Ask+s.Call)
		}
	}
	if diff := cmp.Diff([]string{"wash", "stars", "remark", "opinion"}, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if !reported(b, convert.Left, "after wash_form elsewhere: action_wash;") {
		t.Errorf("the other ending is dropped silently: %v", b.Report.Notes)
	}
}

// washTests are stories with the second form, and with forms that are given up.
const washTests = `
stories:
- story: all of it
  steps:
  - {intent: wash_car, user: "wash my car"}
  - action: wash_form
  - active_loop: wash_form
  - {intent: inform, user: "[AB1](plate)"}
  - action: wash_form
  - active_loop: null
  - action: action_wash
  - action: opinion_form
  - active_loop: opinion_form
  - {intent: inform, user: "[4](stars)"}
  - action: opinion_form
  - active_loop: opinion_form
  - {intent: inform, user: "very clean"}
  - slot_was_set: [{remark: very clean}]
  - action: opinion_form
  - active_loop: null
  - action: action_opinion
- story: given up
  steps:
  - {intent: wash_car, user: "wash my car"}
  - action: wash_form
  - active_loop: wash_form
  - {intent: deny, user: "no"}
  - action: utter_dropped
  - action: action_deactivate_loop
  - active_loop: null
- story: another one
  steps:
  - {intent: wash_car, user: "wash my car"}
  - action: wash_form
  - active_loop: wash_form
  - {intent: sell_car, user: "sell my car"}
  - action: action_deactivate_loop
  - active_loop: null
  - action: sell_form
  - active_loop: sell_form
`

// The tests of the bot go on with the questions of the second form.
func TestSecondFormInTests(t *testing.T) {
	b := readFiles(t, map[string]string{"bot.yml": wash, "test_wash.yml": washTests})
	type turn struct {
		asked, call    string
		idle, supplied bool
	}
	want := [][]turn{
		{{asked: "plate"}, {asked: "stars", call: "wash"}, {asked: "remark"}, {call: "opinion"}},
		{{asked: "plate"}, {idle: true}},
		{{asked: "plate"}, {asked: "plate"}},
	}
	var got [][]turn
	for _, c := range b.Tests {
		var turns []turn
		for _, u := range c.Turns {
			turns = append(turns, turn{u.Asked, strings.Join(u.Calls, " "), u.Idle, u.Supplied})
		}
		got = append(got, turns)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(turn{})); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
}
