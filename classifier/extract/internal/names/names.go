// Package names finds words with capitals that may be the name of a person or a place.
package names

import (
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// FullName counts the tokens of a name of at least two words at token i.
func FullName(s *message.Message, i int) int {
	n := Capitals(s, i, "name_particle")
	if n < 2 || i > 0 && s.Capital(i-1) && s.Glued(i) || s.In(i+n-1, "after_place") || s.In(i+n, "after_place") {
		return 0
	}
	for k := i; k < i+n; k++ {
		if s.Taken[k] || s.Exact[k] || strings.ToUpper(s.Tokens[k].Text) == s.Tokens[k].Text && len(s.Tokens[k].Text) > 1 {
			return 0
		}
	}
	return n
}

// NameStands reports whether a name may stand at the n tokens at i: at the beginning of a message or of a
// part of it, unless with a common word, and behind a word that leads to a person.
func NameStands(s *message.Message, i, n int) bool {
	if i == 0 || s.Tokens[i-1].Class == message.Symbol && !s.Glued(i) {
		common := s.Knows != nil && s.Knows(s.Tokens[i].Low) // "Book Omar Haddad", but also "Ben Hart"
		return n == 2 && (!common || i+n == len(s.Tokens) || s.In(i+n, "after_name") || s.Tokens[i+n].Class == message.Symbol)
	}
	return s.In(i-1, "before_name") || s.Low(i-1) == "'s" || s.Low(i-1) == "s" && s.SymbolAt(i-2, "'’")
}

// Capitals counts the words of a name at token i: with capitals, joined by particles,
// hyphens or apostrophes, at most five.
func Capitals(s *message.Message, i int, particles string) int {
	n := 0
	for count := 0; count < 5; {
		k := i + n
		if s.Low(k) != "" && k > 0 && strings.Contains(s.Text[s.Tokens[k-1].End:s.Tokens[k].Start], "\n") {
			break
		}
		if s.Capital(k) && s.Tokens[k].Class == message.Letters && !s.Language.Has("remark", s.Low(k)) && !s.Language.Has("no_name", s.Low(k)) && !s.Language.Has("filler", s.Low(k)) {
			count++
		} else if n == 0 || !joinsName(s, k, particles) {
			break
		}
		n++
	}
	if n == 0 || s.Glued(i) && s.Tokens[i-1].Class != message.Symbol {
		return 0
	}
	return n
}

// joinsName reports whether token i stands between two words of a name: one of its particles, "de la
// Fuente", a hyphen, an apostrophe, the point of an initial.
func joinsName(s *message.Message, i int, particles string) bool {
	if s.In(i, particles) {
		return s.Capital(i+1) && !s.Language.Has("remark", s.Low(i+1)) || joinsName(s, i+1, particles)
	}
	return s.Capital(i+1) && s.SymbolAt(i, "-’'.") && s.Glued(i) && (s.Glued(i+1) || s.SymbolAt(i, ".") && len(s.Tokens[i-1].Text) <= 2)
}

// LeadsSomewhere reports whether the "to" at token i is that of a way: "from X to", "a
// train to".
func LeadsSomewhere(s *message.Message, i int) bool {
	if s.In(i-1, "way_word") {
		return true
	}
	for k := i - 1; k >= 0 && k >= i-6; k-- {
		if s.Low(k) == "from" {
			return true
		}
	}
	return false
}
