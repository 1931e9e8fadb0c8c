package linear

import (
	"slices"

	"github.com/slotway/slotway/classifier"
)

// defaultFolds is what CrossValidate takes when it is not told.
const defaultFolds = 5

// HeldOut is what a model says about an example that it was not trained on.
type HeldOut struct {
	Example int                // its number among the examples
	Ranking []classifier.Score // best first; empty for a text without a word
	Score   float64            // raw score of the best: about 1 for a training text, -1 for what is foreign
	Known   float64            // share of the text that training has seen, [0,1]
}

// CrossValidate returns, in the order of the examples, the ranking that each gets from a
// model trained without its fold. Every intent's examples are dealt over the folds in
// turn, so that the result is the same every time and no fold holds more than its share
// of an intent. More folds than the largest intent has examples leave out one of each
// intent at a time and are cut to that; fewer than 2 stand for 5. An intent with a single
// example keeps its name and its description, no more, while that is left out.
//
// Confidences are those of the curve that Train would fit to the examples. progress, which may be
// nil, is told of every fold done. It returns ErrNoExamples when there are none.
func CrossValidate(examples []Example, folds int, opts *Options, progress func(done, total int)) ([]HeldOut, error) {
	if len(examples) == 0 {
		return nil, ErrNoExamples
	}
	o := opts.withDefaults(len(examples))
	d := newDataset(examples, &o)
	folds = d.foldCount(folds)
	fold := d.split(folds)
	out := make([]HeldOut, len(examples))
	for k := range folds {
		d.holdOut(fold, k, &o, func(i int, m *Model, s *scratch) {
			out[i] = HeldOut{Example: i, Known: float64(s.known), Ranking: m.bestRaw(s, nil)}
			if len(out[i].Ranking) > 0 {
				out[i].Score = out[i].Ranking[0].Confidence
			}
		})
		if progress != nil {
			progress(k+1, folds)
		}
	}
	c := priorCurve
	if !o.Uncalibrate {
		c = d.calibrate(&o)
	}
	for _, h := range out {
		for j := range h.Ranking {
			h.Ranking[j].Confidence = c.confidence(h.Ranking[j].Confidence, h.Known)
		}
	}
	return out, nil
}

// foldCount bounds the folds by the examples of the largest intent.
func (d *dataset) foldCount(folds int) int {
	if folds < 2 {
		folds = defaultFolds
	}
	count := make([]int, d.intents)
	for _, c := range d.classes[:d.pseudo] {
		count[c]++
	}
	return max(1, min(folds, slices.Max(count)))
}

// split deals the examples of every intent over the folds. Intents start at different
// folds, so that folds are of about one size.
func (d *dataset) split(folds int) []int {
	next := make([]int, d.intents)
	for c := range next {
		next[c] = c % folds
	}
	fold := make([]int, d.pseudo)
	for i := range fold {
		c := d.classes[i]
		fold[i] = next[c]
		next[c] = (next[c] + 1) % folds
	}
	return fold
}

// holdOut trains on all folds but one and calls yield with every example of that one,
// scored.
func (d *dataset) holdOut(fold []int, k int, o *Options, yield func(i int, m *Model, s *scratch)) {
	var train, held []int
	for i := range d.texts {
		if i < d.pseudo && fold[i] == k {
			held = append(held, i)
		} else {
			train = append(train, i)
		}
	}
	if len(held) == 0 || len(train) == 0 {
		return
	}
	m := d.fit(train, o)
	var s scratch
	for _, i := range held {
		m.score(d.texts[i], &s)
		yield(i, m, &s)
	}
}
