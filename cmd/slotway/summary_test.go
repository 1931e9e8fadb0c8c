package main

import (
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// In every store the history has a tool's result and, beside it, a short line without what is
// redacted.
func TestToolSummaryIsKept(t *testing.T) {
	everyStore(t, func(t *testing.T, set ...string) {
		f := &flags{data: t.TempDir(), set: set, agent: "../../router/testdata/dialogue/agents/tracker.yaml"}
		a, err := newApp(t.Context(), f, slotway.Options{NoHTTP: true})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		reply, err := a.Router().Handle(t.Context(), router.Interaction{Text: "where is my newest order", Context: router.Context{UserID: "ann", SessionID: "s"}})
		if err != nil || reply.Params["order_id"] != "O-77" {
			t.Fatalf("%+v, %v", reply, err)
		}
		list, err := a.Store().Messages(t.Context(), memory.Key{UserID: "ann", AgentID: "tracker", SessionID: "s"}, memory.Page{})
		if err != nil || len(list) != 3 || list[1].Role != memory.Tool {
			t.Fatalf("%+v, %v", list, err)
		}
		if got := list[1].Metadata[memory.SummaryKey]; got != "newest_order: id O-77, card, items 2" || !strings.Contains(list[1].Text, `"4111 1111 1111 1111"`) {
			t.Errorf("the summary is %q of %s", got, list[1].Text)
		}
	})
}
