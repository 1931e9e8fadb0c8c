package linear

import (
	"math"

	"github.com/slotway/slotway/classifier/message"
)

// What tells a request of an intent from one that is only near it, in sets of few examples.
// The score alone does not: in a small set a request about the same things scores as one for
// the intent does. Asked besides is how near the text comes to the nearest example of the
// class, by the vectors of the encoder, against how near the examples of the set come to each
// other when each is left out; and how much of the text is known words.
//
// The weights were fitted by logistic regression on agents of 6 to 10 intents with 8 examples
// each, drawn from the training parts of HWU64, CLINC150 and BANKING77: requests of an agent's
// intents against those of the set's other intents and of none. Fitted on two of the sets they
// do as well on the third (of 100 near requests one more or less is taken). The margin to the
// next class, the nearest example of another, the first model's score and the mean of the three
// nearest brought nothing beside them, nor did trees in place of the sum.
const (
	scoreWorth   = 2.6 // of the score by the classes' machines
	knownShare   = 0.3 // of the share of the text that is known
	nearestWorth = 0.8 // of the similarity to the nearest example of the class, in spreads of the set
	ofClassWorth = 0.7 // of the same against what is usual in the class
	evidenceBias = 0.8
)

// evidenceCurve turns evidence into a confidence. The places of acceptAt and rejectAt are a choice:
// about five in a hundred right answers are given up at the first, and fewer than one at the
// second.
var evidenceCurve = curve{
	reject: -3.2, accept: evidenceAccept, floor: leastFloor,
	median: evidenceAccept + (logit(medianAt)-logit(acceptAt))/oddsSlope,
}

const (
	evidenceAccept = -1.05
	oddsSlope      = 1.7 // logits of being right for one of evidence, above acceptAt
)

// Bounds of the sets that evidence serves: classes, and examples of each on average. Of fewer
// nobody can tell how alike the requests for one thing are. Where there are many, wordings of
// one thing stand side by side: they are near each other as no message is, and the folds know
// better where the scope ends. It was not tried on more than some ten classes.
const (
	leastClasses   = 4
	mostClasses    = 39
	leastExamples  = 4
	sparseExamples = 16
)

// Bounds of what similarity may say: a copy of an example, or a text that has nothing in
// common with any, must not outweigh everything else.
const (
	mostSpreads = 3
	leastSpread = 0.02
)

// unlikely is the score below which similar examples are not looked for: such a text counts as
// unlike all of them.
const (
	unlikely = -0.9
	unlike   = -2 * mostSpreads * (nearestWorth + ofClassWorth)
)

// evidence returns the evidence for a class, in logits. similar is the result of
// neighbours.similar.
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

// learn keeps the vectors of examples by class and measures how near they usually are to each
// other. Classes aside do not take part in the measure.
func (n *neighbours) learn(vectors [][]float32, classes []int32, aside []bool) {
	intents := len(aside)
	n.from, n.class = make([]int32, intents+1), make([]float64, intents)
	for c := range intents {
		n.from[c] = int32(len(n.vectors))
		for i, v := range vectors {
			if int(classes[i]) != c {
				continue
			}
			for _, x := range v {
				n.vectors = append(n.vectors, fine(float64(x)))
			}
		}
	}
	n.from[intents] = int32(len(n.vectors))
	n.measure(aside)
}

// sparse reports whether the classes that are not aside have few examples, on average.
func (d *dataset) sparse(o *Options) bool {
	examples, classes := 0, 0
	for _, name := range d.names {
		if !o.Aside[name] {
			classes++
		}
	}
	for _, c := range d.classes[:d.pseudo] {
		if !o.Aside[d.names[c]] {
			examples++
		}
	}
	return d.pseudo < calibrationCap && classes >= leastClasses && classes <= mostClasses && examples >= leastExamples*classes && examples <= sparseExamples*classes
}

// neighbours are the set's examples by their vectors; not its names and descriptions.
func (d *dataset) neighbours(o *Options) *neighbours {
	aside := make([]bool, d.intents)
	for c, name := range d.names {
		aside[c] = o.Aside[name]
	}
	n := &neighbours{width: o.Embedder.Dimension()}
	vectors := make([][]float32, d.pseudo)
	for i, text := range d.texts[:d.pseudo] {
		vectors[i] = make([]float32, n.width)
		embed(o.Embedder, vectors[i], text, 1)
	}
	n.learn(vectors, d.classes, aside)
	return n
}

// byEvidence appends the classes of s.order with confidences by their evidence. No class gets more
// than its odds against the first, so that two are near each other only where their evidence is.
func (m *Model) byEvidence(s *scratch, into []message.Score) []message.Score {
	var best, first float64
	last := 1.0
	for i, class := range s.order {
		similar := unlike
		if i == 0 || s.scores[class] > unlikely {
			similar = m.near.similar(class, s.dense, m.length)
		}
		worth := evidence(float64(s.scores[class]), float64(s.known), similar)
		last = min(last, m.curve.confidence(worth, float64(s.known)))
		if i == 0 {
			best, first = worth, last
		}
		last = min(last, first*math.Exp(oddsSlope*(worth-best)))
		into = append(into, message.Score{Intent: m.intents[class], Confidence: last})
	}
	return into
}

// steps is the number of steps of a component of a vector, which is kept in a byte with or without
// a cache.
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

// similar returns the evidence, in logits, that the similarity of a text to the examples of a class
// gives. The vector has the given length; a vector of zeros gives none.
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

// measure finds the usual similarity in the set: how near each example is to the others of its
// class.
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
