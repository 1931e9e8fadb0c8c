package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
)

// A person may be named without a word that introduces them: "Ben Hart from 5d is ill", "for Omar
// Haddad". Two words with capitals are a full name where a person may stand.

const (
	fullName      = 0.7  // how sure a full name is that nobody asked for
	askedFullName = 0.62 // and the only one of an answer with other words
)

var (
	// beforeNames may stand right before a person.
	beforeNames = words("for with son daughter child kid brother sister wife husband mother father mom mum dad friend colleague boss neighbor neighbour partner patient guest tenant student pupil client customer nephew niece cousin uncle aunt grandma grandpa about under and")
	// afterNames go on about a person whose name begins a message.
	afterNames = words("from is was has had will would needs wants can can't cannot won't isn't hasn't")
	// afterPlaces end the name of a street, a building or a thing.
	afterPlaces = words("street st road rd lane ln avenue ave drive square sq court place way hill park garden gardens house hotel hall school station airport university hospital center centre bank company inc ltd gmbh market museum theatre theater cinema room bridge river lake island city town")
)

// fullNames finds the full names of people that nobody asked for, for every param of the kind: which
// of them it is, the task says. An agent of places has more names than of people.
//
// What is said to a question for a text is its text, and where there are texts a name alone corrects
// nobody: it may be a title.
func (x *Extractor) fullNames(s *scan, in *classifier.Input, c *collector) {
	if x.builtin["location"] || s.shouts() || x.askedType(in.Asked) == "text" {
		return
	}
	for i := 0; i < len(s.tokens); i++ {
		n := s.fullName(i)
		if n == 0 {
			continue
		}
		if s.nameStands(i, n) && !x.ownWord(s, i, n) && !c.meets(s.tokens[i].start, s.tokens[i+n-1].end) {
			for _, r := range x.byKind["person"] {
				for _, p := range r.params {
					if len(r.Patterns) == 0 && !c.has(p) && !(x.builtin["text"] && slices.Contains(in.Filled, p)) {
						c.tokens(s, p, s.text[s.tokens[i].start:s.tokens[i+n-1].end], i, i+n, "builtin", fullName)
					}
				}
			}
		}
		i += n - 1
	}
}

// fullName counts the tokens of a name of at least two words at token i.
func (s *scan) fullName(i int) int {
	n := s.capitals(i, nameParticles)
	if n < 2 || i > 0 && s.capital(i-1) && s.glued(i) || s.is(i+n-1, afterPlaces) || s.is(i+n, afterPlaces) {
		return 0
	}
	for k := i; k < i+n; k++ {
		if s.taken[k] || s.exact[k] || strings.ToUpper(s.tokens[k].text) == s.tokens[k].text && len(s.tokens[k].text) > 1 {
			return 0
		}
	}
	return n
}

// nameStands reports whether a name may stand at the n tokens at i: at the beginning of a message or of a
// part of it, unless with a common word, and behind a word that leads to a person.
func (s *scan) nameStands(i, n int) bool {
	if i == 0 || s.tokens[i-1].class == symbol && !s.glued(i) {
		common := s.knows != nil && s.knows(s.tokens[i].low) // "Book Omar Haddad", but also "Ben Hart"
		return n == 2 && (!common || i+n == len(s.tokens) || s.is(i+n, afterNames) || s.tokens[i+n].class == symbol)
	}
	return s.is(i-1, beforeNames) || s.low(i-1) == "'s" || s.low(i-1) == "s" && s.symbolAt(i-2, "'’")
}

// ownWord reports whether the agent calls a param or a task by one of the n tokens at i.
func (x *Extractor) ownWord(s *scan, i, n int) bool {
	for k := i; k < i+n; k++ {
		if x.own[s.low(k)] {
			return true
		}
	}
	return false
}

// onlyFullName takes the full name in an answer that has other words: "put it under Nowak, Petra
// Nowak", "Max Stein, 2c". Of two nobody knows which is meant.
func (s *scan) onlyFullName(param string, c *collector) {
	from, n := 0, 0
	for i := 0; i < len(s.tokens); i++ {
		k := s.fullName(i)
		if k == 0 {
			continue
		}
		if n > 0 {
			return
		}
		from, n = i, k
		i += k - 1
	}
	if n > 0 && !s.shouts() && !c.meets(s.tokens[from].start, s.tokens[from+n-1].end) {
		c.tokens(s, param, s.text[s.tokens[from].start:s.tokens[from+n-1].end], from, from+n, "builtin", askedFullName)
	}
}
