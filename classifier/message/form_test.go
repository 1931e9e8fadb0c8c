package message

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/internal/test/hardtext"
)

func TestNormalFormKeepsTheMeaning(t *testing.T) {
	for _, tc := range [][2]string{
		{"plain text, 1-2", "plain text, 1-2"},
		{"O‐20075 – O−1", "O-20075 - O-1"},
		{"O-2\u200b0075\ufeff", "O-20075"},
		{"\u202ewhere\u202c", "where"},
		{"👨\u200d👩", "👨👩"},
		{"y\u200des", "y\u200des"},
		{"‘don’t’ “no”", `'don't' "no"`},
		{"a\u00a0b\u2003c\td", "a b c d"},
		{"ｆｕｌｌ １２", "full 12"},
		{"e\u0301", "é"},
		{"a\x00b\nc", "a b\nc"},
		{"bad \xff", "bad \uFFFD"},
		{"2½ kg", "2 1/2 kg"},
		{"½ or 3⁄4", "1/2 or 3/4"},
		{"10² m", "10² m"},
		{"5º piso, nº 3", "5º piso, nº 3"},
		{"O− and A＋", "O- and A+"},
		{"…", "..."},
	} {
		if got := Normal(tc[0]); got != tc[1] {
			t.Errorf("Normal(%q) = %q, want %q", tc[0], got, tc[1])
		}
	}
}

func TestFoldComparesSpellings(t *testing.T) {
	for _, alike := range [][]string{
		{"İpek", "ipek"}, {"ΟΔΟΣ", "οδος", "οδοσ"}, {"Don’t", "DON'T"}, {"CAFE\u0301", "café"}, {"ⱥ", "Ⱥ"}, {"ＹＥＳ", "yes"},
	} {
		for _, other := range alike[1:] {
			if Fold(alike[0]) != Fold(other) {
				t.Errorf("Fold(%q) = %q, Fold(%q) = %q", alike[0], Fold(alike[0]), other, Fold(other))
			}
		}
	}
}

func TestTrimKnowsOtherForms(t *testing.T) {
	if got := Trim("\u3000「」， İpek İnci\u200b！\u00a0", " ,!「」"); got != "İpek İnci" {
		t.Errorf("Trim = %q", got)
	}
}

func TestEveryPieceOfAFormLeadsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sent := hardtext.Texts().Draw(rt, "sent")
		for name, f := range map[string]Form{"normal": Normalise(sent), "folded": Folded(sent)} {
			if !utf8.ValidString(f.Text) || Normal(f.Text) != f.Text {
				rt.Fatalf("%s %q is not stable: %q", name, f.Text, Normal(f.Text))
			}
			end := 0
			for i, r := range f.Text {
				from, to := f.Back(i, i+utf8.RuneLen(r))
				if from < 0 || to <= from || to > len(sent) || from < end && sent[from:to] == string(r) {
					rt.Fatalf("%s %q: %q leads to [%d,%d) behind %d of %q", name, f.Text, r, from, to, end, sent)
				}
				if (unicode.IsLetter(r) || unicode.IsDigit(r)) && Fold(sent[from:to]) == "" {
					rt.Fatalf("%s: %q leads to nothing of %q", name, r, sent)
				}
				end = max(end, to)
			}
			if Normal(sent[end:]) != "" {
				rt.Fatalf("%s %q loses %q", name, f.Text, sent[end:])
			}
			at := rapid.IntRange(0, len(f.Text)).Draw(rt, "at")
			if utf8.RuneStart(append([]byte(f.Text), 0)[at]) {
				if rest := f.After(at); !strings.HasSuffix(sent, rest) {
					rt.Fatalf("After(%d) = %q", at, rest)
				}
				if head := f.Before(len(f.Text) - at); !strings.HasPrefix(sent, head) {
					rt.Fatalf("Before = %q", head)
				}
			}
		}
	})
}

func TestPlacesCountCodePoints(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.OneOf(hardtext.Texts(), rapid.StringMatching(`([a-z ]|é|👍🏽|\xff|مر){0,300}`)).Draw(rt, "text")
		p, points := PlacesOf(text), 0
		for i := range text {
			if p.Point(i) != points || p.Byte(points) != i {
				rt.Fatalf("Point(%d) = %d, Byte(%d) = %d in %q", i, p.Point(i), points, p.Byte(points), text)
			}
			points++
		}
		if p.Point(len(text)) != points || p.Byte(points) != len(text) || p.Byte(points+9) != len(text) || p.Between(0, points) != text {
			rt.Fatalf("the end of %q", text)
		}
	})
}
