package remembering

import (
	"fmt"
	"testing"

	"github.com/slotway/slotway/internal/build"
	"github.com/slotway/slotway/memory"
)

// BenchmarkContext measures how long a turn with a generate step takes to assemble the past, with
// the tiers of the settings, for a short and a long session.
func BenchmarkContext(b *testing.B) {
	for _, n := range []int{10, 600, 7000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := newCompanion(b, "memory.strategy=hybrid")
			key := memory.Key{UserID: "ann", AgentID: c.app.Agent().ID, SessionID: "s"}
			d := &memory.Delta{Key: key, At: c.clock(), State: memory.State{Params: map[string]any{}}}
			for i := range n {
				role := memory.User
				if i%2 == 1 {
					role = memory.Agent
				}
				text := fmt.Sprintf("%s, and number %d said so", chatter[i%len(chatter)], i)
				d.Messages = append(d.Messages, memory.Message{Seq: int64(i + 1), Turn: int64(i/2 + 1), Role: role, Text: text, Timestamp: c.clock()})
			}
			if err := c.app.Store().Commit(b.Context(), d); err != nil {
				b.Fatal(err)
			}
			for range 30 { // enough that the background makes its summary
				c.say("ann", "s", "the cat is red and white")
			}
			c.settle()
			tiers := c.app.Tiers()
			sessions := memory.NewConversations(c.app.Store(), c.app.Settings().Memory.MaxTurns*build.MessagesPerTurn)
			const text = "who plays the trumpet in the rain?"
			assemble := func() {
				session, err := sessions.ForSession(b.Context(), key)
				if err != nil {
					b.Fatal(err)
				}
				known, err := memory.Assemble(b.Context(), tiers, session.Request(text, c.clock(), c.app.Settings().Memory.MaxHistoryTokens))
				if err != nil || len(known.Failed) > 0 {
					b.Fatalf("%+v, %v", known, err)
				}
			}
			assemble() // builds the index
			b.ReportAllocs()
			for b.Loop() {
				assemble()
			}
		})
	}
}
