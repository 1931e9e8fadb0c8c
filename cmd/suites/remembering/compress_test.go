package remembering

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/archive"

	"github.com/slotway/slotway/internal/test/runtimetest"
)

// TestCompressionByDefault: the default strategy compresses a long conversation by its tokens.
// Exactly recent_messages_to_keep messages stay active, the summary covers the others, and none is
// deleted.
func TestCompressionByDefault(t *testing.T) {
	runtimetest.EveryStore(t, func(t *testing.T, set ...string) {
		c := newCompanion(t, append(set, "memory.compression.threshold_tokens=200", "memory.compression.recent_messages_to_keep=5")...)
		key := memory.Key{UserID: "ann", AgentID: c.app.Agent().ID, SessionID: "s"}
		c.say("ann", "s", "My name is Alice")
		said, rounds, before := 1, 0, 2
		for range 3 {
			for _, text := range chatter {
				c.say("ann", "s", text)
				said++
				c.settle()
				n := active(t, c, key)
				if n != before+2 {
					if rounds++; n != 5 {
						t.Errorf("%d messages are active after compression, want 5", n)
					}
				}
				before = n
			}
		}
		all, err := c.app.Store().Messages(t.Context(), key, memory.Page{Inactive: true})
		if err != nil || rounds == 0 || len(all) != 2*said {
			t.Errorf("compressed %d times, %d of %d messages are stored, %v", rounds, len(all), 2*said, err)
		}
		c.say("ann", "s", "one more thing")
		if told := c.model.told(); !strings.Contains(told, "Alice") {
			t.Errorf("what was compressed is not told:\n%s", told)
		}
		c.healthy()
	})
}

// active counts the active messages.
func active(t *testing.T, c *companion, key memory.Key) int {
	t.Helper()
	list, err := c.app.Store().Messages(t.Context(), key, memory.Page{})
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// TestCompressedIsArchived: messages that compression removes from the window are archived.
func TestCompressedIsArchived(t *testing.T) {
	c := newCompanion(t, "memory.compression.archive_conversations=true", "memory.compression.threshold_tokens=200", "memory.compression.recent_messages_to_keep=4")
	key := memory.Key{UserID: "ann", AgentID: c.app.Agent().ID, SessionID: "s"}
	for range 2 {
		for _, text := range chatter {
			c.say("ann", "s", text)
			c.settle()
		}
	}
	snap, err := c.app.Store().Load(t.Context(), key, memory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	views, err := c.app.Store().Views(t.Context(), memory.ViewQuery{UserID: key.UserID, SessionID: key.SessionID, Tier: archive.Name})
	if err != nil || len(views) == 0 || snap.Floor == 1 || views[len(views)-1].UpTo < snap.Floor-1 {
		t.Errorf("%d documents of what is before message %d, %v", len(views), snap.Floor, err)
	}
}
