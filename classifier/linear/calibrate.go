package linear

import (
	"math"
	"slices"
)

// Confidences with a fixed meaning, whatever the agent; see [Model.Zones].
const (
	acceptAt = 0.55
	rejectAt = 0.30
	medianAt = 0.92 // of what is answered rightly, half is above
)

// Calibration on held-out examples of the training set.
const (
	smallFolds     = 3
	largeFolds     = 4    // of which one is held out and seen
	calibrationCap = 3000 // texts from which one fold has enough to see
	acceptLoss     = 0.02 // right answers, of all examples, that are given up below acceptAt
	rejectLoss     = 0.005
	priorStrength  = 40  // observations that the prior curve is worth
	knownFloor     = 0.5 // share of known text below which a score is marked down
	knownPenalty   = 1.0 // what a text without a known word loses
)

// Bounds of the steepness of a curve, in logits for a score of 1.
const (
	minSlope = 2.0
	maxSlope = 14.0
)

// curve turns a raw score into a confidence: straight lines in the space of the logistic
// function, after Platt, "Probabilistic Outputs for Support Vector Machines", 1999,
// through three points that are placed by quantiles instead of by likelihood, since what
// matters is where the thresholds fall.
type curve struct {
	reject, accept, median float64 // scores of confidence rejectAt, acceptAt, medianAt
}

// priorCurve serves where there are too few examples to fit one, and pulls every fit
// towards itself.
var priorCurve = curve{reject: -0.71, accept: -0.5, median: -0.05}

// Zones returns the confidences between which Rank's best is neither taken nor thrown
// away. At accept and above the best intent may be taken: of the examples that are
// answered rightly when they are left out of training, this gives up about two in a
// hundred. Below reject (where half a hundredth is given up) the text is off topic.
// Between them the two best are worth offering. The values are the same for every model,
// since the curve is placed so that they mean the same; an agent that wants more or less
// certainty sets thresholds of its own.
func (m *Model) Zones() (accept, reject float64) { return acceptAt, rejectAt }

// confidence of a raw score for a text of which the share known was seen in training.
func (c curve) confidence(score, known float64) float64 {
	score -= penalty(known)
	upper := (logit(medianAt) - logit(acceptAt)) / (c.median - c.accept)
	slope := upper
	if score < c.accept {
		slope = (logit(acceptAt) - logit(rejectAt)) / (c.accept - c.reject)
	}
	return 1 / (1 + math.Exp(-(logit(acceptAt) + slope*(score-c.accept))))
}

// penalty is what the score of a text loses for what training has not seen of it.
func penalty(known float64) float64 {
	return knownPenalty * max(0, 1-known/knownFloor)
}

// observation is the best score of a held-out example.
type observation struct {
	score, known float64
	right        bool
}

// calibrate fits the curve on held-out folds.
func (d *dataset) calibrate(o *Options) curve {
	folds, rounds := smallFolds, smallFolds
	if d.pseudo >= calibrationCap {
		folds, rounds = largeFolds, 1
	}
	fold := d.split(folds)
	var seen []observation
	for k := range rounds {
		d.holdOut(fold, k, o, func(i int, m *Model, s *scratch) {
			seen = append(seen, d.observe(i, s))
		})
	}
	return fitCurve(seen)
}

// observe looks at the scores of example i.
func (d *dataset) observe(i int, s *scratch) observation {
	best := 0
	for c, v := range s.scores {
		if v > s.scores[best] {
			best = c
		}
	}
	return observation{float64(s.scores[best]), float64(s.known), best == int(d.classes[i])}
}

// fitCurve places the curve. Few observations move it little from the prior.
func fitCurve(seen []observation) curve {
	var right []float64
	for _, o := range seen {
		if o.right {
			right = append(right, o.score-penalty(o.known))
		}
	}
	if len(right) == 0 {
		return priorCurve
	}
	slices.Sort(right)
	lost := func(share float64) float64 {
		return right[min(int(share*float64(len(seen))), len(right)-1)]
	}
	n := float64(len(right))
	toPrior := func(score, prior float64) float64 {
		return (n*score + priorStrength*prior) / (n + priorStrength)
	}
	c := curve{
		reject: toPrior(lost(rejectLoss), priorCurve.reject),
		accept: toPrior(lost(acceptLoss), priorCurve.accept),
		median: toPrior(right[len(right)/2], priorCurve.median),
	}
	c.reject = c.accept - between(c.accept-c.reject, logit(acceptAt)-logit(rejectAt))
	c.median = c.accept + between(c.median-c.accept, logit(medianAt)-logit(acceptAt))
	return c
}

// between bounds the distance of two scores that are rise apart in logits.
func between(distance, rise float64) float64 {
	return min(max(distance, rise/maxSlope), rise/minSlope)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
