package linear

import "math"

// curve turns a raw score into a confidence: a logistic function, after Platt,
// "Probabilistic Outputs for Support Vector Machines", 1999.
type curve struct{ slope, offset float64 }

// priorCurve serves where there are too few examples to fit one, and pulls every fit
// towards itself.
var priorCurve = curve{slope: 5, offset: 2}

// Calibration. Held-out examples of known intents should be accepted; examples of
// intents that were left out of training stand for off-topic messages. A wrong
// rejection of the first is taken three times as seriously as a wrong acceptance.
const (
	folds          = 3
	calibrationCap = 3000 // texts from which one fold suffices
	priorStrength  = 40   // observations that priorCurve is worth
	positiveWeight = 3
	knownFloor     = 0.45 // share of known text below which confidence falls
)

// confidence of a raw score for a text of which the share known was seen in training.
func (c curve) confidence(score, known float64) float64 {
	p := 1 / (1 + math.Exp(-(c.slope*score + c.offset)))
	if known < knownFloor {
		p *= known / knownFloor
	}
	return p
}

type observation struct {
	score    float64
	accepted bool
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
			seen = append(seen, observation{float64(s.scores[best]), right})
		}
	}
	return seen
}

// fitCurve minimises the weighted log loss by gradient descent with a quadratic pull
// towards the prior. Both sides weigh the same but for positiveWeight.
func fitCurve(seen []observation) curve {
	var accepted, rejected float64
	for _, o := range seen {
		if o.accepted {
			accepted++
		} else {
			rejected++
		}
	}
	if accepted == 0 || rejected == 0 {
		return priorCurve
	}
	weights := map[bool]float64{
		true:  positiveWeight / (1 + positiveWeight) / accepted,
		false: 1.0 / (1 + positiveWeight) / rejected,
	}
	pull := priorStrength / (priorStrength + accepted + rejected) * 0.02
	c := priorCurve
	for range 400 {
		ga, gb := pull*(c.slope-priorCurve.slope), pull*(c.offset-priorCurve.offset)
		haa, hab, hbb := pull, 0.0, pull
		for _, o := range seen {
			p := 1 / (1 + math.Exp(-(c.slope*o.score + c.offset)))
			w, y := weights[o.accepted], 0.0
			if o.accepted {
				y = 1
			}
			ga += w * (p - y) * o.score
			gb += w * (p - y)
			h := w * p * (1 - p)
			haa, hab, hbb = haa+h*o.score*o.score, hab+h*o.score, hbb+h
		}
		det := haa*hbb - hab*hab
		if det < 1e-12 {
			break
		}
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		c.slope, c.offset = c.slope-da, c.offset-db
		if math.Abs(da)+math.Abs(db) < 1e-6 {
			break
		}
	}
	if c.slope <= 0 || math.IsNaN(c.slope) || math.IsNaN(c.offset) {
		return priorCurve // scores that say nothing cannot be calibrated
	}
	return c
}
