package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/slotway/slotway/router"
)

// A reply names the model server that took part in the turn; the agent stands for the others.
func TestRepliesNameTheModel(t *testing.T) {
	helped := router.Reply{Turn: 1, Reply: "Hi.", Params: map[string]any{}, ToolCalls: []router.ToolReport{}, Model: "small", Provider: "ollama"}
	api := New(handlerFunc(func(_ context.Context, in router.Interaction) (router.Reply, error) {
		if in.Text == "help me" {
			return helped, nil
		}
		return echo(t.Context(), in)
	}), &Options{Agent: called("notes"), AgentAliases: []string{"general"}})
	for text, want := range map[string][2]string{"help me": {"small", "ollama"}, "hello": {"notes", "slotway"}} {
		var got struct{ Model, Provider string }
		if err := json.Unmarshal(readAll(t, post(api, `{"message": "`+text+`"}`)), &got); err != nil || got.Model != want[0] || got.Provider != want[1] {
			t.Errorf("%s: %+v, %v, want %v", text, got, err, want)
		}
	}
}

// A client may call the agent by one of its aliases.
func TestAgentAliases(t *testing.T) {
	api := New(handlerFunc(echo), &Options{Agent: called("notes"), AgentAliases: []string{"general", "helper"}})
	for agent, want := range map[string]int{"notes": http.StatusOK, "general": http.StatusOK, "helper": http.StatusOK, "other": http.StatusNotFound, "General": http.StatusNotFound} {
		if res := post(api, `{"message": "hi", "agent": "`+agent+`"}`); res.StatusCode != want {
			t.Errorf("agent %s: status %d, want %d", agent, res.StatusCode, want)
		}
	}
}
