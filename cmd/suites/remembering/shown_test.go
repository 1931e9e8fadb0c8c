package remembering

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/prompt"
	"github.com/slotway/slotway/router/sessions"
)

// TestShownIsSent draws forty sessions: turns, pauses shorter and longer than the idle limit, jobs that
// ran and that did not, what was forgotten. What 'memory context' and the route show of each is what
// the model gets with the next message, behind the step's own instruction.
func TestShownIsSent(t *testing.T) {
	for _, set := range [][]string{
		{"memory.max_turns=3"},
		{"memory.compression.threshold_tokens=100", "memory.compression.recent_messages_to_keep=4"},
		{"memory.strategy=hybrid", "memory.summary.trigger_message_count=6", "memory.summary.recent_message_count=4", "memory.max_history_tokens=300"},
		{"memory.strategy=summarization", "memory.summary.trigger_message_count=6", "memory.message_ttl=30m"},
	} {
		c := newCompanion(t, set...)
		for n := range uint64(10) {
			r := rand.New(rand.NewPCG(n, 36))
			session := string(rune('a' + n))
			key := memory.Key{UserID: "ann", AgentID: c.app.Agent().ID, SessionID: session}
			c.say("ann", session, "My name is Alice and I live in Porto")
			for range r.IntN(12) {
				switch r.IntN(8) {
				case 0:
					c.wait(time.Duration(r.IntN(120)) * time.Minute)
				case 1:
					c.settle()
				case 2:
					if _, err := sessions.Clear(t.Context(), c.app.Store(), key, c.clock()); err != nil {
						t.Fatal(err)
					}
				default:
					c.say("ann", session, chatter[r.IntN(len(chatter))])
				}
			}
			c.settle()
			next := chatter[r.IntN(len(chatter))]
			c.wait(time.Second) // as turn does
			known, err := c.app.Context(t.Context(), key, next)
			if err != nil {
				t.Fatal(err)
			}
			c.app.Say("ann", session, next)
			var shown []chatLine
			for _, m := range prompt.Messages(known, next) {
				role := string(m.Role)
				if m.Role == memory.Agent {
					role = "assistant"
				}
				shown = append(shown, chatLine{role, m.Text})
			}
			if diff := cmp.Diff(shown, c.model.sent()); diff != "" {
				t.Errorf("%v, session %d (-shown +sent):\n%s", set, n, diff)
			}
		}
	}
}
