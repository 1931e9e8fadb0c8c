package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
)

// TestFactsOfACancellation: without a model server, facts hold the order's number, the decision and
// the condition, and a fact that the cancellation ended has its end, on every store.
func TestFactsOfACancellation(t *testing.T) {
	agent, err := os.ReadFile("../../config/intents.yaml")
	if err != nil {
		t.Fatal(err)
	}
	onEveryStore(t, string(agent), func(s *shell) {
		if err := os.CopyFS(s.dir+"/demo", os.DirFS("../../config/demo")); err != nil {
			s.Fatal(err)
		}
		s.set = append(s.set, "memory.summary.enabled=true", "memory.summary.trigger_message_count=8", "memory.summary.recent_message_count=2")
		said := []string{"I'd like to cancel order #12345, but only if the refund is at least $40", "where is O-12345", "cancel order O-12345", "yes"}
		for range 12 {
			said = append(said, "what are your opening hours")
		}
		s.run(0, strings.Join(said, "\n"), "chat", "--session", "one")
		var got struct{ Facts []memory.Fact }
		if err := json.Unmarshal([]byte(s.run(0, "", "memory", "summarize", "one", "--json", "--reveal")), &got); err != nil {
			s.Fatal(err)
		}
		for _, want := range []struct {
			category memory.Category
			value    string
			over     bool
		}{
			{memory.Entity, "O-12345", false},
			{memory.Decision, "Cancel order O-12345, wool blanket? yes", false},
			{memory.Condition, "only if the refund is at least $40", false},
			{memory.Numeric, "$40", false},
			{memory.Status, "pending", true},
			{memory.Status, "cancelled", false},
		} {
			if !slices.ContainsFunc(got.Facts, func(f memory.Fact) bool {
				return f.Category == want.category && f.Value == want.value && f.ValidTo.IsZero() != want.over
			}) {
				s.Errorf("no fact %s %q, over: %v, in\n%+v", want.category, want.value, want.over, got.Facts)
			}
		}
	})
}
