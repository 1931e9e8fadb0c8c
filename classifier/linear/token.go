package linear

import (
	"unicode"
	"unicode/utf8"
)

// maxWordBytes bounds what one word contributes, so that a megabyte without a space
// costs no more than a long word.
const maxWordBytes = 64

// digitClass stands for any run of digits.
const digitClass = '0'

// word is a token of the lower-cased text: bytes [start, end) of tokens.buf, made of the
// bytes [from, to) of the text itself.
type word struct {
	start, end int
	from, to   int
	repaired   bool // it stands for a word that nobody knows
}

// tokens is the lower-cased text cut into words. It is reused between messages.
type tokens struct {
	buf   []byte
	words []word
}

// split fills t with the words of text: runs of letters, marks and digits, a run of
// digits shortened to one class character, apostrophes left out ("don't" is "dont"),
// and every private-use rune a word of its own.
func (t *tokens) split(text string) {
	t.buf, t.words = t.buf[:0], t.words[:0]
	start, from, digit := -1, 0, false
	end := func(to int) {
		if start >= 0 && len(t.buf) > start {
			t.words = append(t.words, word{start: start, end: len(t.buf), from: from, to: to})
		}
		start, digit = -1, false
	}
	for i, r := range text {
		switch {
		case isMask(r):
			end(i)
			start, from = len(t.buf), i
			t.buf = utf8.AppendRune(t.buf, r)
			end(i + utf8.RuneLen(r))
		case unicode.IsDigit(r):
			if start < 0 {
				start, from = len(t.buf), i
			}
			if !digit {
				t.buf = append(t.buf, digitClass)
			}
			digit = true
		case unicode.IsLetter(r) || unicode.IsMark(r):
			if start < 0 {
				start, from = len(t.buf), i
			}
			digit = false
			if len(t.buf)-start < maxWordBytes {
				t.buf = utf8.AppendRune(t.buf, unicode.ToLower(r))
			}
		case r == '\'' || r == '’':
			// inside a word it is dropped, so "whats" and "what's" are one
		default:
			end(i)
		}
	}
	end(len(text))
}

func (t *tokens) bytes(i int) []byte { return t.buf[t.words[i].start:t.words[i].end] }

// isMask reports whether r stands for a recognised span.
func isMask(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }

// spoken is how many words are not those of recognised spans.
func (t *tokens) spoken() (n int) {
	for i := range t.words {
		if r, _ := utf8.DecodeRune(t.bytes(i)); !isMask(r) {
			n++
		}
	}
	return n
}
