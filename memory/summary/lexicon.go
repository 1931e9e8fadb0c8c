package summary

import (
	"cmp"
	"slices"
)

// maxLexicon is the most stems of a session's lexicon.
const maxLexicon = 3000

// lexicon counts in how many messages of a session each word occurs: new words make a message worth
// more.
type lexicon struct {
	Version  int            `json:"version"`
	Messages int            `json:"messages"`
	Stems    map[string]int `json:"stems"`
}

func newLexicon() *lexicon { return &lexicon{Version: version, Stems: map[string]int{}} }

// trim drops the rarest stems if there are too many.
func (l *lexicon) trim() {
	if len(l.Stems) <= maxLexicon {
		return
	}
	type entry struct {
		stem string
		n    int
	}
	list := make([]entry, 0, len(l.Stems))
	for stem, n := range l.Stems {
		list = append(list, entry{stem, n})
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.stem, b.stem)) })
	for _, e := range list[maxLexicon*2/3:] {
		delete(l.Stems, e.stem)
	}
}
