package telemetry

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// asciiText is a text with other characters of the same meaning replaced by ASCII: keyboards write
// numbers full-width, with no-break spaces, with all kinds of dashes and slashes and with invisible
// characters, and they are the same numbers.
type asciiText struct {
	text string
	from []int // by byte of text, and at its end: where in the source that stands
}

// toASCII returns nil for a text that is ASCII already, as most are.
func toASCII(text string) *asciiText {
	if isASCII(text) {
		return nil
	}
	f := &asciiText{from: make([]int, 0, len(text)+1)}
	var out strings.Builder
	for at, r := range text {
		for _, p := range asciiRune(r) {
			n, _ := out.WriteRune(p)
			for range n {
				f.from = append(f.from, at)
			}
		}
	}
	f.text, f.from = out.String(), append(f.from, len(text))
	return f
}

func isASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= utf8.RuneSelf || c < ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// source maps a span of the ASCII text back to the original.
func (f *asciiText) source(s span) span {
	s.start, s.end = f.from[s.start], f.from[s.end]
	return s
}

// asciiRune returns a rune in ASCII, or unchanged; "" for an invisible one.
func asciiRune(r rune) string {
	switch {
	case r == utf8.RuneError: // also a byte that is no rune: it takes one place or three, and ends a number
		return "?"
	case r < ' ' || r == 0x7f || unicode.Is(unicode.Z, r):
		return " "
	case r < utf8.RuneSelf:
		return string(r)
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r):
		return ""
	case unicode.Is(unicode.Pd, r) || r == '\u2212': // minus
		return "-"
	case strings.ContainsRune("\u2044\u2215\u29f8", r): // fraction slash, division slash, big solidus
		return "/"
	case strings.ContainsRune("\u2024\u3002\uff61\u00b7", r): // leader, ideographic full stops, middle dot
		return "."
	case unicode.Is(unicode.Nd, r):
		return string('0' + digitValue(r))
	}
	if s := norm.NFKC.String(string(r)); len(s) > 0 && isASCII(s) {
		return s
	}
	return string(r)
}

// digitValue returns the value of a decimal digit of any script: each has its ten in a row.
func digitValue(r rune) rune {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	return 0
}

// asciiOf returns a text as toASCII makes it.
func asciiOf(text string) string {
	if f := toASCII(text); f != nil {
		return f.text
	}
	return text
}
