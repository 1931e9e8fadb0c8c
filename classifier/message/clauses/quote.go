package clauses

import (
	"unicode"
	"unicode/utf8"
)

// quoteSpans are the quoted stretches of a text, in bytes.
type quoteSpans [][2]int

// holds reports whether a byte stands in quotation marks.
func (q quoteSpans) holds(i int) bool {
	for _, s := range q {
		if i > s[0] && i < s[1] {
			return true
		}
	}
	return false
}

const (
	longestQuote = 300 // bytes; a mark further away closes something else
	mostQuotes   = 8
)

// quotes finds what stands in quotation marks. A mark without a partner is none, and an
// apostrophe opens only behind a space.
func quotes(text string) quoteSpans {
	var out quoteSpans
	open, closing := -1, rune(0)
	for i, r := range text {
		switch {
		case open >= 0 && i-open > longestQuote:
			open = -1
		case open >= 0 && (r == closing || closing == '”' && r == '“') && closes(text, i, r):
			out = append(out, [2]int{open, i})
			open = -1
			if len(out) == mostQuotes {
				return out
			}
		case open < 0 && closer(r) != 0 && opens(text, i, r):
			open, closing = i, closer(r)
		}
	}
	return out
}

func closer(r rune) rune {
	switch r {
	case '"', '\'':
		return r
	case '“', '„':
		return '”'
	case '‘':
		return '’'
	case '«':
		return '»'
	}
	return 0
}

// opens reports whether a mark has a space before it and a word behind it.
func opens(text string, i int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
	return (i == 0 || !wordy(before)) && !unicode.IsSpace(after)
}

// closes reports whether a mark has no letter behind it: the one in "don't" has.
func closes(text string, i int, r rune) bool {
	after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
	return i+utf8.RuneLen(r) == len(text) || !wordy(after)
}
