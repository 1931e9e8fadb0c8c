package review

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
)

// Embedder gives texts vectors of length 1, or 0 where it knows no word.
type Embedder interface {
	Dimension() int
	EmbedInto(dst []float32, text string)
}

// Alike is a group of messages that say about the same.
type Alike struct {
	ID         string // of what it says: the same as long as the store holds the same
	Texts      []Said // the newest first
	Size       int    // messages
	Sessions   int
	Last       time.Time
	Reasons    map[Reason]int
	Candidates []Candidate // for the intent, the best first
}

// Said is one text of a group.
type Said struct {
	Text    string
	Count   int
	Reading *Reading
}

// Candidate is an intent that a group may mean.
type Candidate struct {
	Intent     string  `json:"intent"`
	Confidence float64 `json:"confidence"` // of the classifier, the mean of the group's; 0: it does not name it
	WentOn     int     `json:"went_on"`    // conversations that went on with it
}

// like is the least likeness of a message to the first one of its group.
const like = 0.55

// maxCandidates is the length of a group's list of candidates.
const maxCandidates = 5

// Group puts alike items together: the largest groups first, of equals the latest. An item joins the
// group whose newest message is most like it. e adds likeness of meaning to that of words; nil: words
// alone.
func Group(items []Item, e Embedder) []Alike {
	g := &grouping{embed: e}
	for i := range items {
		g.add(&items[i])
	}
	out := make([]Alike, len(g.groups))
	for i, members := range g.groups {
		out[i] = describe(members)
	}
	slices.SortStableFunc(out, func(a, b Alike) int {
		return cmp.Or(b.Size-a.Size, b.Last.Compare(a.Last), strings.Compare(a.ID, b.ID))
	})
	return out
}

type grouping struct {
	embed  Embedder
	groups [][]*Item
	seeds  []features // of the first of each group
}

type features struct {
	terms map[string]float64 // of length 1
	dense []float32          // of length 1 or 0; nil: none
}

func (g *grouping) add(item *Item) {
	f := g.features(item.Text)
	best, likeness := -1, like
	for i := range g.seeds {
		if l := f.like(&g.seeds[i]); l >= likeness {
			best, likeness = i, l
		}
	}
	if best < 0 {
		g.groups, g.seeds = append(g.groups, []*Item{item}), append(g.seeds, f)
		return
	}
	g.groups[best] = append(g.groups[best], item)
}

// features counts the words of a text and every three letters in a row within them.
func (g *grouping) features(text string) features {
	f := features{terms: map[string]float64{}}
	square := 0.0
	for w := range strings.FieldsSeq(keyOf(text)) {
		f.terms["="+w]++
		r := []rune(" " + w + " ")
		for i := 0; i+3 <= len(r); i++ {
			f.terms[string(r[i:i+3])] += 0.5
		}
	}
	for _, n := range f.terms {
		square += n * n
	}
	for t := range f.terms {
		f.terms[t] /= math.Sqrt(square)
	}
	if g.embed != nil {
		f.dense = make([]float32, g.embed.Dimension())
		g.embed.EmbedInto(f.dense, text)
	}
	return f
}

// like is 1 for texts that say the same, and 0 for those that share nothing.
func (f *features) like(o *features) float64 {
	words := 0.0
	for t, w := range f.terms {
		words += w * o.terms[t]
	}
	if f.dense == nil {
		return words
	}
	meaning := 0.0
	for i, v := range f.dense {
		meaning += float64(v) * float64(o.dense[i])
	}
	return (words + max(meaning, 0)) / 2
}

// describe sums up a group.
func describe(members []*Item) Alike {
	a := Alike{Size: len(members), Reasons: map[Reason]int{}, ID: idOf(members[0].Text)}
	sessions, at := map[memory.Key]bool{}, map[string]int{}
	for _, m := range members {
		sessions[m.Key] = true
		if m.At.After(a.Last) {
			a.Last = m.At
		}
		for _, r := range m.Reasons {
			a.Reasons[r]++
		}
		key := keyOf(m.Text)
		i, ok := at[key]
		if !ok {
			i = len(a.Texts)
			at[key] = i
			a.Texts = append(a.Texts, Said{Text: m.Text, Reading: &m.Reading})
		}
		a.Texts[i].Count++
	}
	a.Sessions, a.Candidates = len(sessions), candidates(members)
	return a
}

// idOf names a group by its first text.
func idOf(text string) string {
	sum := sha256.Sum256([]byte(keyOf(text)))
	return hex.EncodeToString(sum[:4])
}

// candidates ranks the intents that a group may mean: those that conversations went on with, then
// those that the classifier names.
func candidates(members []*Item) []Candidate {
	by := map[string]*Candidate{}
	of := func(intent string) *Candidate {
		if by[intent] == nil {
			by[intent] = &Candidate{Intent: intent}
		}
		return by[intent]
	}
	for _, m := range members {
		if m.WentOn != "" {
			of(m.WentOn).WentOn++
		}
		for _, s := range m.Ranking {
			of(s.Intent).Confidence += s.Confidence / float64(len(members))
		}
	}
	out := make([]Candidate, 0, len(by))
	for _, c := range by {
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Candidate) int {
		return cmp.Or(b.WentOn-a.WentOn, cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.Intent, b.Intent))
	})
	return out[:min(len(out), maxCandidates)]
}
