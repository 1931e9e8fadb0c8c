// Package names finds words with capitals that may be the name of a person or a place.
package names

import (
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// NameParticles may stand inside a name: "Ludwig van Beethoven".
var NameParticles = message.Words("de la le van von der den da di del do dos bin al st of the and el mac upon on san")

var (
	// beforeNames may stand right before a person.
	beforeNames = message.Words("for with son daughter child kid brother sister wife husband mother father mom mum dad friend colleague boss neighbor neighbour partner patient guest tenant student pupil client customer nephew niece cousin uncle aunt grandma grandpa about under and")
	// afterNames go on about a person whose name begins a message.
	afterNames = message.Words("from is was has had will would needs wants can can't cannot won't isn't hasn't")
	// afterPlaces end the name of a street, a building or a thing.
	afterPlaces = message.Words("street st road rd lane ln avenue ave drive square sq court place way hill park garden gardens house hotel hall school station airport university hospital center centre bank company inc ltd gmbh market museum theatre theater cinema room bridge river lake island city town")
)

// FullName counts the tokens of a name of at least two words at token i.
func FullName(s *message.Message, i int) int {
	n := Capitals(s, i, NameParticles)
	if n < 2 || i > 0 && s.Capital(i-1) && s.Glued(i) || s.Is(i+n-1, afterPlaces) || s.Is(i+n, afterPlaces) {
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
		return n == 2 && (!common || i+n == len(s.Tokens) || s.Is(i+n, afterNames) || s.Tokens[i+n].Class == message.Symbol)
	}
	return s.Is(i-1, beforeNames) || s.Low(i-1) == "'s" || s.Low(i-1) == "s" && s.SymbolAt(i-2, "'’")
}

var noPlaces = message.Words("english french german spanish italian dutch portuguese chinese japanese russian arabic mr mrs ms dr god internet monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec christmas easter")

// Capitals counts the words of a name at token i: with capitals, joined by particles,
// hyphens or apostrophes, at most five.
func Capitals(s *message.Message, i int, particles message.Set) int {
	n := 0
	for count := 0; count < 5; {
		k := i + n
		if s.Low(k) != "" && k > 0 && strings.Contains(s.Text[s.Tokens[k-1].End:s.Tokens[k].Start], "\n") {
			break
		}
		if s.Capital(k) && s.Tokens[k].Class == message.Letters && !talk.Remarks[s.Low(k)] && !noPlaces[s.Low(k)] && !talk.Fillers[s.Low(k)] {
			count++
		} else if n == 0 || !s.Capital(k+1) || !joinsName(s, k, particles) {
			break
		}
		n++
	}
	if n == 0 || s.Glued(i) && s.Tokens[i-1].Class != message.Symbol {
		return 0
	}
	return n
}

// joinsName reports whether token i stands between two words of a name: a particle, a hyphen,
// an apostrophe, the point of an initial.
func joinsName(s *message.Message, i int, particles message.Set) bool {
	if s.Is(i, particles) {
		return !talk.Remarks[s.Low(i+1)]
	}
	return s.SymbolAt(i, "-’'.") && s.Glued(i) && (s.Glued(i+1) || s.SymbolAt(i, ".") && len(s.Tokens[i-1].Text) <= 2)
}

// LeadsSomewhere reports whether the "to" at token i is that of a way: "from X to", "a
// train to".
func LeadsSomewhere(s *message.Message, i int) bool {
	if s.Is(i-1, ways) {
		return true
	}
	for k := i - 1; k >= 0 && k >= i-6; k-- {
		if s.Low(k) == "from" {
			return true
		}
	}
	return false
}

var ways = message.Words("flight flights train trains bus ticket tickets trip way go going fly flying travel travelling traveling drive driving move moving get getting ship shipping taxi ride journey route back over return returning")
