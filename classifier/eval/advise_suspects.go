package eval

import (
	"cmp"
	"slices"
	"strings"
)

// Suspect is an example that probably belongs to another intent.
type Suspect struct {
	Shown
	Doubt float64 `json:"doubt"` // 0 to 1; the page says what it is worth
	Like  Shown   `json:"like"`  // the example most like it, of the intent that it is taken for
}

// Repeated is an example with the same words as another one.
type Repeated struct {
	Shown
	First Shown `json:"first"`
}

// Bounds of suspects, chosen on planted labels of BANKING77 and HWU64 (docs/howto/authoring.md).
const (
	suspectFellows = 3    // examples of an intent below which nothing can be said of one
	suspectNearest = 2    // most alike examples of an intent that are asked
	suspectDoubt   = 0.35 // from which an example is named
)

// suspects lists examples that both the classifier and the most similar examples assign to another
// intent. A difficult example still resembles its fellows, and their intent is the second guess; an
// example with a wrong label does neither.
func (a *adviser) suspects() []Suspect {
	out := []Suspect{}
	for _, name := range a.names {
		if len(a.byIntent[name]) < suspectFellows {
			continue
		}
		for _, i := range a.byIntent[name] {
			p := &a.held[i]
			if p.right() || len(a.byIntent[p.got]) == 0 {
				continue
			}
			if s := a.suspect(i, p); s.Doubt >= suspectDoubt {
				out = append(out, s)
			}
		}
	}
	slices.SortStableFunc(out, func(x, y Suspect) int { return cmp.Compare(y.Doubt, x.Doubt) })
	return out
}

// suspect scores one example: by how much the classifier prefers the other intent, times by how
// much more the examples of that intent resemble it.
func (a *adviser) suspect(i int, p *prediction) Suspect {
	_, own := a.alike.nearest(i, a.byIntent[p.want], suspectNearest)
	at, other := a.alike.nearest(i, a.byIntent[p.got], suspectNearest)
	s := Suspect{Shown: shown(p)}
	if theirs := mean(other); theirs > 0 {
		s.Doubt = (p.confidence - p.own) * (1 - mean(own)/theirs)
	}
	near := &a.held[at[0]]
	s.Like = Shown{At: near.pos.String(), Text: near.text, Intent: near.want}
	return s
}

func mean(of []float64) float64 {
	sum := 0.0
	for _, v := range of {
		sum += v
	}
	return sum / float64(max(1, len(of)))
}

// repeated names examples with the words of an earlier one, those of another intent first.
func (a *adviser) repeated() []Repeated {
	first := map[string]int{}
	out := []Repeated{}
	for i := range a.held {
		p := &a.held[i]
		words := strings.Join(spoken(p.text), " ")
		if p.reply || words == "" {
			continue
		}
		at, ok := first[words]
		if !ok {
			first[words] = i
			continue
		}
		f := &a.held[at]
		out = append(out, Repeated{
			Shown: Shown{At: p.pos.String(), Text: p.text, Intent: p.want},
			First: Shown{At: f.pos.String(), Text: f.text, Intent: f.want},
		})
	}
	slices.SortStableFunc(out, func(x, y Repeated) int { return cmp.Compare(x.within(), y.within()) })
	return out
}

func (r *Repeated) within() int {
	if r.Intent == r.First.Intent {
		return 1
	}
	return 0
}
