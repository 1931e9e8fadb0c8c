package llm

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/internal/test/hardtext"
)

func TestAPlaceHoldsWhatWasSaid(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := hardtext.Texts().Draw(rt, "text")
		points := []rune(text)
		from := rapid.IntRange(0, len(points)).Draw(rt, "from")
		to := rapid.IntRange(from, len(points)).Draw(rt, "to")
		said := string(points[from:to])
		p, ok := locate(text, said, nil)
		if !ok {
			return
		}
		got := text[p.startByte:p.endByte]
		if utf8.RuneCountInString(text[:p.startByte]) != p.start || utf8.RuneCountInString(text[:p.endByte]) != p.end {
			rt.Fatalf("%q is at %+v of %q", said, p, text)
		}
		if len(message.Fold(got)) < len(message.Fold(said)) {
			rt.Fatalf("%q is found as %q in %q", said, got, text)
		}
		if again, ok := locate(text, said, []place{p}); ok && overlaps(again, []place{p}) {
			rt.Fatalf("%+v overlaps %+v", again, p)
		}
	})
}

func TestLocateKnowsOtherForms(t *testing.T) {
	for _, tc := range [][3]string{
		{"to İstanbul İnci please", "istanbul inci", "İstanbul İnci"},
		{"CAFE\u0301 Ⱥ", "café", "CAFE\u0301"},
		{"it’s Maria", "IT'S", "it’s"},
		{"O-12345", "2345", ""},
		{"京都駅", "都", "都"},
	} {
		p, ok := locate(tc[0], tc[1], nil)
		if ok != (tc[2] != "") || ok && tc[0][p.startByte:p.endByte] != tc[2] {
			t.Errorf("%q in %q is %+v, %v", tc[1], tc[0], p, ok)
		}
	}
}
