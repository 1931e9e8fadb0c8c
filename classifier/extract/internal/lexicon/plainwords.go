// Package lexicon tells common words of English and forms of one word apart from other words.
package lexicon

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// IsPlain reports whether a word is one that people write on purpose: a frequent word, a
// number, a weekday, a filler.
func IsPlain(word string) bool {
	return message.English().Has("plain", word) || message.English().Has("filler", word) || numbers.IsNumeral(word) || numbers.OrdinalWords[word] > 0
}

// OneOf reports whether token i is a form of one of some words.
func OneOf(s *message.Message, i int, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return Inflected(s, i, w) })
}

// Inflected reports whether token i, perhaps with the one before it, is a form of the
// word of a name: "returning" of return, "picking up" of pickup, "bathroom" of baths.
func Inflected(s *message.Message, i int, name string) bool {
	w := s.Low(i)
	if w == name {
		return true
	}
	if first := message.StemOf(s.Low(i - 1)); first != "" && (first+w == name || message.Singular(s.Low(i-1))+w == name) {
		return true
	}
	one := message.Singular(name)
	return len(one) > 2 && w != "" && (strings.HasPrefix(w, one) || message.StemOf(w) == message.StemOf(name))
}

// kinLength is how many letters two words of one stem share at the start.
const kinLength = 6

// Kin reports whether two words have one stem: "allergic" and "allergies".
func Kin(a, b string) bool {
	a, b = Plain(a), Plain(b)
	if len(a) < kinLength || len(b) < kinLength {
		return a == b
	}
	return a[:kinLength] == b[:kinLength]
}

// Plain is a word without the letters that many keyboards lack.
func Plain(word string) string {
	spellings := message.Spellings(word)
	return spellings[min(1, len(spellings)-1)]
}
