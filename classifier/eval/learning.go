package eval

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// learning holds how often every message was mistaken by models of parts of the training folds.
type learning struct {
	sizes []float64            // examples of an intent, on average; by part
	wrong [][]float64          // in [0,1], by part and message
	want  []string             // by message
	has   map[string][]float64 // examples of an intent; by intent and part
	all   float64              // examples of an intent with nothing left out, on average
}

// adviceSeed makes the draws of advice the same each time.
const adviceSeed = 1

// curvePart is a part of the training folds, and how many draws of it are taken.
type curvePart struct {
	part  float64
	draws int
}

// curveLeast is how many examples an intent has on average in the smallest part. Between one
// and two examples the error falls by less than the law that it follows from there on.
const curveLeast = 2

// curve is which parts are trained on: the smaller one is, the more it matters what was drawn.
// Where a quarter is too small, the half is drawn more often instead.
func (a *adviser) curve() []curvePart {
	if a.average(0.25) < curveLeast {
		return []curvePart{{0.5, 4}, {1, 1}}
	}
	return []curvePart{{0.25, 2}, {0.5, 2}, {1, 1}}
}

// curvePasses is how often every fold is trained for the curve.
func (a *adviser) curvePasses() int {
	n := 0
	for _, p := range a.curve() {
		n += p.draws
	}
	return n
}

// average is how many examples a part keeps of an intent.
func (a *adviser) average(part float64) float64 {
	total := 0
	for _, name := range a.names {
		total += partOf(a.spared(name), part)
	}
	return float64(total) / float64(len(a.names))
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
	for _, p := range a.curve() {
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
	l.all = float64(len(judged)) / float64(len(a.names))
	return l, nil
}

func (l *learning) add(wrong []float64, a *adviser, part float64) {
	for _, name := range a.names {
		l.has[name] = append(l.has[name], float64(partOf(a.spared(name), part)))
	}
	l.sizes, l.wrong = append(l.sizes, a.average(part)), append(l.wrong, wrong)
}

// outside are the rows of an intent that are not in a fold.
func (a *adviser) outside(intent string, fold int) []int {
	return slices.DeleteFunc(slices.Clone(a.byIntent[intent]), func(i int) bool { return a.folds[i] == fold })
}

// spared is how many examples of an intent are left whatever fold is left out.
func (a *adviser) spared(intent string) int {
	n := len(a.byIntent[intent])
	for fold := range a.k {
		n = min(n, len(a.outside(intent, fold)))
	}
	return n
}

// partOf is how many of n examples a part keeps.
func partOf(n int, part float64) int { return min(n, max(1, int(math.Round(part*float64(n))))) }

// parts draws, for every fold, a part of each intent's other rows. Of intents of a size as many
// are kept, whether the fold took one of theirs or not: else those that are asked for would be
// the only ones to lack an example, which costs much where there are five. A smaller part of
// the same draw is within the larger one, so that the two differ by their sizes alone.
func (a *adviser) parts(part float64, draw int) []map[int]bool {
	out := make([]map[int]bool, a.k)
	for fold := range out {
		out[fold] = map[int]bool{}
		rng := rand.New(rand.NewPCG(adviceSeed, uint64(draw*a.k+fold)))
		for _, name := range a.names {
			rows := a.outside(name, fold)
			rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			for _, i := range rows[:partOf(a.spared(name), part)] {
				out[fold][i] = true
			}
		}
	}
	return out
}
