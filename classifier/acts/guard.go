package acts

import (
	"strings"

	"github.com/slotway/slotway/classifier/acts/feature"
	"github.com/slotway/slotway/classifier/message"
)

// A yes lets an agent write, so the model's word for it is not enough: a clause that speaks
// of a yes, asks for one, binds it to something or puts it off is none.

// noYes is the greatest probability of a yes for such a clause.
const noYes = 0.45

// turning lists the words that keep a clause from being a yes, wherever they stand in it.
const turning = `
	say says saying type typed reply replied answer answered press means default
	if unless until once whenever whether when before after provided
	why where who which whose
	later tomorrow tonight yesterday someday sometime soon
	other another different else instead rather maybe perhaps probably whatever
	keep leave away back bad wrong mistake nothing`

// asking lists words that do so too, unless they point back: "that's what I want", "I already said
// yes".
const asking = `what how said`

// pointing lists the words that point back when they stand before one of these.
const pointing = `that thats is its exactly just precisely already`

// sparing lists phrases whose words do not count: "do it after all", "I don't see why not".
const sparing = `after all, by all means, see why not, see no reason why not, mind if i do, mind if we do`

// opening lists the words that begin a question.
const opening = `was were does did should has`

// closing lists the words that take back the beginning of a clause: "yes yes no".
const closing = `no nope nah not dont never stop wait`

// guards holds the tables of the guard, by the hash of a word.
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

// sparingOf files phrases under their first words.
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

// hashes returns the set of the words of a list, by their hashes.
func hashes(list string) map[uint64]bool {
	out := map[uint64]bool{}
	for _, word := range feature.Fold(list) {
		var c feature.Clause
		c.Read(word)
		out[c.Words[0].Hash] = true
	}
	return out
}

// guard lowers the yes of a clause that speaks of a yes but does not give one.
func (t *tables) guard(text string, c *feature.Clause, a *message.Acts) {
	if a[message.ActYes] > noYes && (a[message.ActRequest] > a[message.ActYes] || t.guards.turned(c) || written(text)) {
		a[message.ActYes] = noYes
	}
}

// turned reports whether a word of a clause keeps it from being a yes.
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

// spares returns the length of the phrase that the words begin with, or 0.
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

// written reports whether a clause looks like code: {"confirmed": true}, <b>yes</b>.
func written(text string) bool {
	return strings.ContainsAny(text, "{}[]") || strings.Contains(text, "</") || strings.Contains(text, `":`)
}
