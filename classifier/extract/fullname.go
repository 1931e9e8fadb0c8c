package extract

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/names"
)

// A person may be named without a word that introduces them: "Ben Hart from 5d is ill", "for Omar
// Haddad". Two words with capitals are a full name where a person may stand.

const (
	fullName      = 0.7  // how sure a full name is that nobody asked for
	askedFullName = 0.62 // and the only one of an answer with other words
)

// fullNames finds the full names of people that nobody asked for, for every param of the kind: which
// of them it is, the task says. An agent of places has more names than of people.
//
// What is said to a question for a text is its text, and where there are texts a name alone corrects
// nobody: it may be a title.
func (x *Extractor) fullNames(s *reading, in *classifier.Input, c *collector) {
	if x.builtin["location"] || s.Shouts() || x.askedType(in.Asked) == "text" {
		return
	}
	for i := 0; i < len(s.Tokens); i++ {
		n := names.FullName(s.Message, i)
		if n == 0 {
			continue
		}
		if names.NameStands(s.Message, i, n) && !x.ownWord(s, i, n) && !c.meets(s.Tokens[i].Start, s.Tokens[i+n-1].End) {
			for _, r := range x.byKind["person"] {
				for _, p := range r.params {
					if len(r.Patterns) == 0 && !c.has(p) && !(x.builtin["text"] && slices.Contains(in.Filled, p)) {
						c.tokens(s, p, s.Text[s.Tokens[i].Start:s.Tokens[i+n-1].End], i, i+n, "builtin", fullName)
					}
				}
			}
		}
		i += n - 1
	}
}

// ownWord reports whether the agent calls a param or a task by one of the n tokens at i.
func (x *Extractor) ownWord(s *reading, i, n int) bool {
	for k := i; k < i+n; k++ {
		if x.own[s.Low(k)] {
			return true
		}
	}
	return false
}

// onlyFullName takes the full name in an answer that has other words: "put it under Nowak, Petra
// Nowak", "Max Stein, 2c". Of two nobody knows which is meant.
func (s *reading) onlyFullName(param string, c *collector) {
	from, n := 0, 0
	for i := 0; i < len(s.Tokens); i++ {
		k := names.FullName(s.Message, i)
		if k == 0 {
			continue
		}
		if n > 0 {
			return
		}
		from, n = i, k
		i += k - 1
	}
	if n > 0 && !s.Shouts() && !c.meets(s.Tokens[from].Start, s.Tokens[from+n-1].End) {
		c.tokens(s, param, s.Text[s.Tokens[from].Start:s.Tokens[from+n-1].End], from, from+n, "builtin", askedFullName)
	}
}
