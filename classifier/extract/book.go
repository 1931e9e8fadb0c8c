package extract

import "strings"

// book holds phrases by their first and by their last word.
type book struct {
	first, last map[string][][]string // the longest first
}

func newBook(phrases []string) *book {
	b := &book{map[string][][]string{}, map[string][][]string{}}
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

// longest returns how many tokens at i spell the longest phrase of a book that stands
// there, or 0.
func (s *scan) longest(i int, b *book) int {
	best := 0
	for _, p := range b.first[s.low(i)] {
		if len(p) > best && s.spelled(i, p) {
			best = len(p)
		}
	}
	return best
}

// closes returns the length of the phrase that ends before token to, or 0.
func (s *scan) closes(from, to int, b *book) int {
	best := 0
	for _, p := range b.last[s.low(to-1)] {
		if at := to - len(p); at >= from && len(p) > best && s.spelled(at, p) {
			best = len(p)
		}
	}
	return best
}

func (s *scan) spelled(i int, phrase []string) bool {
	for k, w := range phrase {
		if s.low(i+k) != w {
			return false
		}
	}
	return true
}
