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

// Calibration of large sets, on a held-out fold of the training set.
const (
	largeFolds     = 4      // of which one is held out
	calibrationCap = 3000   // texts from which a set is large
	acceptLoss     = 0.0125 // right answers, of all examples, that are given up below acceptAt; about 0.02 on other texts
	rejectLoss     = 0.004
	unknownLoss    = 0.01 // share of right answers that may fall below the floor
	leastFloor     = 0.2
	knownPenalty   = 1.0 // score that a text without a known word is counted to have lost
	minSlope       = 2.0 // logits for a score of 1
	maxSlope       = 14.0
)

// curve turns a raw score into a confidence: straight lines in the space of the logistic
// function, after Platt, "Probabilistic Outputs for Support Vector Machines", 1999,
// through three points that are placed by quantiles instead of by likelihood, since what
// matters is where the thresholds fall.
type curve struct {
	reject, accept, median float64 // scores of confidence rejectAt, acceptAt, medianAt
	floor                  float64 // share of known text below which confidence falls
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

// calibrate fits the curve: that of a large set so that fixed confidences give up fixed
// shares of what is right; that of a small one, whose quantiles would be guesses, by
// what tells its own intents from left-out ones.
func (d *dataset) calibrate(o *Options) curve {
	if d.pseudo < calibrationCap {
		return d.calibrateSmall(o)
	}
	var seen []observation
	d.holdOut(d.split(largeFolds), 0, o, func(i int, _ *Model, s *scratch) {
		seen = append(seen, d.observe(i, s))
	})
	return fitLarge(seen)
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

// fitLarge places the curve by quantiles of the scores of right answers.
func fitLarge(seen []observation) curve {
	var right, known []float64
	for _, o := range seen {
		if o.right {
			known = append(known, o.known)
		}
	}
	if len(known) == 0 {
		return priorCurve
	}
	slices.Sort(known)
	c := curve{floor: min(max(known[int(unknownLoss*float64(len(known)))], leastFloor), priorCurve.floor)}
	for _, o := range seen {
		if o.right {
			right = append(right, o.score-knownPenalty*max(0, 1-o.known/c.floor))
		}
	}
	slices.Sort(right)
	lost := func(share float64) float64 {
		return right[min(int(share*float64(len(seen))), len(right)-1)]
	}
	c.accept = lost(acceptLoss)
	c.reject = c.accept - between(c.accept-lost(rejectLoss), logit(acceptAt)-logit(rejectAt))
	c.median = c.accept + between(right[len(right)/2]-c.accept, logit(medianAt)-logit(acceptAt))
	return c
}

// between bounds the distance of two scores that are rise apart in logits.
func between(distance, rise float64) float64 {
	return min(max(distance, rise/maxSlope), rise/minSlope)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
