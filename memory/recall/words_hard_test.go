package recall

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/internal/test/hardtext"
)

func TestTermsAreWholeCharacters(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := hardtext.Texts().Draw(rt, "text")
		Terms(text, func(term, word []byte) {
			if len(term) == 0 || !utf8.Valid(term) || !utf8.Valid(word) {
				rt.Fatalf("%q is the term of %q in %q", term, word, text)
			}
		})
	})
}

func TestTermsOfOtherForms(t *testing.T) {
	terms := func(text string) (out []string) {
		Terms(text, func(term, _ []byte) { out = append(out, string(term)) })
		return out
	}
	for _, alike := range [][2]string{{"CAFE\u0301", "café"}, {"ΟΔΟΣ", "οδος"}, {"Maria’s dogs", "maria dog"}, {"ＦＵＬＬ", "full"}} {
		a, b := terms(alike[0]), terms(alike[1])
		if len(a) == 0 || len(a) != len(b) || a[0] != b[0] || a[len(a)-1] != b[len(b)-1] {
			t.Errorf("%q has %q, %q has %q", alike[0], a, alike[1], b)
		}
	}
}
