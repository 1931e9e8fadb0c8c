package config

import "testing"

// TestWithin says questions and titles as they stand within a sentence.
func TestWithin(t *testing.T) {
	def, err := Parse("agent.yaml", []byte(`
version: 1
intents:
  - {id: freeze_card, title: Freeze a card., examples: [freeze it], plan: [{respond: done}]}
  - {id: pin, title: PIN and card, examples: [my pin], plan: [{respond: done}]}
responses: {done: Done.}
`), "")
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"freeze_card": "freeze a card", "pin": "PIN and card"} {
		if got := def.Phrase(def.Intent(id)); got != want {
			t.Errorf("%s is %q within a sentence, want %q", id, got, want)
		}
	}
	leading := def.SystemResponse("leading").Variants[0]
	for question, want := range map[string]string{
		"Which card?":                     "which card?",
		"What's your order number?":       "what's your order number?",
		"Where to: Rome or Oslo?":         "where to: Rome or Oslo?",
		"I need the day. Which?":          "I need the day. Which?",
		"Anna or Ben?":                    "Anna or Ben?",
		"PIN, please?":                    "PIN, please?",
		"4 digits, please":                "4 digits, please",
		"¿Cuál?":                          "¿Cuál?",
		"And which ZIP code is it, then?": "and which ZIP code is it, then?",
	} {
		if got := leading.Render(map[string]any{"task": "do", "question": question}); got != "To do: "+want {
			t.Errorf("%q is led as %q, want %q", question, got, want)
		}
	}
}
