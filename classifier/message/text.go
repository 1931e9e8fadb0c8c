package message

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Btoi returns 1 for true and 0 for false.
func Btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Atoi reads figures, -1 for what is no number.
func Atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// CountDigits counts the ASCII digits of a text.
func CountDigits(s string) int {
	n := 0
	for i := range len(s) {
		if c := s[i]; c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// WordByte reports whether byte i of text belongs to a longer word or amount.
func WordByte(text string, i int) bool {
	if i < 0 || i >= len(text) {
		return false
	}
	c := text[i]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 || strings.IndexByte("-#_/$%@", c) >= 0
}

// Bare drops the apostrophes of a word.
func Bare(w string) string {
	if strings.IndexByte(w, '\'') < 0 {
		return w
	}
	return strings.ReplaceAll(w, "'", "")
}

// IsUpper reports whether a word holds nothing but ASCII capitals.
func IsUpper(w string) bool {
	for _, c := range []byte(w) {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

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
