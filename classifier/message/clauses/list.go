package clauses

import "strings"

const mostItems = 40 // of one list

// items marks the numbers of a numbered list, "1. where is X 2. cancel Y", which has at
// least a first and a second item in their order, and the list marks of lines.
func (s *splitter) items() {
	var found [mostItems]int
	n := 0
	for i := range s.tokens {
		if n < mostItems && s.numbers(i, n+1) {
			found[n] = i
			n++
		}
	}
	if n < 2 {
		return
	}
	for _, i := range found[:n] {
		s.tokens[i].item = true
	}
}

// numbers reports whether token i is the number of an item: "2." or "2)" with a word behind.
func (s *splitter) numbers(i, number int) bool {
	t := &s.tokens[i]
	if !t.digit || t.end-t.start > 2 || i+1 >= len(s.tokens) || t.quoted {
		return false
	}
	value := 0
	for _, c := range s.text[t.start:t.end] {
		if c < '0' || c > '9' {
			return false
		}
		value = 10*value + int(c-'0')
	}
	if value != number || t.end >= len(s.text) || !strings.ContainsRune(".)", rune(s.text[t.end])) {
		return false
	}
	if number == 1 && i > 0 && s.tokens[i-1].after == 0 && s.tokens[i-1].lines == 0 && s.text[t.end] == '.' {
		return s.begins(i + 1) // "at house 1. " is an end
	}
	return true
}
