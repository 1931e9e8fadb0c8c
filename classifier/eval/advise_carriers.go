package eval

import (
	"cmp"
	"context"
	"slices"
)

// Carrier is an example on which the understanding of others depends: without it they are taken for
// another intent.
type Carrier struct {
	Shown
	Breaks []Shown `json:"breaks"` // held-out examples that only it lets be understood
}

// carriers leaves out one more example of each intent in each fold, the one that the held-out
// examples need most, and lists the examples that are no longer understood.
func (a *adviser) carriers(ctx context.Context) ([]Carrier, error) {
	out := a.supports()
	without, err := a.pass(ctx, func(i, fold int) bool {
		n, ok := out[intentFold{a.held[i].want, fold}]
		return !ok || n != i
	})
	if err != nil {
		return nil, err
	}
	breaks := map[int][]Shown{}
	for i := range a.held {
		p, q := &a.held[i], &without[i]
		if at, ok := out[intentFold{p.want, p.fold}]; ok && !p.reply && p.right() && !q.right() {
			breaks[at] = append(breaks[at], shown(q))
		}
	}
	carriers := []Carrier{}
	for i := range a.held {
		if len(breaks[i]) > 0 {
			p := &a.held[i]
			carriers = append(carriers, Carrier{Shown: Shown{At: p.pos.String(), Text: p.text, Intent: p.want}, Breaks: breaks[i]})
		}
	}
	slices.SortStableFunc(carriers, func(x, y Carrier) int { return cmp.Compare(len(y.Breaks), len(x.Breaks)) })
	return carriers, nil
}

// intentFold is an intent while a fold is left out.
type intentFold struct {
	intent string
	fold   int
}

// supports picks, for each intent and fold, the example that the fold's own examples need most: it
// is nearer to them than any other example of the intent, by the widest lead.
func (a *adviser) supports() map[intentFold]int {
	needs := map[intentFold]map[int]float64{}
	for _, name := range a.names {
		for _, i := range a.byIntent[name] {
			p := &a.held[i]
			if !p.right() {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(a.byIntent[name]), func(n int) bool { return a.folds[n] == p.fold })
			at, alike := a.alike.nearest(i, others, 2)
			if len(at) == 0 {
				continue
			}
			lead := alike[0]
			if len(alike) > 1 {
				lead -= alike[1]
			}
			key := intentFold{name, p.fold}
			if needs[key] == nil {
				needs[key] = map[int]float64{}
			}
			needs[key][at[0]] += lead
		}
	}
	out := map[intentFold]int{}
	for key, by := range needs {
		best, most := -1, -1.0
		for i, n := range by {
			if n > most || n == most && i < best {
				best, most = i, n
			}
		}
		out[key] = best
	}
	return out
}
