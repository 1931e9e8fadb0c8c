package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/eval/internal/measure"
)

// Siblings are two intents that are mistaken for each other in both directions.
type Siblings struct {
	A       string   `json:"a"`
	B       string   `json:"b"`
	AasB    int      `json:"a_as_b"` // examples of A that are taken for B when left out
	BasA    int      `json:"b_as_a"`
	Of      int      `json:"of"`      // examples of both
	Shown   []Shown  `json:"shown"`   // the surest of those mistakes, of both ways
	TellsA  []string `json:"tells_a"` // words that A has and B has not
	TellsB  []string `json:"tells_b"`
	Advised string   `json:"advised"`
}

// Bounds of siblings. Single mistakes are no kinship, and few of many are the rule.
const (
	siblingCount = 3    // mistakes between two intents
	siblingShare = 0.05 // and their share of the examples of both
	siblingMerge = 0.3  // from here on two intents are one for those who write to them
	siblingShown = 3    // mistakes that are shown
	tellingWords = 3    // words that are named of each
	tellingLeast = 2    // examples that have a telling word
	tellingTimes = 3    // how much more frequent it is here than there
)

// siblings pairs intents by the mistakes between them.
func (a *adviser) siblings() []Siblings {
	pairs := map[[2]string]*Siblings{}
	wrong := map[[2]string][]*prediction{}
	for i := range a.held {
		p := &a.held[i]
		if p.reply || p.right() || len(a.byIntent[p.got]) == 0 {
			continue
		}
		key := pairOf(*p)
		s := pairs[key]
		if s == nil {
			s = &Siblings{A: key[0], B: key[1], Of: len(a.byIntent[key[0]]) + len(a.byIntent[key[1]])}
			pairs[key] = s
		}
		if p.want == s.A {
			s.AasB++
		} else {
			s.BasA++
		}
		wrong[key] = append(wrong[key], p)
	}
	out := []Siblings{}
	for key, s := range pairs {
		n := s.AasB + s.BasA
		if s.AasB == 0 || s.BasA == 0 || n < siblingCount || float64(n) < siblingShare*float64(s.Of) {
			continue
		}
		s.Shown = bothWays(wrong[key])
		s.TellsA, s.TellsB = a.telling(s.A, s.B), a.telling(s.B, s.A)
		s.Advised = s.advised()
		out = append(out, *s)
	}
	slices.SortFunc(out, func(x, y Siblings) int {
		return cmp.Or(cmp.Compare(y.share(), x.share()), cmp.Compare(y.AasB+y.BasA, x.AasB+x.BasA), cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B))
	})
	return out
}

func (s *Siblings) share() float64 { return measure.Share(s.AasB+s.BasA, s.Of) }

// bothWays picks the surest mistake of each direction, then the surest of the others.
func bothWays(wrong []*prediction) []Shown {
	slices.SortStableFunc(wrong, func(x, y *prediction) int { return cmp.Compare(y.confidence, x.confidence) })
	other := slices.IndexFunc(wrong, func(p *prediction) bool { return p.want != wrong[0].want })
	if other > 1 {
		p := wrong[other]
		wrong = slices.Insert(slices.Delete(wrong, other, other+1), 1, p)
	}
	var out []Shown
	for _, p := range wrong[:min(siblingShown, len(wrong))] {
		out = append(out, shown(p))
	}
	return out
}

// telling lists words of the examples of one intent that those of another lack.
func (a *adviser) telling(of, against string) []string {
	in, out := a.having(of), a.having(against)
	odds := map[string]float64{}
	for w, n := range in {
		here := (float64(n) + 0.5) / float64(len(a.byIntent[of])+1)
		there := (float64(out[w]) + 0.5) / float64(len(a.byIntent[against])+1)
		if n >= tellingLeast && here >= tellingTimes*there {
			odds[w] = float64(n) * math.Log(here/there)
		}
	}
	words := make([]string, 0, len(odds))
	for w := range odds {
		words = append(words, w)
	}
	slices.SortFunc(words, func(x, y string) int { return cmp.Or(cmp.Compare(odds[y], odds[x]), cmp.Compare(x, y)) })
	return words[:min(tellingWords, len(words))]
}

// having counts the examples of an intent that hold a word.
func (a *adviser) having(intent string) map[string]int {
	out := map[string]int{}
	for _, i := range a.byIntent[intent] {
		words := spoken(a.corpus.rows[i].Text)
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			out[w]++
		}
	}
	return out
}

// advised returns the advice about two siblings.
func (s *Siblings) advised() string {
	switch {
	case s.share() >= siblingMerge:
		return "people do not tell them apart: merge them, and ask which is meant (an enumeration that the task requires)"
	case len(s.TellsA) > 0 && len(s.TellsB) > 0:
		return fmt.Sprintf("add examples with the words that tell: %s for %s, %s for %s; word the sentences above that way, or leave them to the question which of the two is meant (a `title` for each)",
			strings.Join(s.TellsA, ", "), s.A, strings.Join(s.TellsB, ", "), s.B)
	}
	return "no word tells them apart: write in each what the other never says, or give each a `title` and let the question which of the two is meant decide"
}
