package printable

import (
	"errors"
	"strings"
	"testing"
)

func TestCheckID(t *testing.T) {
	for _, good := range []string{"a", "Łódź 7", "conv_1:2/3", strings.Repeat("x", MaxID), "👩‍👩‍👧"} {
		if err := CheckID(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", strings.Repeat("x", MaxID+1), "a\nb", "a\tb", "a\x00", "\x7f", "\u0085", "\u009b", "a\u202eb", "\u2066", "\u200f", "\u061c", "a\u2028", "\xff", "\ufffd",
	} {
		if err := CheckID(bad); !errors.Is(err, ErrID) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
