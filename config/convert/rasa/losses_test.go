package rasa_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/config/convert"
)

// A question whether to go on is no answer of a built-in intent: its yes would be unheard.
func TestQuestionAfterStop(t *testing.T) {
	b := read(t, strings.Replace(wash, "responses:\n", "responses:\n  utter_go_on: [{text: \"Go on?\"}]\n", 1)+`
- intent: stop
  examples: |
    - stop it
stories:
- story: stop
  steps: [{intent: wash_car}, {action: wash_form}, {active_loop: wash_form}, {intent: stop}, {action: utter_go_on}, {intent: affirm}, {action: wash_form}, {active_loop: wash_form}]
`)
	if slices.ContainsFunc(b.Responses, func(r *convert.Response) bool { return slices.Contains(r.Texts, "Go on?") }) {
		t.Error("the question is the text of a built-in intent")
	}
	if !reported(b, convert.Left, "utter_go_on after stop") {
		t.Errorf("the question is dropped silently: %v", b.Report.Notes)
	}
}

// A file that cannot be read is a point to decide, not one of many small losses.
func TestUnreadableFile(t *testing.T) {
	b := readFiles(t, map[string]string{"bot.yml": wash, "domain.yml": "forms:\n  a_form:\n    b:\n    - {type: from_text}\n\n- c_form\n"})
	if !reported(b, convert.Decide, "nothing of this file was read") {
		t.Errorf("notes %v", b.Report.Notes)
	}
}

// The texts of built-in intents lose their buttons and the variants for one channel, and say so.
func TestButtonsOfBuiltins(t *testing.T) {
	b := read(t, strings.Replace(wash, "responses:\n", `responses:
  utter_hello: [{text: "Hello!", buttons: [{title: Wash, payload: /wash_car}]}, {text: "Hello on Slack!", channel: slack}]
`, 1)+`
- intent: greet
  examples: |
    - hello
stories:
- story: hello
  steps: [{intent: greet}, {action: utter_hello}]
`)
	for _, text := range []string{"the buttons of utter_hello", "the variant of utter_hello for the channel slack"} {
		if !reported(b, convert.Left, text) {
			t.Errorf("%q is not in the report: %v", text, b.Report.Notes)
		}
	}
}
