package scan

import (
	"strconv"
	"strings"
)

// Btoi is 1 for true.
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
