package rows

import (
	"fmt"
	"sync"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

// Language is a language with its grammar, the rows of values_rows.txt in its folder.
type Language struct {
	*message.Language
	grammar map[string]*grammar // by the name of what they read
	begins  map[string]grammars // by word, those that have a row which may begin with it
	counts  grammars            // those that may begin with a number or a sign
	always  grammars            // those that may begin with any word
	tops    []*grammar          // those that find values
	ranged  []*grammar          // those that do so where ranges are looked for
}

// languages holds the grammars that were read.
var languages = struct {
	sync.Mutex
	read map[string]*Language
}{read: map[string]*Language{}}

// Of returns the language of a tag; English for a language that has no tables.
func Of(tag string) *Language {
	words := message.LanguageOf(tag)
	languages.Lock()
	defer languages.Unlock()
	if t, known := languages.read[words.Tag]; known {
		return t
	}
	t, err := readLanguage(words)
	if err != nil {
		panic(fmt.Sprintf("%s/%v", words.Tag, err)) // the files are built in; a test reads them all
	}
	languages.read[words.Tag] = t
	return t
}

func readLanguage(words *message.Language) (*Language, error) {
	t := &Language{Language: words, grammar: map[string]*grammar{}, begins: map[string]grammars{}}
	if err := t.readRows(language.Lists(words.Tag, "values_rows.txt")); err != nil {
		return nil, fmt.Errorf("values_rows.txt, %w", err)
	}
	t.tops, t.ranged = t.named(tops[:]...), t.named(ranged[:]...)
	return t, nil
}

// named returns the grammars of some names that the language has.
func (t *Language) named(names ...string) (list []*grammar) {
	for _, name := range names {
		if g := t.grammar[name]; g != nil {
			list = append(list, g)
		}
	}
	return list
}
