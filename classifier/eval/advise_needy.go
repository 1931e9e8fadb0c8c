package eval

import (
	"cmp"
	"math"
	"slices"
)

// Needy is an intent that needs more examples.
type Needy struct {
	Intent     string   `json:"intent"`
	At         string   `json:"at,omitempty"` // where it is declared
	Examples   int      `json:"examples"`
	Now        float64  `json:"now"`                 // of its messages, mistaken
	Doubled    *float64 `json:"doubled"`             // with twice the examples; nil without a forecast
	PerExample float64  `json:"per_example"`         // mistakes in a hundred of its messages that one more example takes away; without a forecast, that one answers for
	TakenFor   []string `json:"taken_for,omitempty"` // the intents that it loses most to
	Alone      []Shown  `json:"alone,omitempty"`     // mistaken examples that are least like the others of the intent: write more of their kind
}

const (
	needyRivals = 2 // intents that are named
	needyAlone  = 2 // examples that are shown
)

// needy orders intents by the gain that one more example promises. The error of an intent is taken
// from every part of the curve, because few examples make few mistakes.
func (a *adviser) needy(l *learning, f *Forecast) []Needy {
	b := 0.0
	if f != nil {
		b = f.Exponent
	}
	wrong, expected := map[string]float64{}, map[string]float64{}
	for part := range l.sizes {
		for i, intent := range l.want {
			wrong[intent] += l.wrong[part][i]
			expected[intent] += math.Pow(max(l.has[intent][part], 1), -b)
		}
	}
	out := []Needy{}
	for _, name := range a.names {
		n := float64(len(a.byIntent[name]))
		c := power{a: wrong[name] / expected[name], b: b}
		if wrong[name] == 0 {
			continue
		}
		y := Needy{Intent: name, Examples: int(n), Now: c.at(n), PerExample: 100 * c.at(n) / n}
		if f != nil {
			doubled := c.at(2 * n)
			y.Doubled, y.PerExample = &doubled, 100*(y.Now-doubled)/n
		}
		y.TakenFor, y.Alone = a.lostTo(name), a.alone(name)
		out = append(out, y)
	}
	slices.SortStableFunc(out, func(x, y Needy) int { return cmp.Compare(y.PerExample, x.PerExample) })
	return out
}

// lostTo returns the intents for which an intent's examples are mistaken most often.
func (a *adviser) lostTo(intent string) []string {
	count := map[string]int{}
	for _, i := range a.byIntent[intent] {
		if p := &a.held[i]; !p.right() && p.got != "" {
			count[p.got]++
		}
	}
	rivals := make([]string, 0, len(count))
	for name := range count {
		rivals = append(rivals, name)
	}
	slices.SortFunc(rivals, func(x, y string) int { return cmp.Or(cmp.Compare(count[y], count[x]), cmp.Compare(x, y)) })
	return rivals[:min(needyRivals, len(rivals))]
}

// alone returns the mistaken examples that are least like the others of the intent.
func (a *adviser) alone(intent string) []Shown {
	type lone struct {
		row   int
		alike float64
	}
	var wrong []lone
	for _, i := range a.byIntent[intent] {
		if a.held[i].right() {
			continue
		}
		_, alike := a.alike.nearest(i, a.byIntent[intent], 1)
		wrong = append(wrong, lone{i, append(alike, 0)[0]})
	}
	slices.SortStableFunc(wrong, func(x, y lone) int { return cmp.Compare(x.alike, y.alike) })
	var out []Shown
	for _, w := range wrong[:min(needyAlone, len(wrong))] {
		out = append(out, shown(&a.held[w.row]))
	}
	return out
}
