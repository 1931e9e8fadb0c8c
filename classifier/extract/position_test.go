package extract

import (
	"testing"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
	"pgregory.net/rapid"
)

func TestPositionsCountCodePoints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-z ]|é|👍🏽|\xff|مر){0,300}`)).Draw(rt, "text")
		at := newPositions(text)
		for i := range text {
			if got, want := at.rune(i), utf8.RuneCountInString(text[:i]); got != want {
				rt.Fatalf("rune(%d) = %d, want %d in %q", i, got, want, text)
			}
		}
		if got, want := at.rune(len(text)), utf8.RuneCountInString(text); got != want {
			rt.Fatalf("rune(%d) = %d, want %d", len(text), got, want)
		}
	})
}

// TestOffsetsInOtherScripts finds one value each behind emoji with modifiers, combining
// marks, and text from right to left.
func TestOffsetsInOtherScripts(t *testing.T) {
	x := New(everything(), nil)
	for _, tc := range []struct {
		before, value, after, param string
	}{
		{"👍🏽👩‍👩‍👧 ", "jo@example.com", " 🙏", "email"},
		{"cafe\u0301 ne\u0301e ", "$12.50", " o\u0308", "money"},
		{"اتصل بي على ", "+44 20 7946 0958", " شكرا", "phone"},
		{"האתר ", "https://example.org/א", " כאן", "url"},
		{"日本 ", "20%", "。", "percentage"},
		{"\xff\xfe O-", "12345", " \xff", "order_id"},
	} {
		text := tc.before + tc.value + tc.after
		found := false
		for _, v := range x.Extract(classifier.Input{Text: text, Now: now}, nil) {
			start := utf8.RuneCountInString(tc.before)
			found = found || v.Param == tc.param && v.Text == tc.value && v.Start == start && v.End == start+utf8.RuneCountInString(tc.value)
		}
		if !found {
			t.Errorf("Extract(%q) has no %s at its place", text, tc.param)
		}
	}
}
