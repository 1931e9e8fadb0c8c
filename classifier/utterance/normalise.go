package utterance

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalise unifies different ways of writing: NFKC, every dash '-', straight quotes, ordinary
// spaces, and no invisible characters. It keeps case and everything else, because values are taken
// from its result. Text that needs no change is returned as it is.
func Normalise(text string) string {
	if plain(text) {
		return text
	}
	text = norm.NFKC.String(strings.ToValidUTF8(text, "\uFFFD"))
	last := rune(0)
	return norm.NFC.String(strings.Map(func(r rune) rune { // what was between two marks is gone
		inWord := unicode.IsLetter(last)
		last = r
		if r == joiner && inWord {
			return r
		}
		return common(r)
	}, text))
}

// joiner joins several emoji into one sign and is dropped there. Within a word it is kept: some
// scripts need it, and "y\u200des" is no yes.
const joiner = '\u200D'

// plain reports whether Normalise changes nothing: printable ASCII and line ends.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c != '\n' && (c < ' ' || c >= utf8.RuneSelf-1) {
			return false
		}
	}
	return true
}

// common maps a code point to the one that is written in its place; -1 drops it.
func common(r rune) rune {
	switch {
	case r == '\n':
		return r
	case r < utf8.RuneSelf:
		if r < ' ' || r == 0x7F {
			return ' '
		}
		return r
	case unicode.Is(unseen, r):
		return -1
	case unicode.Is(unicode.Pd, r) || unicode.Is(dashes, r):
		return '-'
	case unicode.Is(singleQuotes, r):
		return '\''
	case unicode.Is(doubleQuotes, r):
		return '"'
	case unicode.Is(unicode.Z, r) || unicode.Is(unicode.Cc, r):
		return ' '
	}
	return r
}

// unseen are code points without a shape: zero-width, directions, marks of byte order. The
// joiner is among them: a family of four becomes four faces.
var unseen = runes(0x00AD, 0x034F, 0x061C, 0x180E, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E,
	0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0x206A, 0x206B, 0x206C, 0x206D, 0x206E, 0x206F, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB)

var (
	dashes       = runes(0x2212, 0x2043, 0x2796, 0x00AF, 0x02D7) // minus, bullet and heavy dash: no dashes to Unicode
	singleQuotes = runes(0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0x2035, 0x02BC, 0x02B9, 0x02BB, 0x00B4)
	doubleQuotes = runes(0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0x2036, 0x00AB, 0x00BB)
)

func runes(rs ...rune) *unicode.RangeTable {
	t := &unicode.RangeTable{}
	for _, r := range rs {
		t.R32 = append(t.R32, unicode.Range32{Lo: uint32(r), Hi: uint32(r), Stride: 1})
	}
	return t
}
