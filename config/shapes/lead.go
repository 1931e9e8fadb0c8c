package shapes

import "strings"

// longestLead bounds the words that lead to a text.
const longestLead = 7

// WithoutLead returns a text of a shape without the words that certainly lead to it: "3 Tar Lane" of
// "please come to 3 Tar Lane". All of them are carriers, and the last one is a lead of the shape; a
// sentence has none, since "it is" begins one.
func WithoutLead(shape, text string) string {
	t := shaped{text: text, words: split(text)}
	for n := min(longestLead, len(t.words)-1); n > 0; n-- {
		if !is(shape+" lead", t.words[n-1].low) || !t.carries(n) {
			continue
		}
		rest := strings.TrimLeft(text[t.words[n-1].end:], " :,")
		if LooksLike(shape, rest) {
			text, t = rest, shaped{text: rest, words: split(rest)}
			break
		}
	}
	for n := len(t.words) - 1; n > 0 && is(shape+" tail", t.words[n].low) && !t.words[n].upper; n-- {
		text = strings.TrimRight(text[:t.words[n-1].end], " ,")
	}
	return text
}

// carries reports whether the first n words are carriers, with no capital but the first and those
// of "I".
func (t *shaped) carries(n int) bool {
	for i, w := range t.words[:n] {
		if !is("carrier", w.low) || i > 0 && (w.comma || w.upper && w.low[0] != 'i') {
			return false
		}
	}
	return true
}
