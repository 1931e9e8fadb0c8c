package remembering

import (
	"context"
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/memory/transfer"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/sessions"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// begin returns the first n messages of the last request to the model.
func (m *mirror) begin(n int) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, line := range m.last[:min(n, len(m.last))] {
		b.WriteString(line.Role + ": " + line.Content + "\n")
	}
	return b.String()
}

func (m *mirror) length() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.last)
}

// TestPromptsStandFirst: a request to a model begins with the agent's prompt, the session's prompt
// and the step's instruction, however little of the conversation fits, and after a clear too.
func TestPromptsStandFirst(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		c := newCompanionOf(t, runtimetest.CompanionAgent(t, "system_prompt: You are Ada."), append(set, "memory.max_history_tokens=80")...)
		key := memory.Key{UserID: "ann", AgentID: "companion", SessionID: "s"}
		about := memory.About{SystemPrompt: "Speak like a pirate.", Metadata: []byte(`{"plan":"gold"}`)}
		if err := transfer.Create(t.Context(), c.app.Store(), key, about, c.clock()); err != nil {
			t.Fatal(err)
		}
		const want = "system: You are Ada.\nsystem: Speak like a pirate.\nsystem: Answer from what is known of the past.\n"
		for _, text := range chatter {
			c.say("ann", "s", text)
			if got := c.model.begin(3); got != want {
				t.Fatalf("%q was told\n%s", text, got)
			}
		}
		if n := c.model.length(); n < 5 || n > 12 {
			t.Errorf("the last request had %d messages: nothing was trimmed, or all", n)
		}
		c.say("ann", "other", "the kettle boils")
		if got := c.model.begin(2); got != "system: You are Ada.\nsystem: Answer from what is known of the past.\n" {
			t.Errorf("in a session without a prompt\n%s", got)
		}
		if _, err := sessions.Clear(t.Context(), c.app.Store(), key, c.clock()); err != nil {
			t.Fatal(err)
		}
		c.say("ann", "s", "the tulips are out")
		if got := c.model.begin(3); got != want {
			t.Errorf("after a clear\n%s", got)
		}
		c.healthy()
	})
}

// promptless is a store that cannot read the descriptions of sessions.
type promptless struct{ memory.Backend }

func (promptless) Sessions(context.Context, memory.Query) ([]memory.Info, error) {
	return nil, memory.ErrCorrupt
}

// TestWithoutItsPromptNoModelIsAsked: without the session's prompt no model is asked. The reply is
// the step's else.
func TestWithoutItsPromptNoModelIsAsked(t *testing.T) {
	agent := runtimetest.CompanionAgent(t, "system_prompt: You are Ada.")
	c := newCompanionOf(t, agent, "memory.storage=inmem")
	c.say("ann", "s", "the kettle boils")
	asked := c.model.requests()
	tier := c.app.Tiers()[0].(*prompt.Tier)
	*tier = *prompt.NewTier(promptless{c.app.Store()})
	reply, err := c.app.Router().Handle(t.Context(), router.Interaction{Text: "the kettle boils again", Context: router.Context{UserID: "ann", SessionID: "s"}})
	if err != nil || reply.Reply != "I have no words today." || c.model.requests() != asked {
		t.Errorf("the reply is %q (%v) after %d requests", reply.Reply, err, c.model.requests()-asked)
	}
}
