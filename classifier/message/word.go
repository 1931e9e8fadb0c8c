package message

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// EachWord cuts a text into words and yields where each stands: a run of letters and figures, with the
// apostrophes before a letter of it. Every list of words is spelt for these.
func EachWord(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for i := 0; i < len(text); {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !InWord(r) || unicode.IsMark(r) { // a mark alone, as behind an emoji, begins none
				i += n
				continue
			}
			end := endOfWord(text, i)
			if !yield(i, end) {
				return
			}
			i = end
		}
	}
}

// InWord reports whether a character belongs to words.
func InWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return IsLetter(r) || unicode.IsDigit(r)
}

// IsApostrophe reports whether a character is one inside of words.
func IsApostrophe(r rune) bool { return r == '\'' || r == '’' }

// endOfWord returns where the word that begins at i ends.
func endOfWord(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !InWord(r) {
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if !IsApostrophe(r) || !unicode.IsLetter(next) {
				return i
			}
		}
		i += n
	}
	return i
}

// WordsOf returns the words of a text, folded.
func WordsOf(text string) []string {
	text = Fold(text)
	words := make([]string, 0, strings.Count(text, " ")+2) // a code is two: "O-1"
	for start, end := range EachWord(text) {
		words = append(words, text[start:end])
	}
	return words
}
