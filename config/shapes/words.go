package shapes

import (
	"strings"

	"github.com/slotway/slotway/config/language"
)

// The words are those of all languages that have such a file, whatever an agent speaks: other words
// are content.
var (
	classes = wordClasses()
	holds   = holdPhrases()
)

// hold is an opening of a message that answers nothing yet, and the number of words that may follow.
type hold struct {
	words []string
	more  int
}

func wordClasses() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, tag := range language.Tags() {
		table := language.Lists(tag, "texts.txt")
		for _, name := range table.Names() {
			if out[name] == nil {
				out[name] = map[string]bool{}
			}
			for _, w := range table.Words(name) {
				out[name][w] = true
			}
		}
	}
	return out
}

func holdPhrases() []hold {
	table := language.Lists(language.English, "texts.txt")
	var out []hold
	for more, name := range map[int]string{6: "hold 6", 4: "hold 4", 1: "hold 1"} {
		for _, phrase := range table.Phrases(name) {
			out = append(out, hold{strings.Fields(phrase), more})
		}
	}
	return out
}

// is reports whether a word is in a class.
func is(class, word string) bool { return classes[class][word] }
