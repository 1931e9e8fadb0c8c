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
	t := &Language{Language: words, grammar: map[string]*grammar{}}
	if err := t.readRows(language.Lists(words.Tag, "values_rows.txt")); err != nil {
		return nil, fmt.Errorf("values_rows.txt, %w", err)
	}
	return t, nil
}
