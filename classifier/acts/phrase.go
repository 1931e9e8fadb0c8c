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
			out[c.Hash()] = &lines[i].Acts
		}
	}
	return out
})

// known looks a clause up among the phrases.
func known(c *feature.Clause) (classifier.Acts, bool) {
	if len(c.Words) > longestPhrase {
		return classifier.Acts{}, false
	}
	if a, ok := phrases()[c.Hash()]; ok {
		return *a, true
	}
	return classifier.Acts{}, false
}

const longestPhrase = 6 // words
