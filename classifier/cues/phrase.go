package cues

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/config/language"
)

// lists are the words of the package by class. A message in another language is read by its gloss.
var lists = language.Lists(language.English, "cues.txt")

// entry is a phrase and what it says.
type entry[T any] struct {
	words []string
	says  T
}

// book holds phrases by one of their words, the longest first.
type book[T any] map[string][]entry[T]

// byLast files phrases under their last word.
func (b book[T]) byLast(says T, list []string) book[T] { return b.file(says, list, true) }

// byFirst files phrases under their first word.
func (b book[T]) byFirst(says T, list []string) book[T] { return b.file(says, list, false) }

func (b book[T]) file(says T, list []string, last bool) book[T] {
	for _, p := range list {
		words := strings.Fields(p)
		key := words[0]
		if last {
			key = words[len(words)-1]
		}
		b[key] = append(b[key], entry[T]{words, says})
		slices.SortStableFunc(b[key], func(x, y entry[T]) int { return len(y.words) - len(x.words) })
	}
	return b
}

// before finds the longest phrase that ends right before word i. n is how many words it
// takes; 0: there is none.
func (b book[T]) before(m *cutMessage, i int) (says T, n int) {
	for _, e := range b[m.low(i-1)] {
		if k := m.spelledBefore(i, e.words); k > 0 {
			return e.says, k
		}
	}
	return says, 0
}

// at finds the longest phrase that begins at word i.
func (b book[T]) at(m *cutMessage, i int) (says T, n int) {
	for _, e := range b[m.low(i)] {
		if k := m.spelledAt(i, e.words); k > 0 {
			return e.says, k
		}
	}
	return says, 0
}

// spelledAt counts the words at i that spell a phrase, all of one sentence and none of a
// value; 0: they do not. A hyphen in it does not matter: "drop-off".
func (m *cutMessage) spelledAt(i int, words []string) int {
	at := i
	for k, w := range words {
		if k > 0 && m.low(at) == "-" && w != "-" {
			at++
		}
		if !m.free(at) || m.words[at].low != w || k > 0 && ends(m.words[at].mark) {
			return 0
		}
		at++
	}
	return at - i
}

// spelledBefore is spelledAt for the words that end right before i.
func (m *cutMessage) spelledBefore(i int, words []string) int {
	at := i
	for k := len(words) - 1; k >= 0; k-- {
		if k < len(words)-1 && m.low(at-1) == "-" && words[k] != "-" {
			at--
		}
		if !m.free(at-1) || m.words[at-1].low != words[k] || k < len(words)-1 && ends(m.words[at].mark) {
			return 0
		}
		at--
	}
	return i - at
}

// set is a set of words.
type set = map[string]bool

// words and phrases return those of a class.
func words(class string) set { return lists.Set(class) }

func phrases(class string) []string { return lists.All(class) }
