package config

import (
	"strings"
	"testing"
)

// repliesAgent has responses of its own whose names are those of built-in ones.
const repliesAgent = `version: 1
agent: {id: order-desk}
classifier: {fallback: other}
intents:
  - id: drop
    title: cancel an order
    examples: [cancel it, cancel my order, drop my order]
    plan: [{respond: cancelled}]
  - id: check
    title: say where an order is
    examples: [where is it, where is my order, track my order]
    plan: [{respond: goodbye}]
  - id: hours
    answer_only: true
    examples: [opening hours, when do you open, are you open]
    plan: [{respond: system.about}]
  - id: other
    examples: [something else, another thing, that thing]
    plan: [{respond: fallback}]
responses:
  cancelled: "Cancelled the order of {name}."
  system.greet: Moin!
  system.thanks: Any time.
  hold: A hold is put on it.
params: {name: {type: text, scope: session, prompt: "?"}}
`

func TestResponses(t *testing.T) {
	a := mustParse(t, repliesAgent)
	first := func(r *Response) string {
		if r == nil {
			return "nothing"
		}
		return r.Variants[0].Render(nil)
	}
	for _, c := range []struct{ id, own, system string }{
		{"cancelled", "Cancelled the order.", "OK, I've stopped that."},
		{"greet", "Moin!", "Moin!"},
		{"thanks", "Any time.", "Any time."},
		{"goodbye", "Goodbye!", "Goodbye!"},
		{"hold", "A hold is put on it.", "Take your time."},
		{"none", "nothing", "nothing"},
	} {
		if own, system := first(a.Response(c.id)), first(a.SystemResponse(c.id)); own != c.own || system != c.system {
			t.Errorf("%s: a plan says %q and the system %q, want %q and %q", c.id, own, system, c.own, c.system)
		}
	}
	if a.Response("system.cancelled") != a.SystemResponse("cancelled") || a.Responses["system.greet"] != nil || a.Responses["system.thanks"] != nil {
		t.Error("the built-in responses are not apart from the agent's own")
	}
	warnings := a.Warnings.Error()
	for _, want := range []string{"responses.hold: nothing uses this response", `did you mean "system.hold"?`} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning %q in\n%s", want, warnings)
		}
	}
	if strings.Contains(warnings, "thanks") {
		t.Errorf("warnings\n%s", warnings)
	}
}

func TestSpokenOf(t *testing.T) {
	a := mustParse(t, repliesAgent)
	for id, want := range map[string]string{
		"who_are_you": "I'm an automated assistant of order desk, not a person. I can cancel an order or say where an order is.",
		"about":       "I can cancel an order or say where an order is.",
		"fallback":    "Sorry, I didn't understand that. Could you say it another way? I can cancel an order or say where an order is.",
		"language":    "I only understand English.",
	} {
		if got := a.SystemResponse(id).Variants[0].Render(nil); got != want {
			t.Errorf("%s: %q", id, got)
		}
	}
	noted := a.SystemResponse("value_noted").Variants[0]
	if got := noted.Render(map[string]any{"label": "order number", "value": "O-1", "tasks": []any{"drop it"}}); got != "I noted the order number O-1. Shall I drop it?" {
		t.Errorf("value_noted: %q", got)
	}
	swedish := mustParse(t, strings.Replace(repliesAgent, "order-desk", "amt, language: sv", 1))
	if got := swedish.SystemResponse("fallback").Variants[0].Render(nil); strings.Contains(got, "cancel an order") {
		t.Errorf("a Swedish agent says %q", got)
	}
	german := mustParse(t, strings.Replace(repliesAgent, "order-desk", "amt, language: de-AT", 1))
	if got := german.SystemResponse("language").Variants[0].Render(nil); got != "Ich verstehe nur Deutsch." {
		t.Errorf("a German agent says %q", got)
	}
	if a.Name() != "order desk" || len(a.Tasks()) != 2 {
		t.Errorf("name %q, tasks %v", a.Name(), a.Tasks())
	}
	unnamed := mustParse(t, strings.Replace(repliesAgent, "agent: {id: order-desk}\n", "", 1))
	if got := unnamed.SystemResponse("who_are_you").Variants[0].Render(nil); !strings.HasPrefix(got, "I'm an automated assistant, not a person. I can cancel") {
		t.Errorf("without a name: %q", got)
	}
}

// TestResponseNames keeps what is filled in apart: a name that is not is reported.
func TestResponseNames(t *testing.T) {
	for text, want := range map[string]string{
		`system.greet: "Hello {nobody}"`:          "nothing fills {nobody}",
		`system.about: "I can {tasks}"`:           "",
		`system.nothing: "Hello"`:                 `unknown built-in response "nothing"`,
		`system.greets: "Hello"`:                  `did you mean "greet"?`,
		`system.goodbye: "{name}, bye"`:           "",
		`system.corrected: "{name} is {options}"`: "nothing fills {options}",
	} {
		_, err := Parse("a.yaml", []byte(strings.Replace(repliesAgent, "  system.greet: Moin!", "  "+text, 1)), "")
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
