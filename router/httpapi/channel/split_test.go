package channel

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  []string
	}{
		{"", 5, []string{""}},
		{"short", 5, []string{"short"}},
		{"two words", 5, []string{"two", "words"}},
		{"One sentence. Another one.", 20, []string{"One sentence.", "Another one."}},
		{"first line\nsecond line. it goes on", 25, []string{"first line\nsecond line.", "it goes on"}},
		{"withoutanyspace", 6, []string{"withou", "tanysp", "ace"}},
		{"😀😀😀", 4, []string{"😀😀", "😀"}},
	} {
		if diff := cmp.Diff(c.want, split(c.text, c.limit)); diff != "" {
			t.Errorf("%q: -want +got\n%s", c.text, diff)
		}
	}
}

// The parts have all letters of the text in their order. No part is too long or empty.
func TestSplitLosesNothing(t *testing.T) {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.TrimSpace(rapid.StringOf(rapid.SampledFrom([]rune("ab .!?\n😀é"))).Draw(t, "text"))
		limit := rapid.IntRange(2, 12).Draw(t, "limit")
		parts := split(text, limit)
		for _, p := range parts {
			if units(p) > limit || !utf8.ValidString(p) || p == "" && text != "" {
				t.Errorf("part %q of %q", p, parts)
			}
		}
		if got := letters(strings.Join(parts, "")); got != letters(text) {
			t.Errorf("%q became %q", text, parts)
		}
	})
}
