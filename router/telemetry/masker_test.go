package telemetry

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
)

// Knowing gives what the Redactor itself gives, and masks numbers besides.
func TestKnowing(t *testing.T) {
	r := NewRedactor(agentWith(nil))
	params := map[string]any{"order_id": []any{"O-12345", "O-777"}, "pin": 73914.0, "name": "Ann Lee", "city": "Bonn"}
	k := r.Masker(params)
	for _, text := range []string{"O-12345 and o 777 for ann lee in Bonn", "pin 73914", "nothing"} {
		if got, want := k.Text(text), r.MaskText(text, params); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
	got := k.Params(map[string]any{
		"pin": 73914.0, "name": nil, "note": "of Ann Lee",
		"rows": []any{map[string]any{"O-777": 73914.0, "n": json.Number("73914"), "m": 7391.0, "x": true}},
	})
	want := map[string]any{
		"pin": "{pin}", "name": nil, "note": "of {name}",
		"rows": []any{map[string]any{"{order_id}": "{pin}", "n": "{pin}", "m": 7391.0, "x": true}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Params (-want +got)\n%s", diff)
	}
	if got := r.Masker(map[string]any{"pin": 7.0}).Value(7.0); got != 7.0 {
		t.Errorf("a number of one digit is masked: %v", got)
	}
}

const forwarding = `
version: 1
agent: {id: a}
params:
  secret: {type: text, prompt: "?", validation: {tool: look, with: {text: $value}}}
  open: {type: text, prompt: "?"}
intents:
  - id: x
    examples: [one, two, three]
    params: {required: [secret, open]}
    plan:
      - when: open == 'a'
        then:
          - call: act
            with: {who: $secret, what: $open, all: {nested: [$secret]}}
      - respond: done
tools:
  act: {kind: go, effect: read}
  look: {kind: go, effect: read}
responses: {done: "Done."}
redaction: {params: [secret]}
`

// An argument is known by what it is given, whatever it is called.
func TestArgParam(t *testing.T) {
	def, err := config.Parse("a.yaml", []byte(forwarding), "")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRedactor(def)
	for _, c := range []struct{ tool, arg, want string }{
		{"act", "who", "secret"},
		{"act", "all", "secret"},
		{"act", "what", ""},
		{"look", "text", "secret"},
		{"look", "who", ""},
		{"other", "secret", "secret"},
		{"other", "open", ""},
	} {
		if got := r.ArgParam(c.tool, c.arg); got != c.want {
			t.Errorf("ArgParam(%s, %s) = %q, want %q", c.tool, c.arg, got, c.want)
		}
	}
	if !r.HidesParams() {
		t.Error("a redactor without params hides some")
	}
}
