package foreign

import (
	"fmt"
	"strings"
	"sync"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

// Language is a language other than English: its words by class and its grammar by rows, both
// read from the folder of the language. English has code of its own, which knows more
// wordings; what a value is, what belongs to its span and which reading counts are the same.
type Language struct {
	*message.Language
	grammar map[string]*grammar // by the name of what they read
}

// languages holds the languages that were read.
var languages = struct {
	sync.Mutex
	read map[string]*Language
}{read: map[string]*Language{}}

// Of returns the language of a tag: nil for English, and for one that has no tables.
func Of(tag string) *Language {
	base := language.Base(tag)
	if base == language.English {
		return nil
	}
	languages.Lock()
	defer languages.Unlock()
	if t, known := languages.read[base]; known {
		return t
	}
	t, err := readLanguage(base)
	if err != nil {
		panic(fmt.Sprintf("language %s: %v", base, err)) // the files are built in; a test reads them all
	}
	languages.read[base] = t
	return t
}

func readLanguage(base string) (*Language, error) {
	if !language.Has(base, "values.txt") || !language.Has(base, "values_rows.txt") {
		return nil, nil
	}
	t := &Language{message.NewLanguage(base), map[string]*grammar{}}
	lists := language.Lists(base, "values.txt")
	for _, e := range lists.Phrases("elided") {
		t.Elided[e] = true
	}
	for _, class := range lists.Names() {
		if class == "elided" {
			continue
		}
		for line := range strings.Lines(lists[class]) {
			if err := t.AddLine(class, strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("values.txt, list %s: %w", class, err)
			}
		}
	}
	t.ReadBooks()
	t.Compound = len(t.Classes["compound"]) > 0
	t.JoinDays()
	if err := t.ReadMorphs(); err != nil {
		return nil, err
	}
	if err := t.readRows(language.Lists(base, "values_rows.txt")); err != nil {
		return nil, fmt.Errorf("values_rows.txt, %w", err)
	}
	return t, nil
}
