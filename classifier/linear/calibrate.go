package linear

import (
	"math"
	"slices"
)

// curve turns a raw score into a confidence: a logistic function, after Platt,
// "Probabilistic Outputs for Support Vector Machines", 1999. It is placed by quantiles
// instead of by likelihood, since what matters is where the threshold falls.
type curve struct {
	slope, offset float64
	floor         float64 // share of known text below which confidence falls
}

// priorCurve serves where there are too few examples to fit one, and pulls every fit
// towards itself: 0.55 at a score of -0.5.
var priorCurve = curve{slope: 5, offset: 2.7, floor: 0.5}

// Calibration. Held-out examples of known intents should be accepted; examples of
// intents that were left out of training stand for off-topic messages. A wrong
// rejection of the first is taken three times as seriously as a wrong acceptance.
const (
	folds          = 3
	calibrationCap = 3000 // texts from which one fold suffices
	positiveWeight = 3
	maxLoss        = 0.025 // share of right answers that calibration may give up
	acceptAt       = 0.55  // the default threshold of an agent
	medianAt       = 0.92
	minSlope       = 2.5
	maxSlope       = 12
	priorStrength  = 40   // observations that priorCurve is worth
	floorAt        = 0.15 // share of right answers that may fall below the floor
	leastFloor     = 0.2
)

// confidence of a raw score for a text of which the share known was seen in training.
func (c curve) confidence(score, known float64) float64 {
	p := 1 / (1 + math.Exp(-(c.slope*score + c.offset)))
	if known < c.floor {
		p *= known / c.floor
	}
	return p
}

type observation struct {
	score, known float64
	accepted     bool
}

// calibrate fits the curve on folds: each drops a third of the intents wholly and a
// third of the examples of the others.
func (d *dataset) calibrate(o *Options) curve {
	if d.intents < folds {
		return priorCurve
	}
	rounds := folds
	if d.pseudo >= calibrationCap {
		rounds = 1
	}
	var seen []observation
	for fold := range rounds {
		seen = d.observe(fold, o, seen)
	}
	return fitCurve(seen)
}

func (d *dataset) observe(fold int, o *Options, seen []observation) []observation {
	nth := make([]int, d.intents) // examples of each class so far
	var train, held []int
	for i := range d.texts {
		c := d.classes[i]
		nth[c]++
		out := int(c)%folds == fold
		switch {
		case i >= d.pseudo:
			if !out {
				train = append(train, i)
			}
		case out || nth[c]%folds == fold:
			held = append(held, i)
		default:
			train = append(train, i)
		}
	}
	if len(train) == 0 {
		return seen
	}
	m := d.fit(train, o)
	var s scratch
	for _, i := range held {
		m.score(d.texts[i], &s)
		best := -1
		for c, v := range s.scores {
			if c%folds != fold && (best < 0 || v > s.scores[best]) {
				best = c
			}
		}
		if best < 0 {
			continue
		}
		out := int(d.classes[i])%folds == fold
		right := best == int(d.classes[i])
		if out || right { // a confusion of two known intents says nothing about the scope
			seen = append(seen, observation{float64(s.scores[best]), float64(s.known), right})
		}
	}
	return seen
}

// fitCurve places the curve by two points: the score of acceptance, at which confidence
// is acceptAt, and the median score of what should be accepted, at which it is medianAt.
// Few observations move it little from the prior.
func fitCurve(seen []observation) curve {
	var accepted, rejected, known []float64
	for _, o := range seen {
		if o.accepted {
			accepted = append(accepted, o.score)
			known = append(known, o.known)
		} else {
			rejected = append(rejected, o.score)
		}
	}
	if len(accepted) == 0 {
		return priorCurve
	}
	slices.Sort(accepted)
	slices.Sort(rejected)
	edge := acceptance(accepted, rejected)
	median := accepted[len(accepted)/2]
	slope := (logit(medianAt) - logit(acceptAt)) / max(median-edge, 1e-3)
	slope = min(max(slope, minSlope), maxSlope)
	n := float64(len(accepted))
	share := n / (n + priorStrength)
	slope = share*slope + (1-share)*priorCurve.slope
	priorEdge := (logit(acceptAt) - priorCurve.offset) / priorCurve.slope
	edge = share*edge + (1-share)*priorEdge
	slices.Sort(known)
	floor := min(max(known[int(floorAt*n)], leastFloor), priorCurve.floor)
	return curve{slope: slope, offset: logit(acceptAt) - slope*edge, floor: share*floor + (1-share)*priorCurve.floor}
}

// acceptance is the score at which wrong acceptances and wrong rejections, weighted,
// are fewest, but never one that rejects more than maxLoss of what is right. Both slices
// are sorted.
func acceptance(accepted, rejected []float64) float64 {
	best, least := accepted[0], math.Inf(1)
	r := 0
	for i := range int(maxLoss*float64(len(accepted))) + 1 {
		edge := accepted[i]
		for r < len(rejected) && rejected[r] < edge {
			r++
		}
		cost := positiveWeight * float64(i) / float64(len(accepted))
		if len(rejected) > 0 {
			cost += float64(len(rejected)-r) / float64(len(rejected))
		}
		if cost < least {
			best, least = edge, cost
		}
	}
	return best
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }
