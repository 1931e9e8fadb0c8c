package phrase

import (
	"slices"
	"testing"

	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/internal/test/referencetest"
)

// referenceValues are the values of the examples; day has the type date.
var referenceValues = map[string]any{
	"order_id": "O-12345", "day": "2026-11-27", "guests": []any{"Ana", "Ben", "Cy"}, "question": "Which card?", "nights": 3.0,
	"order": map[string]any{"carrier": "Post", "items": []any{"blanket"}, "phone": nil, "due": "2026-11-28", "wait": "PT2H30M", "price": "1250.50 USD"},
}

// Every format is explained, and every example gives what it says.
func TestReference(t *testing.T) {
	texts := reference.MustTexts("config/phrase/reference.yaml", referenceYAML)
	for _, problem := range referencetest.Lacking(texts, Reference(), "templates.") {
		t.Error(problem)
	}
	for _, format := range formats {
		if !slices.Contains(texts.Keys(), format) {
			t.Errorf("format %s is not explained", format)
		}
	}
	kinds := map[string]string{"day": "date"}
	for _, e := range Reference().Entries {
		for _, g := range e.Gives {
			text, err := ParseText(g.Text)
			if err != nil {
				t.Errorf("%s: %v", e.Key, err)
				continue
			}
			text.Bind(func(name string) string { return kinds[name] }, For("en"))
			if got := text.Render(referenceValues); got != g.Is {
				t.Errorf("%s: %q gives %q, not %q", e.Key, g.Text, got, g.Is)
			}
		}
	}
}
