package acts

import (
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/acts/feature"
)

// A yes lets an agent write, so the model's word for it is not enough: a clause that speaks
// of a yes, asks for one, binds it to something or puts it off is none.

// noYes is the most that such a clause counts as a yes.
const noYes = 0.45

// turning are the words that make no yes of a clause, wherever in it they stand.
const turning = `
	say says saying type typed reply replied answer answered press means default
	if unless until once whenever whether when before after provided
	why where who which whose
	later tomorrow tonight yesterday someday sometime soon
	other another different else instead rather maybe perhaps probably whatever
	keep leave away back bad wrong mistake nothing`

// asking are those that turn a clause unless it points back: "that's what I want", "I
// already said yes".
const asking = `what how said`

// pointing are the words behind which these turn nothing.
const pointing = `that thats is its exactly just precisely already`

// sparing are phrases whose words turn nothing: "do it after all", "I don't see why not".
const sparing = `after all, by all means, see why not, see no reason why not, mind if i do, mind if we do`

// opening are those that begin a question.
const opening = `was were does did should has`

// closing are those that take back what a clause began with: "yes yes no".
const closing = `no nope nah not dont never stop wait`

// guards are the tables, by the hash of a word.
type guards struct {
	turning, asking, pointing, opening, closing map[uint64]bool
	sparing                                     map[uint64][][]uint64 // by the first word
}

func englishGuards() guards {
	return guards{
		turning: hashes(turning), asking: hashes(asking), pointing: hashes(pointing), opening: hashes(opening), closing: hashes(closing),
		sparing: sparingOf(strings.Split(sparing, ", ")),
	}
}

// sparingOf are phrases by their first words.
func sparingOf(phrases []string) map[uint64][][]uint64 {
	out := map[uint64][][]uint64{}
	for _, phrase := range phrases {
		var c feature.Clause
		c.Read(phrase)
		var words []uint64
		for _, w := range c.Words {
			words = append(words, w.Hash)
		}
		out[words[0]] = append(out[words[0]], words)
	}
	return out
}

// hashes are the words of a list.
func hashes(list string) map[uint64]bool {
	out := map[uint64]bool{}
	for _, word := range feature.Fold(list) {
		var c feature.Clause
		c.Read(word)
		out[c.Words[0].Hash] = true
	}
	return out
}

// guard takes a yes away from a clause that only has one in it.
func (t *tables) guard(text string, c *feature.Clause, a *classifier.Acts) {
	if a[classifier.ActYes] > noYes && (a[classifier.ActRequest] > a[classifier.ActYes] || t.guards.turned(c) || written(text)) {
		a[classifier.ActYes] = noYes
	}
}

// turned reports whether a word of a clause makes no yes of it.
func (g *guards) turned(c *feature.Clause) bool {
	n := len(c.Words)
	if n > 1 && g.opening[c.Words[0].Hash] {
		return true
	}
	for i := 0; i < n; i++ {
		w := c.Words[i].Hash
		if spared := spares(g.sparing[w], c.Words[i:]); spared > 0 {
			i += spared - 1
			continue
		}
		if g.turning[w] || g.asking[w] && (i == 0 || !g.pointing[c.Words[i-1].Hash]) || n > 1 && i == n-1 && g.closing[w] {
			return true
		}
	}
	return false
}

// spares is how many words the phrase has that words begin with; 0: none of the phrases.
func spares(phrases [][]uint64, words []feature.Word) int {
next:
	for _, phrase := range phrases {
		if len(phrase) > len(words) {
			continue
		}
		for i, w := range phrase {
			if words[i].Hash != w {
				continue next
			}
		}
		return len(phrase)
	}
	return 0
}

// written reports whether a clause is of a program's making: {"confirmed": true}, <b>yes</b>.
func written(text string) bool {
	return strings.ContainsAny(text, "{}[]") || strings.Contains(text, "</") || strings.Contains(text, `":`)
}
