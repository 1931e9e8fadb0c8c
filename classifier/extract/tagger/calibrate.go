package tagger

import "math"

// A span's confidence is how often spans of such a margin are right. On large sets one
// curve fits all, as counted on held-out parts of several public sets; a small set counts
// for itself, on folds, how far its own spans are from it, and those of each param.
const (
	priorBias  = -0.375 // log odds at margin 0, over all sets
	perMargin  = 1.0 / 16
	curveFolds = 5
	enough     = 150 // held-out spans after which no more folds are trained

	priorWeight = 4 // how firmly bias and slope are held to the prior, in squared deviations
	tagWeight   = 1 // the same for what a param deviates from all
)

// curve gives the log odds of a span: a bias, a slope by its margin, and an offset for its param.
type curve struct {
	bias, slope float64
	byTag       []float64
}

func newCurve(tags int) curve { return curve{priorBias, 1, make([]float64, tags)} }

func (c *curve) odds(margin float64, tag int32) float64 {
	return c.bias + c.byTag[tag] + float64(c.slope*margin*perMargin)
}

// Confidence returns the probability that a span from Tag is right.
func (m *Model) Confidence(s Span) float64 {
	if m == nil {
		return 0
	}
	p, ok := m.number[s.Tag]
	if !ok {
		return 0
	}
	return logistic(m.curve.odds(s.Margin, p))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// heldOut is a span that a model found in an example it was not trained on.
type heldOut struct {
	tag    int32
	margin float64
	right  bool
}

// calibrate fits the curve of a small set.
func (m *Model) calibrate(examples []Example, o *Options) {
	m.curve = newCurve(len(m.tags))
	if len(examples) > smallSet {
		return
	}
	var seen []heldOut
	for fold := 0; fold < curveFolds && len(seen) < enough && !o.Watch.Stopped(); fold++ {
		seen = m.holdOut(examples, fold, o, seen)
	}
	m.curve.fit(seen)
}

// holdOut trains without a fold and appends what that model finds in it.
func (m *Model) holdOut(examples []Example, fold int, o *Options, seen []heldOut) []heldOut {
	var rest, held []Example
	for i, e := range examples {
		if i%curveFolds == fold {
			held = append(held, e)
		} else {
			rest = append(rest, e)
		}
	}
	without := learn(rest, o)
	if o.Watch.Stopped() {
		return seen
	}
	var found []Span
	for i := range held {
		found = without.Tag(held[i].Sentence, found[:0])
		for _, s := range found {
			if tag, ok := m.number[s.Tag]; ok {
				seen = append(seen, heldOut{tag, s.Margin, marks(&held[i], s)})
			}
		}
	}
	return seen
}

// marks reports whether an example has a span.
func marks(e *Example, s Span) bool {
	for _, o := range e.Spans {
		if o.Tag == s.Tag && o.Start == s.Start && o.End == s.End {
			return true
		}
	}
	return false
}

// fit moves the curve to the observations as far as the prior lets it: Newton's method on the
// penalised likelihood of a logistic regression.
func (c *curve) fit(seen []heldOut) {
	const rounds = 20
	for range rounds {
		c.step(seen)
		c.stepTags(seen)
	}
}

// step moves bias and slope.
func (c *curve) step(seen []heldOut) {
	gb, gs := float64(priorWeight*(priorBias-c.bias)), float64(priorWeight*(1-c.slope))
	bb, bs, ss := float64(priorWeight), 0.0, float64(priorWeight)
	for _, h := range seen {
		x := h.margin * perMargin
		d, w := c.miss(h)
		gb, gs = gb+d, gs+float64(d*x)
		bb, bs, ss = bb+w, bs+float64(w*x), ss+float64(w*x*x)
	}
	det := float64(bb*ss) - float64(bs*bs)
	c.bias += (float64(gb*ss) - float64(gs*bs)) / det
	c.slope = max(minSlope, c.slope+(float64(gs*bb)-float64(gb*bs))/det)
}

// minSlope makes sure that a greater margin never means a lower confidence.
const minSlope = 0.1

// stepTags moves the offset of each param.
func (c *curve) stepTags(seen []heldOut) {
	g, w := make([]float64, len(c.byTag)), make([]float64, len(c.byTag))
	for t, x := range c.byTag {
		g[t], w[t] = -tagWeight*x, tagWeight
	}
	for _, h := range seen {
		d, v := c.miss(h)
		g[h.tag] += d
		w[h.tag] += v
	}
	for t := range c.byTag {
		c.byTag[t] += g[t] / w[t]
	}
}

// miss returns the error of the curve for one span, and its weight.
func (c *curve) miss(h heldOut) (by, weight float64) {
	p := logistic(c.odds(h.margin, h.tag))
	if h.right {
		by = 1
	}
	return by - p, p * (1 - p)
}
