package telemetry

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/internal/test/hardtext"
)

func TestAMatchIsAWholePartOfItsText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value := hardtext.Texts().Draw(rt, "value")
		text := hardtext.Texts().Draw(rt, "before") + " " + value + " " + hardtext.Texts().Draw(rt, "after")
		var m matcher
		m.addValue(value, minDigits, extends, redacted)
		end := 0
		for _, s := range m.spans(text) {
			if s.start < end || s.end <= s.start || s.end > len(text) || !atBoundary(text, s.start) || !atBoundary(text, s.end) {
				rt.Fatalf("%+v behind %d of %q", s, end, text)
			}
			end = s.end
		}
		if len(core(value)) >= minScrub && utf8.ValidString(text) && end == 0 {
			rt.Fatalf("%q is not found in %q", value, text)
		}
	})
}

// atBoundary reports whether a character begins at a byte.
func atBoundary(text string, at int) bool {
	_, broken := utf8.DecodeRuneInString(text[at:])
	return at == len(text) || utf8.RuneStart(text[at]) || broken == 1
}

func TestAMatchKnowsOtherForms(t *testing.T) {
	for _, tc := range [][2]string{
		{"İpek İnci", "ipek inci"}, {"Zoe\u0301", "ZOÉ"}, {"ΟΔΟΣ", "οδος"}, {"Maria", "Ma\u200bria"}, {"O’Neill", "o'neill"}, {"Hauptstr.\n12a", "hauptstr. 12a"}, {"1234", "１２３４"},
	} {
		if got := Scrub("is "+tc[1]+" there", []string{tc[0]}).String(); strings.TrimSpace(got) != "is [redacted] there" {
			t.Errorf("%q in %q leaves %q", tc[0], tc[1], got)
		}
	}
}
