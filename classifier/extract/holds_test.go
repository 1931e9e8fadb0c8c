package extract

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"pgregory.net/rapid"
)

// TestMayHoldHidesNoValue draws texts around what addresses and codes are made of: whatever Read
// finds a value in may hold one.
func TestMayHoldHidesNoValue(t *testing.T) {
	params := map[string]*config.Param{}
	for _, name := range []string{"email", "zip", "date", "phone", "text"} {
		params[name] = &config.Param{Name: name, Type: &config.Type{Name: name, Builtin: name}}
	}
	x := New(&config.Agent{Language: "en", Params: params}, nil)
	word := rapid.OneOf(
		rapid.SampledFrom([]string{"ana", "at", "AT", "At", "example", "dot", "com", ".", "@", "ana@example.com", "ana@", "K1A", "0B1", "60613", "6061", "3-1234", "order", "is", "tomorrow", "’", "é", "that", "O-"}),
		rapid.StringMatching(`[ -~]{0,6}`),
	)
	rapid.Check(t, func(rt *rapid.T) {
		var text strings.Builder
		for range rapid.IntRange(0, 8).Draw(rt, "words") {
			text.WriteString(word.Draw(rt, "word") + rapid.SampledFrom([]string{" ", "", ", "}).Draw(rt, "gap"))
		}
		for name := range params {
			if value, ok := x.Read(name, text.String(), now); ok && !x.MayHold(name, text.String()) {
				rt.Fatalf("%s of %q is %v, and may not be there", name, text.String(), value)
			}
		}
	})
}

func TestMayHold(t *testing.T) {
	param := func(name string, own *config.Type) *config.Param {
		return &config.Param{Name: name, Type: own}
	}
	x := New(&config.Agent{Language: "en", Params: map[string]*config.Param{
		"email": param("email", &config.Type{Name: "email", Builtin: "email"}),
		"zip":   param("zip", &config.Type{Name: "zip", Builtin: "zip"}),
		"named": param("named", &config.Type{Name: "named", Builtin: "zip", Values: []config.EnumValue{{Value: "chelsea"}}}),
		"note":  param("note", &config.Type{Name: "text", Builtin: "text"}),
	}}, nil)
	for _, tc := range []struct {
		param, text string
		want        bool
	}{
		{"email", "i want to check my order", false},
		{"email", "ana at example dot com", true},
		{"email", "ANA AT EXAMPLE DOT COM", true},
		{"email", "what is the status", false},
		{"email", "ana@example.com", true},
		{"zip", "i want to check my order", false},
		{"zip", "It's O-12345", true},
		{"named", "chelsea", true},
		{"note", "anything", true},
		{"nobody's", "anything", false},
	} {
		if got := x.MayHold(tc.param, tc.text); got != tc.want {
			t.Errorf("%s in %q: %v, want %v", tc.param, tc.text, got, tc.want)
		}
	}
}
