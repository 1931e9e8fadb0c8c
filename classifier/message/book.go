package message

import (
	"strings"
)

// Book holds phrases by their first and by their last word.
type Book struct {
	first, last map[string][][]string // the longest first
}

// NewBook returns a book of phrases, words joined by spaces.
func NewBook(phrases []string) *Book {
	b := &Book{map[string][][]string{}, map[string][][]string{}}
	for _, p := range phrases {
		list := strings.Fields(p)
		if len(list) == 0 {
			continue
		}
		b.first[list[0]] = append(b.first[list[0]], list)
		b.last[list[len(list)-1]] = append(b.last[list[len(list)-1]], list)
	}
	return b
}

// Longest returns how many tokens at i spell the longest phrase of a book that stands
// there, or 0.
func (s *Message) Longest(i int, b *Book) int {
	best := 0
	for _, p := range b.first[s.Low(i)] {
		if len(p) > best && s.spelled(i, p) {
			best = len(p)
		}
	}
	return best
}

// Closes returns the length of the phrase that ends before token to, or 0.
func (s *Message) Closes(from, to int, b *Book) int {
	best := 0
	for _, p := range b.last[s.Low(to-1)] {
		if at := to - len(p); at >= from && len(p) > best && s.spelled(at, p) {
			best = len(p)
		}
	}
	return best
}

func (s *Message) spelled(i int, phrase []string) bool {
	for k, w := range phrase {
		if s.Low(i+k) != w {
			return false
		}
	}
	return true
}

// Split cuts a list at its commas.
func Split(list string) []string { return strings.Split(list, ",") }
