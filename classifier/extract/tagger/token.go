package tagger

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/internal/hashing"
	"github.com/slotway/slotway/classifier/message"
)

// token is a piece of a message with the hashes of what the features look at.
type token struct {
	start, end int // code points
	text       string
	class      message.Class
	glued      bool   // no space before it
	low        uint64 // of the lower-case form
	shape      uint64
	prefix     [edges]uint64 // of the first 1, 2, 3, 4 letters; 0: the word is no longer
	suffix     [edges]uint64
}

// edges is the length of the longest prefix and suffix that features look at.
const edges = 4

// tokenize appends the tokens of text to into: those of a message, cut, but a possessive is one of
// its own: "Mary" and "'s".
func tokenize(text string, cut []message.Token, into []token) []token {
	places, end := message.PlacesOf(text), 0
	add := func(from, to int, c message.Class) {
		t := token{start: places.Point(from), end: places.Point(to), text: text[from:to], class: c, glued: from > 0 && from == end}
		t.describe(t.text)
		into = append(into, t)
		end = to
	}
	for i := 0; i < len(cut); i++ {
		t := &cut[i]
		switch tail := possessive(t.Text); {
		case tail > 0:
			add(t.Start, t.End-tail, message.Letters)
			add(t.End-tail, t.End, message.Letters)
		case i+1 < len(cut) && i > 0 && t.Start == end && cut[i+1].Start == t.End && possessive(text[t.Start:cut[i+1].End]) > 0:
			i++ // behind a figure
			add(t.Start, cut[i].End, message.Letters)
		default:
			add(t.Start, t.End, t.Class)
		}
	}
	return into
}

// possessive is the length of the "'s" that ends a word; 0 where none does.
func possessive(word string) int {
	if !strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "S") {
		return 0
	}
	r, n := utf8.DecodeLastRuneInString(word[:len(word)-1])
	if !message.IsApostrophe(r) {
		return 0
	}
	return n + 1
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
		if t.class == message.Digits || c != last {
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
	case message.IsLetter(r):
		return 'x'
	case unicode.IsDigit(r):
		return 'd'
	case r < utf8.RuneSelf:
		return byte(r)
	}
	return '?'
}
