package router

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/telemetry"
)

// A call is told in one short line, with what is redacted masked by name and by content.
func TestSummary(t *testing.T) {
	def, err := config.Load("testdata/dialogue/agents/tracker.yaml")
	if err != nil {
		t.Fatal(err)
	}
	turn := &turn{request: request{version: &version{Deps: Deps{Agent: def}, redactor: telemetry.NewRedactor(def)}}}
	turn.plan = &planner.Turn{State: planner.New()}
	order := map[string]any{"id": "O-1", "card": "4111 1111 1111 1111", "items": []any{"a", "b"}, "place": map[string]any{"x": 1.0}, "price": 12.5, "note": strings.Repeat("very long ", 20)}
	for _, c := range []struct {
		tool string
		out  outcome
		want string
	}{
		{"find", outcome{value: order}, "find: card, id O-1, items 2, note " + strings.Repeat("very long ", 6)[:59] + " …, price 12.5"},
		{"find", outcome{value: []any{order, order}}, "find: 2 results, first: card, id O-1, items 2"},
		{"find", outcome{value: []any{}}, "find: no results"},
		{"find", outcome{value: "the card is 4111 1111 1111 1111"}, "find: the card is card"},
		// One that the cut goes through.
		{"find", outcome{value: map[string]any{"note": strings.Repeat("x", 50) + " 4111 1111 1111 1111"}}, "find: note " + strings.Repeat("x", 50) + " card"},
		{"find", outcome{}, "find: done"},
		{"find", outcome{code: "not_found"}, "find: failed: not_found"},
		{"find", outcome{code: "timeout", uncertain: true}, "find: outcome unknown"},
		{"newest_order", outcome{value: map[string]any{"order": map[string]any{"id": "O-77"}, "card": "4111", "items": []any{1.0}, "courier": "DHL"}}, "newest_order: id O-77, card, items 1"},
	} {
		if got := turn.summary(c.tool, c.out); !strings.HasPrefix(got, c.want) || len(c.want) < 60 && len(got) > 320 {
			t.Errorf("%s: %q, want %q", c.tool, got, c.want)
		}
	}
}
