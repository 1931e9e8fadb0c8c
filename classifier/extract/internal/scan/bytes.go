package scan

import (
	"unicode/utf8"
)

// ByteSet is a set of ASCII characters; other tells whether it holds any beyond them.
type ByteSet struct {
	low, high uint64
	Other     bool
}

// Add puts a character into the set; below zero it is none.
func (b *ByteSet) Add(r rune) {
	switch {
	case r < 0:
	case r < 64:
		b.low |= 1 << r
	case r < utf8.RuneSelf:
		b.high |= 1 << (r - 64)
	default:
		b.Other = true
	}
}

// AddRange adds the characters from one to another, both included.
func (b *ByteSet) AddRange(from, to rune) {
	for r := from; r <= to && r < utf8.RuneSelf; r++ {
		b.Add(r)
	}
	b.Other = b.Other || to >= utf8.RuneSelf
}

// Union is the set of the characters of both.
func (b ByteSet) Union(c ByteSet) ByteSet {
	return ByteSet{b.low | c.low, b.high | c.high, b.Other || c.Other}
}

// Meets reports whether the sets share a character.
func (b ByteSet) Meets(c ByteSet) bool {
	return b.low&c.low != 0 || b.high&c.high != 0 || b.Other && c.Other
}

// BytesOf returns the characters of a text.
func BytesOf(text string) (b ByteSet) {
	for i := range len(text) {
		b.Add(rune(text[i])) // bytes beyond ASCII stand for themselves
	}
	return b
}

// DigitSet are the ASCII digits.
var DigitSet = ByteSet{low: 0x3ff << '0'}
