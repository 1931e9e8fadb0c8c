package extract

import (
	"regexp"
	"testing"

	"github.com/slotway/slotway/classifier/extract/internal/scan"
	"pgregory.net/rapid"
)

// TestPrefilterDropsNoMatch checks that a text with a match passes the filter.
func TestPrefilterDropsNoMatch(t *testing.T) {
	for _, pattern := range []string{
		`\bO-(\d{4,10})\b`, `(?i)\bref[ -]?[a-z]{2}\d+`, `^(?:\d{5}|[A-Z]{2}\d{3})$`, `x*y?`, `(a|b+)c{2,3}`, `[^0-9]+`, `\pL+é`, `(?i:k)1`, `.{3}`, `(?:)`, `€\d`,
	} {
		re := regexp.MustCompile(pattern)
		needs := prefilter(re)
		rapid.Check(t, func(rt *rapid.T) {
			text := rapid.OneOf(rapid.StringMatching(`[ A-Za-z0-9é€K-]{0,12}`), rapid.StringMatching(pattern)).Draw(rt, "text")
			if re.MatchString(text) && !mayMatch(scan.BytesOf(text), needs) {
				rt.Fatalf("%s matches %q, which the filter drops", pattern, text)
			}
		})
	}
	if mayMatch(scan.BytesOf("where is my order"), prefilter(regexp.MustCompile(`\bO-(\d{4,10})\b`))) {
		t.Error("a text without digits may match an order id")
	}
}
