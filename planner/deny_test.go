package planner

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/config"
)

// A word behind an article or a pronoun is a thing, and no verb that a "not" could deny.
func TestDenies(t *testing.T) {
	refund := &config.Intent{ID: "refund_not_showing_up", Title: "Refund not showing up"}
	cancel := &config.Intent{ID: "cancel_order", Title: "Cancel an order"}
	for _, c := range []struct {
		text string
		task *config.Intent
		want bool
	}{
		{"i do not want to cancel", cancel, true},
		{"don't cancel my order", cancel, true},
		{"i won't refund it", refund, true},
		{"i cannot find my refund on the statement", refund, false},
		{"why did i not get the refund yet", refund, false},
		{"i do not see a refund", refund, false},
	} {
		if got := new(interpreter).denies(strings.Fields(c.text), c.task); got != c.want {
			t.Errorf("%q denies %s: %t, want %t", c.text, c.task.ID, got, c.want)
		}
	}
}
