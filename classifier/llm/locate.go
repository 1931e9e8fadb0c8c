package llm

import (
	"unicode"
	"unicode/utf8"
)

// place is where a text stands in the message: code points, and bytes.
type place struct {
	start, end         int
	startByte, endByte int
}

// locate finds the first place of said in text that no place in taken overlaps, without
// regard to case and to the kind of apostrophe. Where said begins or ends inside a word or
// a number it does not count: 2345 does not stand in O-12345.
func locate(text, said string, taken []place) (place, bool) {
	want := folded(said)
	if len(want) == 0 {
		return place{}, false
	}
	have := folded(text)
	for at := 0; at+len(want) <= len(have); at++ {
		end := at + len(want)
		if !matches(have[at:end], want) || inside(have, at) || inside(have, end) {
			continue
		}
		if p := (place{start: at, end: end}); !overlaps(p, taken) {
			p.startByte, p.endByte = byteOf(text, at), byteOf(text, end)
			return p, true
		}
	}
	return place{}, false
}

func matches(a, b []rune) bool {
	for i, r := range b {
		if a[i] != r {
			return false
		}
	}
	return true
}

func overlaps(p place, taken []place) bool {
	for _, t := range taken {
		if p.start < t.end && t.start < p.end {
			return true
		}
	}
	return false
}

// inside reports whether a word goes on across offset at.
func inside(text []rune, at int) bool {
	if at == 0 || at == len(text) {
		return false
	}
	a, b := text[at-1], text[at]
	return wordy(a) && wordy(b) && !(unspaced(a) || unspaced(b)) || unicode.IsMark(b)
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// unspaced reports whether r is of a script that puts no spaces between words, so that
// any letter may begin one.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// folded is text with one code point for each of its own.
func folded(text string) []rune {
	runes := []rune(text)
	for i, r := range runes {
		if r == '’' {
			r = '\''
		}
		runes[i] = unicode.ToLower(r)
	}
	return runes
}

// byteOf is the offset in bytes of code point n.
func byteOf(text string, n int) int {
	at := 0
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}
