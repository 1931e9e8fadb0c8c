package redis

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/slotway/slotway/memory"
)

// Every message comes back as it was, none and empty apart, and only for its own place.
func TestPack(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	raw := rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) json.RawMessage { return b })
	call := rapid.Custom(func(t *rapid.T) memory.ToolCall {
		return memory.ToolCall{ID: text.Draw(t, "id"), Tool: text.Draw(t, "tool"), Args: rapid.OneOf(raw, rapid.Just(json.RawMessage(nil))).Draw(t, "args")}
	})
	rapid.Check(t, func(t *rapid.T) {
		m := memory.Message{
			Seq: rapid.Int64().Draw(t, "seq"), Turn: rapid.Int64().Draw(t, "turn"),
			Role: memory.Role(text.Draw(t, "role")), Text: text.Draw(t, "text"),
			Timestamp:  time.UnixMicro(rapid.Int64Range(-62135596800000000, 1<<52).Draw(t, "at")).UTC(),
			Metadata:   rapid.OneOf(rapid.MapOf(text, text), rapid.Just(map[string]string(nil))).Draw(t, "metadata"),
			ToolCalls:  rapid.OneOf(rapid.SliceOf(call), rapid.Just([]memory.ToolCall(nil))).Draw(t, "calls"),
			ToolCallID: text.Draw(t, "call"), Name: text.Draw(t, "name"),
			Tokens: rapid.Int().Draw(t, "tokens"), Importance: rapid.Int().Draw(t, "importance"),
		}
		got, ok := unpack("a", pack("a", &m))
		if diff := cmp.Diff(m, got); !ok || diff != "" {
			t.Fatalf("read %v (-want +got):\n%s", ok, diff)
		}
		if _, ok := unpack("b", pack("a", &m)); ok {
			t.Fatal("a message of another place was taken")
		}
	})
}

func TestZeroTime(t *testing.T) {
	if m, ok := unpack("a", pack("a", &memory.Message{})); !ok || !m.Timestamp.IsZero() {
		t.Errorf("read %v, %v", m.Timestamp, ok)
	}
}

// Whatever bytes carry a right checksum: they are read without a panic or a large
// allocation, and what is read packs to something that reads the same.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte(pack("a", &memory.Message{Seq: 1, Text: "x", ToolCalls: []memory.ToolCall{{ID: "1", Args: []byte("{}")}}})[sumBytes:]))
	f.Add([]byte{0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, fields []byte) {
		sum := checksum("a", fields)
		m, ok := unpack("a", string(sum[:])+string(fields))
		if !ok {
			return
		}
		again, ok := unpack("a", pack("a", &m))
		if diff := cmp.Diff(m, again); !ok || diff != "" {
			t.Errorf("read again (-want +got):\n%s", diff)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(trailer{id: "00ff", version: 3, nextSeq: 7, created: -5, updated: 9, bytes: 100}.String())
	f.Add("gone")
	f.Add("a|1|2|3|4|99999999999999999999")
	f.Fuzz(func(t *testing.T, text string) {
		if e, outcome := parse("00ff", []string{text}); outcome == Hit && e.trailer.id != "00ff" {
			t.Errorf("took the mark of %q", e.trailer.id)
		}
	})
}
