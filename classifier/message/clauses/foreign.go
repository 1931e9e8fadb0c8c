package clauses

import (
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// translate gives the words of another language the classes of the English words that its gloss has
// for them. Other words have no class, even where English has them.
func translate(tokens []token, text string, gloss *message.Gloss) {
	for i := 0; i < len(tokens); {
		tokens[i].class, tokens[i].key = 0, ""
		most := gloss.Longest(text[tokens[i].start:tokens[i].end])
		if most == 0 {
			i++
			continue
		}
		var room [longestEntry]string
		words := room[:0]
		for n := i; n < len(tokens) && n-i < min(most, longestEntry) && (n == i || tokens[n-1].after == 0); n++ {
			words = append(words, text[tokens[n].start:tokens[n].end])
		}
		english, n := gloss.Lead(words)
		if n == 0 {
			i++
			continue
		}
		for k := range n {
			tokens[i+k].class, tokens[i+k].key = isSoft, ""
			if k < len(english) {
				e := lexicon[english[k]]
				tokens[i+k].class, tokens[i+k].key = e.class, e.word
			}
		}
		if n == 1 && len(english) > 1 {
			tokens[i].class |= lexicon[strings.Join(english, "")].class // "it is" is "its"
		}
		i += n
	}
}

// longestEntry is the greatest number of words of an entry.
const longestEntry = 6
