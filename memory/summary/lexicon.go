package summary

import (
	"cmp"
	"slices"
)

// maxLexicon bounds how many stems a session's lexicon has.
const maxLexicon = 3000

// lexicon is which words a session has used, and in how many messages: what is new in a
// message is worth more than what was said before.
type lexicon struct {
	Version  int            `json:"version"`
	Messages int            `json:"messages"`
	Stems    map[string]int `json:"stems"`
}

func newLexicon() *lexicon { return &lexicon{Version: version, Stems: map[string]int{}} }

// trim drops the rarest stems once there are too many.
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
