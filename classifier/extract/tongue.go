package extract

import (
	"fmt"
	"strings"
	"sync"

	"github.com/slotway/slotway/config/language"
)

// A tongue is a language other than English: its words by class and its grammar by rows, both
// read from the folder of the language. English has code of its own, which knows more
// wordings; what a value is, what belongs to its span and which reading counts are the same.
type tongue struct {
	*tongueWords
	grammar map[string]*grammar // by the name of what they read
}

// term is a word or a phrase of a class.
type term struct {
	class string
	value string
	num   float64
	words []string
}

// tongues are the languages that were read.
var tongues = struct {
	sync.Mutex
	read map[string]*tongue
}{read: map[string]*tongue{}}

// tongueOf is the tongue of a language tag: nil for English, and for one that has no tables.
func tongueOf(tag string) *tongue {
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

func readTongue(base string) (*tongue, error) {
	if !language.Has(base, "values.txt") || !language.Has(base, "values_rows.txt") {
		return nil, nil
	}
	t := &tongue{newTongueWords(base), map[string]*grammar{}}
	lists := language.Lists(base, "values.txt")
	for _, e := range lists.Phrases("elided") {
		t.elided[e] = true
	}
	for _, class := range lists.Names() {
		if class == "elided" {
			continue
		}
		for line := range strings.Lines(lists[class]) {
			if err := t.addLine(class, strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("values.txt, list %s: %w", class, err)
			}
		}
	}
	t.readBooks()
	t.compound = len(t.classes["compound"]) > 0
	t.joinDays()
	if err := t.readMorphs(); err != nil {
		return nil, err
	}
	if err := t.readRows(language.Lists(base, "values_rows.txt")); err != nil {
		return nil, fmt.Errorf("values_rows.txt, %w", err)
	}
	return t, nil
}

// phraseAt returns the longest term of a class at token i, and its length.
func (s *scan) termAt(i int, class string) (t term, n int) {
	w := s.low(i)
	if w == "" {
		return t, 0
	}
	for _, e := range s.terms[i] {
		if e.class != class {
			continue
		}
		if k := s.spellsTerm(i, e.words); k > n {
			t, n = e, k
		}
	}
	if n == 0 && mendable[class] && len(s.terms[i]) == 0 {
		return s.mended(i, w, class)
	}
	return t, n
}

// spellsTerm counts the tokens at i that spell the words, which hyphens may join.
func (s *scan) spellsTerm(i int, words []string) int {
	n := 0
	for k, w := range words {
		if k > 0 && s.symbolAt(i+n, "-‐‑") && s.glued(i+n) {
			n++
		}
		if s.low(i+n) != w {
			return 0
		}
		n++
	}
	return n
}

// isTerm reports whether a term of a class stands at token i.
func (s *scan) isTerm(i int, class string) bool {
	_, n := s.termAt(i, class)
	return n > 0
}

// endsTerm counts the tokens of a term of a class that ends before token i.
func (s *scan) endsTerm(i int, class string) int {
	for n := 1; n <= longestTerm && n <= i; n++ {
		if _, k := s.termAt(i-n, class); k == n {
			return n
		}
	}
	return 0
}

const longestTerm = 4
