package summary

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/internal/test/hardtext"
)

// What is dropped of a sentence takes nothing of the rest along, and every word is seen.
func TestWordsAreWholeInAnyScript(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := hardtext.Texts().Draw(rt, "text")
		tokens := tokenize(text)
		if has := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }); has != (len(tokens) > 0) {
			rt.Fatalf("%d words in %q", len(tokens), text)
		}
		if rest := withoutLead(text); !strings.HasSuffix(text, rest) {
			rt.Fatalf("%q is no end of %q", rest, text)
		}
		for field := range strings.FieldsSeq(withoutWeight(text)) {
			if !strings.Contains(text, field) {
				rt.Fatalf("%q is not in %q", field, text)
			}
		}
	})
}

func TestWordsOfATextAreTold(t *testing.T) {
	var got []string
	for _, tok := range tokenize("Don't wait: O-12 costs 1,299.50, ΟΔΟΣ\nİpek’s cafe\u0301 (well-known).") {
		word := tok.word
		if tok.first {
			word = "^" + word
		}
		if tok.digit {
			word += "#"
		}
		got = append(got, word)
	}
	if said := strings.Join(got, " "); said != "^dont wait o-12# costs 1,299.50# οδοσ ^ipeks café well-known" {
		t.Error(said)
	}
}
