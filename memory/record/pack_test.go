package record

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Every text comes back, and the same text gives the same bytes whatever was packed before: checksums
// are over what is stored.
func TestPack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{`{"order_id":`, `"O-12345"`, `,"at":"2026-11-27T10:26:03Z"`, `}`, "\x01", "é", `null`})
		text := "[" + strings.Join(rapid.SliceOf(part).Draw(t, "parts"), "")
		first := Pack([]byte(text))
		_ = Pack([]byte(rapid.String().Draw(t, "another") + text))
		if again := Pack([]byte(text)); !bytes.Equal(first, again) {
			t.Fatalf("%q is packed as %q, then as %q", text, first, again)
		}
		if back, err := Unpack(first); err != nil || string(back) != text {
			t.Fatalf("%q comes back as %q, %v", text, back, err)
		}
		if len(first) > len(text) {
			t.Fatalf("%q becomes longer", text)
		}
	})
	if back, err := Unpack(nil); back != nil || err != nil {
		t.Errorf("nothing comes back as %q, %v", back, err)
	}
	if _, err := Unpack([]byte{0, 0xff, 0xff}); err == nil {
		t.Error("what nobody packed was unpacked")
	}
}
