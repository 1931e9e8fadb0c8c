package summary

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word of a text.
type token struct {
	word  string // lower case, without apostrophes
	upper bool   // begins with a capital letter
	first bool   // begins a sentence
	digit bool   // contains a digit
}

// tokenize splits a text into words. A word consists of letters, digits and what joins them: an
// apostrophe, a hyphen, a point or comma within a number.
func tokenize(text string) []token {
	out := make([]token, 0, len(text)/5+1)
	first := true
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if r == '.' || r == '!' || r == '?' || r == '\n' {
				first = true
			}
			i += n
			continue
		}
		end := wordEnd(text, i)
		out = append(out, newToken(text[i:end], first))
		first = false
		i = end
	}
	return out
}

// wordEnd returns the end of the word that begins at i.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			if !joins(r) || i+n >= len(text) {
				return i
			}
			next, _ := utf8.DecodeRuneInString(text[i+n:])
			if !unicode.IsLetter(next) && !unicode.IsDigit(next) || (r == '.' || r == ',') && !unicode.IsDigit(next) {
				return i
			}
		}
		i += n
	}
	return i
}

func joins(r rune) bool {
	return r == '\'' || r == '’' || r == '-' || r == '.' || r == ',' || r == '_'
}

func newToken(word string, first bool) token {
	r, _ := utf8.DecodeRuneInString(word)
	t := token{upper: unicode.IsUpper(r), first: first}
	t.word = strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' {
			return -1
		}
		t.digit = t.digit || unicode.IsDigit(r)
		return unicode.ToLower(r)
	}, word)
	return t
}

// words counts the words of a text, separated by spaces.
func words(text string) int { return len(strings.Fields(text)) }
