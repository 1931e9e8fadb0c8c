package telemetry

import (
	"testing"

	"github.com/slotway/slotway/config"
)

// A redacted date is hidden in a reply that says it in words.
func TestMaskWords(t *testing.T) {
	agent, err := config.Parse("a.yaml", []byte(`version: 1
params:
  birthday: {type: date, prompt: "?"}
  amount: {type: money, prompt: "?"}
intents:
  - id: x
    examples: [one, two, three]
    params: {required: [birthday, amount]}
    plan: [{respond: done}]
responses: {done: "Born on {birthday}, pays {amount}."}
redaction: {params: [birthday, amount]}
`), "")
	if err != nil {
		t.Fatal(err)
	}
	params := map[string]any{"birthday": "1990-11-27", "amount": "1250.00 USD"}
	reply := agent.Responses["done"].Variants[0].Render(params)
	if want := "Born on Tuesday, 27 November 1990, pays $1,250.00."; reply != want {
		t.Fatalf("reply %q", reply)
	}
	r := NewRedactor(agent)
	for text, want := range map[string]string{
		reply: "Born on birthday, pays amount.",
		"1990-11-27 and tuesday, 27 november 1990": "birthday and birthday",
	} {
		if got := r.MaskText(text, params); got != want {
			t.Errorf("%q masked %q, want %q", text, got, want)
		}
		if got := r.Masker(params).Text(text); got != want {
			t.Errorf("%q known %q, want %q", text, got, want)
		}
	}
}
