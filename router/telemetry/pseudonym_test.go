package telemetry

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/config"
)

func pseudonymAgent() *config.Agent {
	return &config.Agent{Redaction: config.Redaction{Params: []string{"order_id", "email"}, Patterns: []string{"email"}}}
}

func TestPseudonymsHideAndRestore(t *testing.T) {
	p := NewRedactor(pseudonymAgent()).Pseudonyms(map[string]any{"order_id": "O-12345", "item": "blanket"})
	text := "Is O-12345 the blanket of ana@example.com? Yes, o-12345 is."
	hidden := p.Hide(text)
	for _, secret := range []string{"12345", "ana@example.com"} {
		if strings.Contains(hidden, secret) {
			t.Errorf("Hide left %q in %q", secret, hidden)
		}
	}
	if !strings.Contains(hidden, "<order_id:1>") || !strings.Contains(hidden, "blanket") {
		t.Errorf("Hide = %q, want a name for the order and the item as it is", hidden)
	}
	if got := p.Restore(hidden); got != text {
		t.Errorf("Restore = %q, want %q", got, text)
	}
	if got, want := p.Restore("About <order_id:1>: it has shipped."), "About O-12345: it has shipped."; got != want {
		t.Errorf("Restore = %q, want %q", got, want)
	}
}

func TestPseudonymsLoseNothing(t *testing.T) {
	redactor := NewRedactor(pseudonymAgent())
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.StringMatching(`[A-Z]-[0-9]{4,8}`).Draw(rt, "value")
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{value, "where is", "a@b.example", " ", ", "}), 0, 8).Draw(rt, "parts")
		text := strings.Join(parts, " ")
		p := redactor.Pseudonyms(map[string]any{"order_id": value})
		hidden := p.Hide(text)
		if strings.Contains(hidden, value) {
			rt.Fatalf("Hide(%q) = %q", text, hidden)
		}
		if got := p.Restore(hidden); got != text {
			rt.Fatalf("Restore(Hide(%q)) = %q", text, got)
		}
	})
}

// An answer that comes in parts is restored as it would be in one, wherever the parts end; what
// cannot be the beginning of a name is not held back.
func TestRestoringInParts(t *testing.T) {
	r := NewRedactor(&config.Agent{Redaction: config.Redaction{Params: []string{"id"}}})
	names := r.Pseudonyms(map[string]any{"id": "O-12345"})
	if got := names.Hide("about O-12345"); got != "about <id:1>" {
		t.Fatalf("hidden: %q", got)
	}
	const answer = "1 < 2, <i>: <id:1><id:1> <<id:1>> <id:2> <id:"
	for size := 1; size <= len(answer); size++ {
		parts, told := names.Restoring(), ""
		for rest := answer; rest != ""; {
			n := min(size, len(rest))
			told += parts.Part(rest[:n])
			rest = rest[n:]
		}
		if told += parts.Rest(); told != names.Restore(answer) {
			t.Errorf("parts of %d: %q, want %q", size, told, names.Restore(answer))
		}
	}
	if got := names.Restoring().Part("a <b"); got != "a <b" {
		t.Errorf("told %q of what is no name", got)
	}
}
