package linear

import (
	"math"
	"slices"
)

// Confidences with a fixed meaning, whatever the agent. At acceptAt and above the best
// intent may be taken: of the examples that are answered rightly when they are left out of
// training, this gives up about two in a hundred. Below rejectAt, where half a hundredth is
// given up, the text is off topic. Between them the two best are worth offering. The curve
// is placed so that they mean the same for every agent; one that wants more or less
// certainty sets thresholds of its own.
const (
	acceptAt = 0.55
	rejectAt = 0.30
	medianAt = 0.92 // of what is answered rightly, half is above
)

// Calibration of large sets, on a held-out fold of the training set.
const (
	largeFolds     = 4    // of which one is held out
	calibrationCap = 3000 // texts from which a set is large
	acceptLoss     = 0.02 // right answers, of all examples, that are given up below acceptAt
	rejectLoss     = 0.005
	leastFloor     = 0.2
	minSlope       = 2.0 // logits for a score of 1
	maxSlope       = 14.0
)

// What tells a request in scope from others in a large set, against 1 of the score itself;
// chosen on the development part of CLINC150, whose out-of-scope messages take no part in
// training: at 2 points of loss 0.73 of them are refused, by the score alone 0.72, at 1
// point 0.66 against 0.52.
const (
	wordsWorth = 0.4 // of the score without the embedding
	knownWorth = 1.0 // of the share of the text that is not known
	wellKnown  = 0.9 // from here on a text is known
)

// curve turns a raw score into a confidence: straight lines in the space of the logistic function,
// after Platt, "Probabilistic Outputs for Support Vector Machines", 1999, through three points.
// Quantiles place the points, not likelihood, because what counts is where the thresholds fall.
type curve struct {
	reject, accept, median float64 // scores of confidence rejectAt, acceptAt, medianAt
	floor                  float64 // share of known text below which confidence falls
	weighed                bool    // scores are those of Model.worth
}

// priorCurve serves where there are too few examples to fit one, and pulls the fit of
// few towards itself.
var priorCurve = straight(-0.5, 5, 0.5)

// straight is a curve of one slope.
func straight(accept, slope, floor float64) curve {
	return curve{
		reject: accept - (logit(acceptAt)-logit(rejectAt))/slope,
		accept: accept,
		median: accept + (logit(medianAt)-logit(acceptAt))/slope,
		floor:  floor,
	}
}

// confidence returns the confidence of a raw score. known is the share of the text that training
// has seen.
func (c curve) confidence(score, known float64) float64 {
	slope := (logit(medianAt) - logit(acceptAt)) / (c.median - c.accept)
	if score < c.accept {
		slope = (logit(acceptAt) - logit(rejectAt)) / (c.accept - c.reject)
	}
	p := 1 / (1 + math.Exp(-(logit(acceptAt) + slope*(score-c.accept))))
	if known < c.floor {
		p *= known / c.floor
	}
	return p
}

// observation is the best score of a held-out example.
type observation struct {
	score, known float64
	right        bool
}

// calibrate fits the curve. In a large set, fixed confidences give up fixed shares of the right
// answers. In a small set, whose quantiles would be guesses, the curve separates its own intents
// from left-out ones.
func (d *dataset) calibrate(o *Options) curve {
	if d.pseudo < calibrationCap {
		return d.calibrateSmall(o)
	}
	var train, held []int
	for i, out := range d.lastFold(largeFolds) {
		if out {
			held = append(held, i)
		} else {
			train = append(train, i)
		}
	}
	m := d.fit(train, o)
	if o.Watch.Stopped() {
		return priorCurve
	}
	m.curve.weighed = true
	var seen []observation
	var s scratch
	for _, i := range held {
		m.score(d.texts[i], &s)
		if m.order(&s); len(s.tokens.words) > 0 {
			best := s.order[0]
			seen = append(seen, observation{m.worth(best, &s), float64(s.known), best == int(d.classes[i])})
		}
	}
	return fitLarge(seen)
}

// lastFold marks the last part of every intent's examples. Neighbours are often wordings of one
// thing: if they were dealt out in turn, each would have a twin in training, and the loss on other
// texts would look half as large.
func (d *dataset) lastFold(folds int) []bool {
	left := make([]int, d.intents)
	for _, c := range d.classes[:d.pseudo] {
		left[c]++
	}
	share := make([]int, d.intents)
	for c, n := range left {
		share[c] = n / folds
	}
	out := make([]bool, len(d.texts))
	for i, c := range d.classes[:d.pseudo] {
		out[i] = left[c] <= share[c]
		left[c]--
	}
	return out
}

// fitLarge places the curve by quantiles of the scores of right answers.
func fitLarge(seen []observation) curve {
	var right []float64
	for _, o := range seen {
		if o.right {
			right = append(right, o.score)
		}
	}
	if len(right) == 0 {
		return priorCurve
	}
	slices.Sort(right)
	lost := func(share float64) float64 {
		return right[min(int(share*float64(len(seen))), len(right)-1)]
	}
	c := curve{accept: lost(acceptLoss), floor: leastFloor, weighed: true}
	c.reject = c.accept - between(c.accept-lost(rejectLoss), logit(acceptAt)-logit(rejectAt))
	c.median = c.accept + between(right[len(right)/2]-c.accept, logit(medianAt)-logit(acceptAt))
	return c
}

// between keeps the distance of two scores within the slopes that the curve may have, for
// confidences that are rise apart in logits.
func between(distance, rise float64) float64 {
	return min(max(distance, rise/maxSlope), rise/minSlope)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
