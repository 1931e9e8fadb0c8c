package redis

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/seal"
)

// Every message comes back as it was, and only for its own place.
func TestEntryComesBack(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	call := rapid.Custom(func(t *rapid.T) memory.ToolCall {
		return memory.ToolCall{ID: text.Draw(t, "id"), Tool: text.Draw(t, "tool"), Args: []byte(text.Draw(t, "args"))}
	})
	rapid.Check(t, func(t *rapid.T) {
		m := memory.Message{
			Seq: rapid.Int64().Draw(t, "seq"), Turn: rapid.Int64().Draw(t, "turn"),
			Role: memory.Role(text.Draw(t, "role")), Text: text.Draw(t, "text"),
			Timestamp: time.UnixMicro(rapid.Int64Range(-62135596800000000, 1<<52).Draw(t, "at")).UTC(),
			Metadata:  rapid.MapOf(text, text).Draw(t, "metadata"), ToolCalls: rapid.SliceOf(call).Draw(t, "calls"),
			ToolCallID: text.Draw(t, "call"), Name: text.Draw(t, "name"),
			Tokens: rapid.Int().Draw(t, "tokens"), Importance: rapid.Int().Draw(t, "importance"),
		}
		e := &entry{Version: 1, NextSeq: 2, Created: m.Timestamp, Updated: m.Timestamp, Messages: []memory.Message{m}}
		value, err := e.encode("a", seal.Box{})
		if err != nil {
			t.Fatal(err)
		}
		got, outcome := decode("a", value, seal.Box{})
		if diff := cmp.Diff(*e, got, cmpopts.IgnoreUnexported(entry{}), cmpopts.EquateEmpty()); outcome != Hit || diff != "" {
			t.Fatalf("read %s (-want +got):\n%s", outcome, diff)
		}
		if _, outcome := decode("b", value, seal.Box{}); outcome != Damaged {
			t.Fatal("an entry of another place was taken")
		}
	})
}

// Whatever bytes carry a right checksum: they are read without a panic or a large allocation.
func FuzzDecode(f *testing.F) {
	value, err := (&entry{Version: 1, Messages: []memory.Message{{Seq: 1, Text: "x", ToolCalls: []memory.ToolCall{{ID: "1", Args: []byte("{}")}}}}}).encode("a", seal.Box{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(value[sumBytes:]))
	f.Fuzz(func(_ *testing.T, content []byte) { decode("a", checksum("a", content)+string(content), seal.Box{}) })
}
