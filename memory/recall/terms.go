package recall

import "strings"

// Terms calls visit with each term of a text and the word that it is the stem of; stop words have
// none. Other tiers compare texts by the same terms as the index. The bytes are valid only during
// the call; word is empty for pairs of letters of scripts without spaces.
func Terms(text string, visit func(term, word []byte)) {
	var s scanner
	s.terms(text, func(term []byte) { visit(term, s.surface()) })
}

// HasPhrase reports whether a text contains one of the phrases as whole words, in any case.
func HasPhrase(text string, phrases []string) bool {
	text = plain(text)
	for _, phrase := range phrases {
		if p := plain(phrase); strings.TrimSpace(p) != "" && strings.Contains(text, p) {
			return true
		}
	}
	return false
}
