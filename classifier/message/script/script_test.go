package script_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/classifier/message/script"
)

func TestUnits(t *testing.T) {
	for _, want := range []string{
		"取 消 订 单", "注 文 を キ ャ ン セ ル", "コ ー ヒ ー", "我 要 𠮷",
		"เสี ย", "ใส่ ไม่ ได้", "น้ำ", "เดี๋ ย ว", "ສະ ບາ ຍ ດີ", "មា ន", "ក្ខ", "မ င်္ဂ လာ",
	} {
		text := strings.ReplaceAll(want, " ", "")
		var got []string
		for rest := text; rest != ""; {
			n := script.Unit(rest)
			if n == 0 || !utf8.ValidString(rest[:n]) {
				t.Fatalf("%q: a unit of %d bytes", rest, n)
			}
			got = append(got, rest[:n])
			rest = rest[n:]
		}
		if diff := cmp.Diff(strings.Fields(want), got); diff != "" {
			t.Error(diff)
		}
		if n := script.Units(text + "!"); n != len(got) {
			t.Errorf("%q has %d units, want %d", text, n, len(got))
		}
	}
}

func TestUnspaced(t *testing.T) {
	for _, r := range "aß1éяאع한ह。，、！฿ " {
		if script.Unspaced(r) {
			t.Errorf("%q has no spaces between words", r)
		}
	}
	for _, r := range "我を アーกສមမ々〇" {
		if r != ' ' && !script.Unspaced(r) {
			t.Errorf("%q has spaces between words", r)
		}
	}
}
