package acts

import (
	_ "embed" // the phrases
	"strings"
	"sync"

	"github.com/slotway/slotway/classifier/acts/feature"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

//go:embed phrases.txt
var phraseFile string

// tables holds the phrases of one language whose acts are certain.
type tables struct {
	tag     string
	phrases map[uint64]*message.Acts // by the hash of all words
	joiners map[uint64]bool          // words that join a clause to another
	guards  guards
}

// English words that join a clause to another.
const joining = "and but so also then plus well oh um uh"

// english returns the tables of English.
var english = sync.OnceValue(func() *tables {
	return &tables{tag: language.English, phrases: readCertain("phrases.txt", phraseFile, as), joiners: hashes(joining), guards: englishGuards()}
})

// as returns an English text unchanged.
func as(text string) string { return text }

// folding returns the function that folds the texts of a language.
func folding(tag string) func(string) string {
	if tag == language.English {
		return as
	}
	return func(text string) string { return language.Fold(tag, text) }
}

// readCertain reads the phrases whose acts are certain.
func readCertain(name, file string, fold func(string) string) map[uint64]*message.Acts {
	lines, err := ReadLines(name, strings.NewReader(file))
	if err != nil {
		panic(err) // the file is built in; a test reads it
	}
	out := make(map[uint64]*message.Acts, len(lines))
	var c feature.Clause
	for i := range lines {
		for phrase := range strings.SplitSeq(lines[i].Text, ", ") {
			c.Read(fold(phrase))
			out[c.Hash(0)] = &lines[i].Acts
		}
	}
	return out
}

// known looks a clause up among the phrases, also without the word that joins it to
// another: "and thanks", "but no".
func (t *tables) known(c *feature.Clause) (message.Acts, bool) {
	n := len(c.Words)
	if n > longestPhrase {
		return message.Acts{}, false
	}
	if a, ok := t.phrases[c.Hash(0)]; ok {
		return *a, true
	}
	if n > 1 && t.joiners[c.Words[0].Hash] {
		if a, ok := t.phrases[c.Hash(1)]; ok {
			return *a, true
		}
	}
	return message.Acts{}, false
}

const longestPhrase = 7 // words

// Known looks a clause up in the English tables alone; ok is false for a clause that they do not
// have.
func Known(clause string) (a message.Acts, ok bool) {
	w := pool.Get().(*work)
	defer pool.Put(w)
	w.clause.Read(clause)
	shipped().vocabulary.Mend(&w.clause)
	return english().known(&w.clause)
}

// Words returns the words of the phrases of a language. Every vocabulary of the language holds
// them.
func Words(tag string) []string {
	if language.Base(tag) == language.English {
		return feature.Fold(phraseFile)
	}
	file, _ := language.Read(tag, phraseTable)
	return feature.Fold(language.Fold(tag, string(file)))
}
