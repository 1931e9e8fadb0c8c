package tagger

import (
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/internal/hashing"
	"github.com/slotway/slotway/classifier/message/script"
)

// class is the kind of characters of a token.
type class uint8

const (
	letters class = iota // letters and marks, apostrophes inside
	digits
	symbol // one other character
)

// token is a piece of a message with the hashes of what the features look at.
type token struct {
	start, end int // code points
	text       string
	class      class
	glued      bool   // no space before it
	low        uint64 // of the lower-case form
	shape      uint64
	prefix     [edges]uint64 // of the first 1, 2, 3, 4 letters; 0: the word is no longer
	suffix     [edges]uint64
}

// edges is the length of the longest prefix and suffix that features look at.
const edges = 4

// tokenize appends the tokens of text to into. White space separates and is dropped.
func tokenize(text string, into []token) []token {
	at, glued := 0, false
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			i, at, glued = i+n, at+1, false
			continue
		}
		t := token{start: at, class: symbol, glued: glued}
		end := i + n
		switch {
		case unicode.IsDigit(r):
			t.class = digits
			end = run(text, i, unicode.IsDigit)
		case script.Unspaced(r):
			t.class = letters
			end = i + script.Unit(text[i:])
		case isLetter(r):
			t.class = letters
			end = wordEnd(text, i)
		case (r == '\'' || r == '’') && glued && isPossessive(text[end:]):
			t.class = letters
			end++
		}
		t.end = at + utf8.RuneCountInString(text[i:end])
		t.text = text[i:end]
		t.describe(t.text)
		into = append(into, t)
		i, at, glued = end, t.end, true
	}
	return into
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// isSpaced reports whether r is a letter of a script with spaces between words.
func isSpaced(r rune) bool { return isLetter(r) && !script.Unspaced(r) }

// run returns where the run of runes that starts at i ends.
func run(text string, i int, in func(rune) bool) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !in(r) {
			break
		}
		i += n
	}
	return i
}

// wordEnd returns where the word that starts at i ends. An apostrophe inside belongs to
// it, a possessive does not: "O'Brien", but "Mary" and "'s".
func wordEnd(text string, i int) int {
	for i = run(text, i, isSpaced); i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r != '\'' && r != '’' || isPossessive(text[i+n:]) {
			break
		}
		end := run(text, i+n, isSpaced)
		if end == i+n {
			break
		}
		i = end
	}
	return i
}

// isPossessive reports whether text starts with an s that ends a word.
func isPossessive(text string) bool {
	if text == "" || text[0] != 's' && text[0] != 'S' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[1:])
	return len(text) == 1 || !isLetter(r)
}

// describe fills in the hashes of a token from its text.
func (t *token) describe(text string) {
	h, shape, last := seed, seed, byte(0)
	n := 0
	for _, r := range text {
		low := unicode.ToLower(r)
		if low == '’' {
			low = '\''
		}
		h = hashing.Step(h, uint64(low))
		if n < edges {
			t.prefix[n] = h
		}
		n++
		c := shapeOf(r)
		if t.class == digits || c != last {
			shape = hashing.Step(shape, uint64(c))
		}
		last = c
	}
	t.low, t.shape = h, shape
	s := seed
	for k := 0; k < edges && len(text) > 0; k++ {
		r, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		s = hashing.Step(s, uint64(unicode.ToLower(r)))
		t.suffix[k] = s
	}
}

// blank replaces the word of a token by an unknown one; its shape stays.
func (t *token) blank(number uint64) {
	t.low = mix(2, number, 0)
	for k := range edges {
		t.prefix[k], t.suffix[k] = mix(3, number, uint64(k)), mix(4, number, uint64(k))
	}
}

// shapeOf is the class of a letter in a shape; runs of one class count once, but for
// digits, whose number matters.
func shapeOf(r rune) byte {
	switch {
	case unicode.IsUpper(r):
		return 'X'
	case isLetter(r):
		return 'x'
	case unicode.IsDigit(r):
		return 'd'
	case r < utf8.RuneSelf:
		return byte(r)
	}
	return '?'
}
