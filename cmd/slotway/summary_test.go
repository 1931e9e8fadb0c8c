package main

import (
	"strings"
	"testing"

	"github.com/slotway/slotway"
	"github.com/slotway/slotway/internal/test/runtimetest"
	"github.com/slotway/slotway/memory"
)

// TestToolSummaryIsKept: in every store the history has a tool's result and a short line without
// redacted values.
func TestToolSummaryIsKept(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		a := runtimetest.Open(t, runtimetest.Config{File: "../../router/testdata/dialogue/agents/tracker.yaml", Set: set, Options: slotway.Options{NoHTTP: true}})
		if reply := a.Say("ann", "s", "where is my newest order"); reply.Params["order_id"] != "O-77" {
			t.Fatalf("%+v", reply)
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

// TestSummarizeIsUpToDate: memory summarize covers all but the newest messages, those that the
// background job has left too.
func TestSummarizeIsUpToDate(t *testing.T) {
	s := newShell(t)
	s.write("agent.yaml", returning)
	for set, want := range map[string]string{
		"memory.summary.trigger_message_count=20 memory.summary.recent_message_count=10": "messages up to 24:",
		"memory.summary.trigger_message_count=2 memory.summary.recent_message_count=1":   "messages up to 33:",
	} {
		s.set = []string{"memory.summary.enabled=true"}
		s.set = append(s.set, strings.Fields(set)...)
		session := want[len(want)-3 : len(want)-1]
		s.run(0, strings.Repeat("what are your opening hours\n", 16)+"My name is Alice Moreau, when do you open", "chat", "--session", session)
		for range 2 {
			if got := s.run(0, "", "memory", "summarize", session); !strings.HasPrefix(got, want) {
				t.Errorf("%s: want %q:\n%s", set, want, got)
			}
		}
	}
}
