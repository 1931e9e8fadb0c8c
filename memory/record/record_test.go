package record

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/memory"
)

// Lengths stand in front of texts, so that no two rows have the same bytes.
func TestSumTellsColumnsApart(t *testing.T) {
	var s Sum
	seen := map[int64][]string{}
	for _, texts := range [][]string{{"ab", ""}, {"a", "b"}, {"", "ab"}, {"ab"}, {"a", "b", ""}} {
		crc := s.Ints(1).Texts(texts...).CRC()
		if other, ok := seen[crc]; ok {
			t.Errorf("%q and %q have one checksum", texts, other)
		}
		seen[crc] = texts
		if again := s.Ints(1).Texts(texts...).CRC(); again != crc {
			t.Errorf("%q: %d, then %d", texts, crc, again)
		}
	}
}

// The checksum is the CRC32C of RFC 3720, B.4: 32 bytes of zeros are 8a9136aa.
func TestSumIsCRC32C(t *testing.T) {
	want := uint32(0x8a9136aa)
	if got := new(Sum).Ints(0, 0, 0, 0).CRC(); uint32(got) != want {
		t.Errorf("checksum %08x, want %08x", uint32(got), want)
	}
}

func TestExtras(t *testing.T) {
	m := memory.Message{
		Seq: 1, Role: memory.Agent, Timestamp: time.Unix(0, 0).UTC(), Metadata: map[string]string{"\x00": "<"},
		ToolCalls: []memory.ToolCall{{ID: "1", Tool: "t", Args: []byte(`{"a":"<"}`)}},
	}
	x, err := ExtrasOf(&m)
	if err != nil {
		t.Fatal(err)
	}
	got := memory.Message{Seq: 1, Role: memory.Agent, Timestamp: m.Timestamp}
	if !x.Apply(&got) {
		t.Fatal("not JSON")
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	if (Extras{Calls: "{"}).Apply(&got) {
		t.Error("half a list of calls was read")
	}
	m.ToolCalls[0].Args = []byte("{")
	if _, err := ExtrasOf(&m); !errors.Is(err, memory.ErrBadDelta) {
		t.Errorf("arguments that are no JSON: %v", err)
	}
}
