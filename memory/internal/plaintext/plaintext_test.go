package plaintext

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"No end", []string{"No end"}},
		{"It costs 3.50 euro. Really?! \"Yes.\" Fine", []string{"It costs 3.50 euro. ", "Really?! ", "\"Yes.\" ", "Fine"}},
		{"a line\nanother\n\n", []string{"a line\n", "another\n\n"}},
		{"一。二！三", []string{"一。", "二！", "三"}},
	} {
		if diff := cmp.Diff(test.want, slices.Collect(Sentences(test.text))); diff != "" {
			t.Errorf("Sentences(%q) (-want +got):\n%s", test.text, diff)
		}
	}
}
