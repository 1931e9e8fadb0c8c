package acts

import (
	_ "embed" // the phrases
	"strings"
	"sync"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/acts/feature"
)

//go:embed phrases.txt
var phraseFile string

// phrases are what is certain, by the hash of all words.
var phrases = sync.OnceValue(func() map[uint64]*classifier.Acts {
	lines, err := ReadLines("phrases.txt", strings.NewReader(phraseFile))
	if err != nil {
		panic(err) // the file is built in; a test reads it
	}
	out := make(map[uint64]*classifier.Acts, len(lines))
	var c feature.Clause
	for i := range lines {
		for phrase := range strings.SplitSeq(lines[i].Text, ", ") {
			c.Read(phrase)
			out[c.Hash(0)] = &lines[i].Acts
		}
	}
	return out
})

// known looks a clause up among the phrases, also without the word that joins it to
// another: "and thanks", "but no".
func known(c *feature.Clause) (classifier.Acts, bool) {
	n := len(c.Words)
	if n > longestPhrase {
		return classifier.Acts{}, false
	}
	table := phrases()
	if a, ok := table[c.Hash(0)]; ok {
		return *a, true
	}
	if n > 1 && joiners()[c.Words[0].Hash] {
		if a, ok := table[c.Hash(1)]; ok {
			return *a, true
		}
	}
	return classifier.Acts{}, false
}

const longestPhrase = 7 // words

// joiners are the words that join a clause to another.
var joiners = sync.OnceValue(func() map[uint64]bool {
	out := map[uint64]bool{}
	var c feature.Clause
	c.Read("and but so also then plus well oh um uh")
	for _, w := range c.Words {
		out[w.Hash] = true
	}
	return out
})

// Known is Of by the tables alone: ok is false for what they do not have.
func Known(clause string) (a classifier.Acts, ok bool) {
	w := pool.Get().(*work)
	defer pool.Put(w)
	w.clause.Read(clause)
	shipped().vocabulary.Mend(&w.clause)
	return known(&w.clause)
}

// Words are the words of the phrases, which every vocabulary has.
func Words() []string { return feature.Fold(phraseFile) }
