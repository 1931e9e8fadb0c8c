// Package lexicon tells common words of English and forms of one word apart from other words.
package lexicon

import (
	_ "embed" // the words
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

//go:embed plainwords.txt
var plainWordFile string

// plainWords are frequent English words, of four letters or more, that one or two edits
// make of other words. None of them is a typo of an enumerated value.
var plainWords = message.Words(plainWordFile)

// IsPlain reports whether a word is one that people write on purpose: a frequent word, a
// number, a weekday, a filler.
func IsPlain(word string) bool {
	return plainWords[word] || talk.Fillers[word] || numbers.WordValues[word].Kind != numbers.NoNumber || numbers.OrdinalWords[word] > 0
}

// Singular takes the ending of a plural from a word: boxes, cities, shoes. Words that only
// look like one keep theirs, since both sides of a comparison are treated alike.
func Singular(w string) string {
	n := len(w)
	switch {
	case n < 4 || w[n-1] != 's' || w[n-2] == 's' || w[n-2] == 'u' || w[n-2] == 'i' || w == "this":
		return w
	case w[n-2] == 'e' && n > 4:
		switch {
		case w[n-3] == 'i':
			return w[:n-3] + "y"
		case w[n-3] == 'x' || w[n-3] == 's' || w[n-3] == 'h' && (w[n-4] == 's' || w[n-4] == 'c'):
			return w[:n-2]
		}
	}
	return w[:n-1]
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
	if first := stem(s.Low(i - 1)); first != "" && (first+w == name || strings.TrimSuffix(s.Low(i-1), "s")+w == name) {
		return true
	}
	if name = stem(name); len(name) < 3 {
		return false
	}
	return strings.HasPrefix(w, name)
}

// stem drops the endings of a verb or a plural.
func stem(w string) string {
	if base, ok := strings.CutSuffix(w, "ing"); ok && len(base) > 2 {
		if n := len(base); base[n-1] == base[n-2] {
			base = base[:n-1] // dropping
		}
		return base
	}
	if len(w) > 3 {
		return strings.TrimSuffix(w, "s")
	}
	return w
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
