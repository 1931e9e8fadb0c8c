package spoken

import (
	"fmt"
	"strings"
	"sync"

	"github.com/slotway/slotway/classifier/extract/internal/scan"
	"github.com/slotway/slotway/config/language"
)

// A tongue is a language other than English: its words by class and its grammar by rows, both
// read from the folder of the language. English has code of its own, which knows more
// wordings; what a value is, what belongs to its span and which reading counts are the same.
type Tongue struct {
	*scan.Language
	grammar map[string]*grammar // by the name of what they read
}

// tongues are the languages that were read.
var tongues = struct {
	sync.Mutex
	read map[string]*Tongue
}{read: map[string]*Tongue{}}

// Of is the tongue of a language tag: nil for English, and for one that has no tables.
func Of(tag string) *Tongue {
	base := language.Base(tag)
	if base == language.English {
		return nil
	}
	tongues.Lock()
	defer tongues.Unlock()
	if t, known := tongues.read[base]; known {
		return t
	}
	t, err := readTongue(base)
	if err != nil {
		panic(fmt.Sprintf("language %s: %v", base, err)) // the files are built in; a test reads them all
	}
	tongues.read[base] = t
	return t
}

func readTongue(base string) (*Tongue, error) {
	if !language.Has(base, "values.txt") || !language.Has(base, "values_rows.txt") {
		return nil, nil
	}
	t := &Tongue{scan.NewLanguage(base), map[string]*grammar{}}
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
