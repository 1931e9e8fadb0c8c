package message

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message/script"
)

// Others see tokens joined: "O12" is one word to a list of words, "O-12" to a model of what clauses do.
// They say with [RunEnd] which tokens go on a word, so that a message is cut in one place only.

// RunEnd returns the end of the run of tokens that begins at token i: of those that touch each other
// and that goesOn holds together.
func RunEnd(tokens []Token, i int, goesOn func(k int) bool) int {
	for i++; i < len(tokens) && tokens[i].Start == tokens[i-1].End && goesOn(i); i++ {
	}
	return i
}

// InWord reports whether a token is made of letters or figures.
func (t *Token) InWord() bool {
	return t.Class != Symbol || t.first() >= utf8.RuneSelf && unicode.IsDigit(t.first())
}

// IsApostrophe reports whether a token is an apostrophe that stands alone.
func (t *Token) IsApostrophe() bool { return t.Class == Symbol && IsApostrophe(t.first()) }

func (t *Token) first() rune {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return r
}

// EachWord yields the words that tokens make up, [from, to) of each: letters and figures that touch, with
// the apostrophes before a letter. Every list of words is spelt for these.
func EachWord(tokens []Token) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(tokens); {
			if !tokens[i].InWord() {
				i++
				continue
			}
			end := RunEnd(tokens, i, func(k int) bool {
				return tokens[k].InWord() || tokens[k].IsApostrophe() && k+1 < len(tokens) && tokens[k+1].Start == tokens[k].End && tokens[k+1].Class == Letters
			})
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

// InOneWord reports whether a word goes on across a byte of a text. A unit of a script without spaces is
// a word.
func InOneWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return InWord(before) && InWord(after) && (unicode.IsMark(after) || !script.Unspaced(before) && !script.Unspaced(after))
}

// IsApostrophe reports whether a character is one inside of words.
func IsApostrophe(r rune) bool { return r == '\'' || r == '’' }

// WordsOf returns the words of a text, folded.
func WordsOf(text string) []string {
	text = Fold(text)
	tokens := Tokenize(text, nil)
	words := make([]string, 0, len(tokens)) // a code is two: "O-1"
	for from, to := range EachWord(tokens) {
		words = append(words, text[tokens[from].Start:tokens[to-1].End])
	}
	return words
}
