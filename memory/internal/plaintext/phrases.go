package plaintext

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
)

// Folded returns a text as Words does, with # for a word with a digit and $ before it for a sign of
// money.
func Folded(text string) string {
	words := cut(text, func(r rune) bool { return message.InWord(r) || unicode.Is(unicode.Sc, r) })
	for i, w := range words {
		money := strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Sc, r) })
		if strings.ContainsFunc(w, unicode.IsDigit) {
			w = "#"
		}
		if words[i] = w; money {
			words[i] = "$ " + w
		}
	}
	return " " + strings.Join(words, " ") + " "
}

// Phrases finds the phrases of a list in texts that Folded returned.
type Phrases struct{ begin, end, inside []string }

// PhrasesOf reads a list. "^yes" stands at the beginning of a text, "did." at its end.
func PhrasesOf(list []string) (p Phrases) {
	for _, phrase := range list {
		if text, ok := strings.CutPrefix(phrase, "^"); ok {
			p.begin = append(p.begin, " "+text+" ")
		} else if text, ok := strings.CutSuffix(phrase, "."); ok {
			p.end = append(p.end, " "+text+" ")
		} else {
			p.inside = append(p.inside, " "+phrase+" ")
		}
	}
	return p
}

// In reports whether a text has one of the phrases.
func (p *Phrases) In(folded string) bool {
	for _, phrase := range p.inside {
		if strings.Contains(folded, phrase) {
			return true
		}
	}
	for _, phrase := range p.end {
		if strings.HasSuffix(folded, phrase) {
			return true
		}
	}
	_, begins := p.Cut(folded)
	return begins
}

// Cut returns a text without the longest phrase that it begins with, and whether there is one.
func (p *Phrases) Cut(folded string) (rest string, found bool) {
	rest = folded
	for _, phrase := range p.begin {
		if after, ok := strings.CutPrefix(folded, phrase); ok && len(after) < len(rest) {
			rest, found = " "+after, true
		}
	}
	return rest, found
}
