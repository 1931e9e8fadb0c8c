package linear

import (
	"math"
	"slices"
)

// Calibration of small sets. Held-out examples of known intents should be accepted;
// examples of intents that were left out of training stand for off-topic messages. A
// wrong rejection of the first is taken three times as seriously as a wrong acceptance.
const (
	smallFolds     = 3
	positiveWeight = 3
	maxLoss        = 0.025 // share of right answers that calibration may give up
	minSmallSlope  = 2.5
	maxSmallSlope  = 12
	priorStrength  = 40   // observations that priorCurve is worth
	priorSlope     = 5    // of priorCurve
	floorAt        = 0.15 // share of right answers that may fall below the floor
)

// calibrateSmall fits the curve on folds: each drops a third of the intents wholly and a
// third of the examples of the others.
func (d *dataset) calibrateSmall(o *Options) curve {
	if d.intents < smallFolds {
		return priorCurve
	}
	var seen []observation
	for fold := range smallFolds {
		seen = d.observeSmall(fold, o, seen)
	}
	return fitSmall(seen)
}

func (d *dataset) observeSmall(fold int, o *Options, seen []observation) []observation {
	nth := make([]int, d.intents) // examples of each class so far
	var train, held []int
	for i := range d.texts {
		c := d.classes[i]
		nth[c]++
		out := int(c)%smallFolds == fold
		switch {
		case i >= d.pseudo:
			if !out {
				train = append(train, i)
			}
		case out || nth[c]%smallFolds == fold:
			held = append(held, i)
		default:
			train = append(train, i)
		}
	}
	if len(train) == 0 {
		return seen
	}
	m := d.fit(train, o)
	if o.Watch.Stopped() {
		return seen
	}
	var s scratch
	for _, i := range held {
		m.score(d.texts[i], &s)
		best := -1
		for c, v := range s.scores {
			if c%smallFolds != fold && (best < 0 || v > s.scores[best]) {
				best = c
			}
		}
		if best < 0 {
			continue
		}
		out := int(d.classes[i])%smallFolds == fold
		right := best == int(d.classes[i])
		if out || right { // a confusion of two known intents says nothing about the scope
			seen = append(seen, observation{float64(s.scores[best]), float64(s.known), right})
		}
	}
	return seen
}

// fitSmall places the curve by two points: the score of acceptance, at which confidence
// is acceptAt, and the median score of what should be accepted, at which it is medianAt.
// Few observations move it little from the prior.
func fitSmall(seen []observation) curve {
	var accepted, rejected, known []float64
	for _, o := range seen {
		if o.right {
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
	slope = min(max(slope, minSmallSlope), maxSmallSlope)
	n := float64(len(accepted))
	share := n / (n + priorStrength)
	slope = share*slope + (1-share)*priorSlope
	edge = share*edge + (1-share)*priorCurve.accept
	slices.Sort(known)
	floor := min(max(known[int(floorAt*n)], leastFloor), priorCurve.floor)
	return straight(edge, slope, share*floor+(1-share)*priorCurve.floor)
}

// acceptance returns the score with the fewest wrong acceptances and wrong rejections, weighted. It
// never rejects more than maxLoss of the right answers. Both slices are sorted.
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
