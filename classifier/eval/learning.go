package eval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// learning is what was measured with parts of the training folds: for every message how
// often it was mistaken.
type learning struct {
	sizes []float64            // examples of an intent, on average; by part
	wrong [][]float64          // in [0,1], by part and message
	want  []string             // by message
	has   map[string][]float64 // examples of an intent; by intent and part
	all   float64              // examples of an intent with nothing left out, on average
}

// curveParts are the parts of the training folds, and how many draws of each are taken: the
// smaller the part, the more it matters what was drawn. The whole is measured already.
var curveParts = []struct {
	part  float64
	draws int
}{{0.25, 2}, {0.5, 2}}

// curvePasses is how often every fold is trained for the curve.
func curvePasses() int {
	n := 0
	for _, p := range curveParts {
		n += p.draws
	}
	return n
}

// learn trains on parts of the folds.
func (a *adviser) learn(ctx context.Context) (*learning, error) {
	l := &learning{has: map[string][]float64{}}
	var judged []int
	for i := range a.held {
		if !a.held[i].reply {
			judged = append(judged, i)
			l.want = append(l.want, a.held[i].want)
		}
	}
	for _, p := range curveParts {
		wrong := make([]float64, len(judged))
		for d := range p.draws {
			kept := a.parts(p.part, d)
			got, err := a.pass(ctx, func(i, fold int) bool { return kept[fold][i] || a.corpus.rows[i].Asked != "" })
			if err != nil {
				return nil, err
			}
			for n, i := range judged {
				if !got[i].right() {
					wrong[n] += 1 / float64(p.draws)
				}
			}
		}
		l.add(wrong, a, p.part)
	}
	wrong := make([]float64, len(judged))
	for n, i := range judged {
		if !a.held[i].right() {
			wrong[n] = 1
		}
	}
	l.add(wrong, a, 1)
	l.all = float64(len(judged)) / float64(len(a.names))
	return l, nil
}

func (l *learning) add(wrong []float64, a *adviser, part float64) {
	total := 0.0
	for _, name := range a.names {
		n := 0.0
		for fold := range a.k {
			n += float64(partOf(len(a.outside(name, fold)), part)) / float64(a.k)
		}
		l.has[name] = append(l.has[name], n)
		total += n
	}
	l.sizes, l.wrong = append(l.sizes, total/float64(len(a.names))), append(l.wrong, wrong)
}

// outside are the rows of an intent that are not in a fold.
func (a *adviser) outside(intent string, fold int) []int {
	return slices.DeleteFunc(slices.Clone(a.byIntent[intent]), func(i int) bool { return a.folds[i] == fold })
}

// partOf is how many of n examples a part keeps.
func partOf(n int, part float64) int { return min(n, max(1, int(math.Round(part*float64(n))))) }

// parts draws, for every fold, a part of each intent's other rows. A smaller part of the same
// draw is within the larger one, so that the two differ by their sizes alone.
func (a *adviser) parts(part float64, draw int) []map[int]bool {
	out := make([]map[int]bool, a.k)
	for fold := range out {
		out[fold] = map[int]bool{}
		rng := rand.New(rand.NewPCG(a.Noise.Seed, uint64(draw*a.k+fold)))
		for _, name := range a.names {
			rows := a.outside(name, fold)
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			for _, i := range rows[:partOf(len(rows), part)] {
				out[fold][i] = true
			}
		}
	}
	return out
}
