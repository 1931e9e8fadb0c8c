package recall

import "strings"

// Terms calls visit with each term of a text that carries a topic and the word that it is
// the stem of: what the index is made of, for other tiers that compare texts. The bytes are
// valid only during the call; word is empty for pairs of letters of scripts without spaces.
func Terms(text string, visit func(term, word []byte)) {
	var s scanner
	s.terms(text, func(term []byte) { visit(term, s.surface()) })
}

// HasPhrase reports whether one of the phrases stands in the text, as whole words and
// whatever their case.
func HasPhrase(text string, phrases []string) bool {
	text = plain(text)
	for _, phrase := range phrases {
		if p := plain(phrase); strings.TrimSpace(p) != "" && strings.Contains(text, p) {
			return true
		}
	}
	return false
}
