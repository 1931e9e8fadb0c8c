package extract

import (
	"testing"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier"
)

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
