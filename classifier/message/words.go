package message

import (
	"maps"
	"strings"
	"sync"

	"github.com/slotway/slotway/config/language"
)

// wordFile holds lists of the words of a conversation by class; values.txt has those of values.
const wordFile = "words.txt"

// English is the language of the names and labels of agents, whatever they speak.
var English = sync.OnceValue(func() *Language { return LanguageOf(language.English) })

// readWords reads the lists of a language. A list with commas holds phrases, any other one words. A
// language without a list has the English one.
func (t *Language) readWords() {
	lists := language.Table{}
	if !t.Coded {
		maps.Copy(lists, language.Lists(language.English, wordFile))
	}
	maps.Copy(lists, language.Lists(t.Tag, wordFile))
	for _, class := range lists.Names() {
		if strings.Contains(lists[class], ",") {
			if t.Coded || t.Books[class] == nil {
				t.Books[class] = NewBook(lists.Phrases(class))
			}
			continue
		}
		t.sets[class] = Words(lists[class])
	}
}

// Has reports whether a word is one of a class.
func (t *Language) Has(class, word string) bool { return t != nil && t.sets[class][word] }

// In reports whether token i is a word of a class.
func (s *Message) In(i int, class string) bool { return s.Language.Has(class, s.Low(i)) }

// LongestOf returns how many tokens at i spell the longest phrase of some classes that stands there,
// or 0.
func (s *Message) LongestOf(i int, classes ...string) (best int) {
	for _, class := range classes {
		best = max(best, s.Longest(i, s.Language.Books[class]))
	}
	return best
}
