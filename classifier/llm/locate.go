package llm

import (
	"unicode"

	"github.com/slotway/slotway/classifier/message"
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
			places := message.PlacesOf(text)
			p.startByte, p.endByte = places.Byte(at), places.Byte(end)
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
	return wordy(a) && wordy(b) && !(message.IsUnit(string(a)) || message.IsUnit(string(b))) || unicode.IsMark(b)
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

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
