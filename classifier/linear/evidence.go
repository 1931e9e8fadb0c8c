package linear

import "math"

// What tells a request of an intent from one that is only near it, in sets of few examples.
// The score alone does not: in a small set a request about the same things scores as one for
// the intent does. Asked besides is how near the text comes to the nearest example of the
// class, by the vectors, against how near the examples of the set come to each other when
// each is left out; and how much of the text is known words.
//
// The weights were fitted by logistic regression on agents of 6 to 10 intents with 8 examples
// each, drawn from HWU64: requests of an agent's intents against those of the set's other
// intents and of none, with the word vectors and with sentence vectors. They hold for other
// sets and embedders, since similarity is in units of the set's own: on agents drawn from
// BANKING77, CLINC150, SNIPS and ATIS, which took no part, the best task is right in the same
// share of the messages at the same evidence, within some hundredths.
const (
	scoreWorth   = 3.1  // of the score by the classes' machines
	knownShare   = 1.65 // of the share of the text that is known
	nearestWorth = 0.5  // of the similarity to the nearest example of the class, in spreads of the set
	ofClassWorth = 0.35 // of the same against what is usual in the class
	evidenceBias = -0.35
)

// evidenceCurve gives evidence its confidence. Where acceptAt and rejectAt fall is a choice:
// with the word vectors about seven in a hundred right answers are given up at the one, one
// at the other.
var evidenceCurve = curve{
	reject: -3, accept: -0.85, floor: leastFloor,
	median: -0.85 + (logit(medianAt)-logit(acceptAt))/oddsSlope,
}

// oddsSlope is the logits of being right for one of evidence, above acceptAt.
const oddsSlope = 1.7

// Bounds of the sets that evidence was tried on: classes, and examples of each on average. Of
// fewer nobody can tell how alike the requests for one thing are.
const (
	leastClasses   = 5
	leastExamples  = 7
	sparseExamples = 16
)

// Bounds of what similarity may say: a copy of an example, or a text that has nothing in
// common with any, must not outweigh everything else.
const (
	mostSpreads = 3
	leastSpread = 0.02
)

// evidence is what speaks for a class, in logits. similar is what neighbours.similar says.
func evidence(score, known, similar float64) float64 {
	return evidenceBias + scoreWorth*score + knownShare*known + similar
}

// neighbours are the examples of a small set by their vectors. It does not change.
type neighbours struct {
	vectors []float32 // by example, of length 1, those of a class side by side
	width   int       // of a vector
	from    []int32   // by class: its first example; one more than there are classes
	mean    float64   // similarity of an example to the nearest of its class, over the set
	spread  float64   // its standard deviation
	class   []float64 // the mean by class
}

// learn keeps the vectors of examples, which are of the given length, and finds what is usual
// among them. classes are those of the vectors; those aside say nothing of what is usual.
func (n *neighbours) learn(vectors []vector, classes []int32, length float64, aside []bool) {
	intents := len(aside)
	n.from, n.class = make([]int32, intents+1), make([]float64, intents)
	for c := range intents {
		n.from[c] = int32(len(n.vectors))
		for i, v := range vectors {
			if int(classes[i]) != c {
				continue
			}
			for _, x := range v.dense {
				n.vectors = append(n.vectors, fine(float64(x)/length))
			}
		}
	}
	n.from[intents] = int32(len(n.vectors))
	n.measure(aside)
}

// steps of a number of a vector: it is kept in a byte, with or without a cache.
const steps = 127

// fine rounds to what a byte holds.
func fine(x float64) float32 { return float32(math.Round(min(max(x, -1), 1)*steps) / steps) }

// nearest is the similarity of a vector of length 1 to the nearest example of a class; skip
// is the place of an example that does not count, or -1.
func (n *neighbours) nearest(class int, x []float32, skip int32) (best float32, ok bool) {
	best = -1
	for at := n.from[class]; at < n.from[class+1]; at += int32(len(x)) {
		if at == skip {
			continue
		}
		best, ok = max(best, dot(n.vectors[at:][:len(x)], x)), true
	}
	return best, ok
}

// similar is what the similarity of a text to a class's examples speaks for it, in logits. The
// vector is of the given length; one of zeros says nothing.
func (n *neighbours) similar(class int, x []float32, length float64) float64 {
	near, ok := n.nearest(class, x, -1)
	if !ok || zero(x) {
		return 0
	}
	at := float64(near) / length
	return nearestWorth*n.spreads(at-n.mean) + ofClassWorth*n.spreads(at-n.class[class])
}

func (n *neighbours) spreads(distance float64) float64 {
	return min(max(distance/n.spread, -2*mostSpreads), mostSpreads)
}

func zero(x []float32) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

// measure finds what is usual in the set: how near each example is to the others of its class.
func (n *neighbours) measure(aside []bool) {
	var all tally
	alone := make([]bool, len(n.class))
	for c := range n.class {
		var of tally
		for at := n.from[c]; at < n.from[c+1]; at += int32(n.width) {
			if near, ok := n.nearest(c, n.vectors[at:][:n.width], at); ok {
				of.add(float64(near))
			}
		}
		n.class[c], alone[c] = of.mean(), of.n == 0
		if !aside[c] {
			all.join(of)
		}
	}
	n.mean, n.spread = all.mean(), max(leastSpread, all.spread())
	for c := range n.class {
		if alone[c] {
			n.class[c] = n.mean
		}
	}
}

// tally sums up for a mean and a standard deviation.
type tally struct{ n, sum, square float64 }

func (t *tally) add(x float64) { t.n, t.sum, t.square = t.n+1, t.sum+x, t.square+x*x }
func (t *tally) join(o tally)  { t.n, t.sum, t.square = t.n+o.n, t.sum+o.sum, t.square+o.square }
func (t *tally) mean() float64 { return t.sum / max(t.n, 1) }
func (t *tally) spread() float64 {
	return math.Sqrt(max(0, t.square/max(t.n, 1)-t.mean()*t.mean()))
}

// dot is the product of two vectors of one length.
func dot(a, b []float32) float32 {
	var s, t, u, v float32 // four sums that do not wait for each other
	b = b[:len(a)]
	n := len(a) &^ 3
	for i := 0; i < n; i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s += x[0] * y[0]
		t += x[1] * y[1]
		u += x[2] * y[2]
		v += x[3] * y[3]
	}
	for i := n; i < len(a); i++ {
		s += a[i] * b[i]
	}
	return s + t + (u + v)
}
