package remembering

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/memory"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestMessageTTL: a message past its time-to-live is neither in the window nor recalled, in every
// store. It stays stored, inactive.
func TestMessageTTL(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		c := newCompanion(t, append(set, "memory.message_ttl=1h", "memory.max_turns=2", "memory.ttl=24h")...)
		key := memory.Key{UserID: "ann", AgentID: c.app.Agent().ID, SessionID: "s"}
		c.say("ann", "s", "the flowerpot is behind the shed")
		const quoted = "\n> [user, 2026-05-04] the flowerpot is behind the shed" // a reply that quotes it is younger
		c.wait(30 * time.Minute)
		for _, text := range chatter[:4] {
			c.say("ann", "s", text)
		}
		c.settle()
		c.say("ann", "s", "where did we put the flowerpot?")
		if !strings.Contains(c.model.told(), quoted) {
			t.Errorf("within its time it is not recalled:\n%s", c.model.told())
		}
		c.wait(31 * time.Minute) // the first message is over, those in the window are not
		c.say("ann", "s", "where did we put the flowerpot?")
		if strings.Contains(c.model.told(), quoted) {
			t.Errorf("it is told after its time:\n%s", c.model.told())
		}
		actives := func() []int64 {
			t.Helper()
			list, err := c.app.Store().Messages(t.Context(), key, memory.Page{})
			if err != nil {
				t.Fatal(err)
			}
			var seqs []int64
			for _, m := range list {
				seqs = append(seqs, m.Seq)
			}
			return seqs
		}
		if got := actives(); len(got) == 0 || got[0] != 3 || len(got) != 12 {
			t.Errorf("active are %v, want those from 3 on", got)
		}
		c.wait(2 * time.Hour) // all are
		c.say("ann", "s", "the tulips are out")
		if got := actives(); !slices.Equal(got, []int64{15, 16}) {
			t.Errorf("active are %v, want 15 and 16", got)
		}
		all, err := c.app.Store().Messages(t.Context(), key, memory.Page{Inactive: true})
		if err != nil || len(all) != 16 {
			t.Errorf("%d messages are stored, %v", len(all), err)
		}
		c.healthy()
	})
}
