package tagger

import "math"

// Vectors gives words vectors by their meaning, so that "jazz" helps to find "ska". It is safe for
// concurrent use and does not change.
type Vectors interface {
	// Model names the table: a model is never used with another one's vectors.
	Model() string
	// Dimension is the length of every vector, at least 1.
	Dimension() int
	// EmbedInto fills dst, of length Dimension, with the vector of text; zeros stand for
	// what it does not know. It does not allocate.
	EmbedInto(dst []float32, text string)
}

// widest is how many numbers of a word's vector are looked at. On ten-example sets 128
// find as much, and take twice the time.
const widest = 64

// width is how many numbers of v's vectors count.
func width(v Vectors) int {
	if v == nil {
		return 0
	}
	return min(widest, v.Dimension())
}

// lookUp fills dst with the front of a text's vector, at length 1. whole is working memory
// of v's dimension.
func lookUp(v Vectors, dst, whole []float32, text string) {
	v.EmbedInto(whole, text)
	copy(dst, whole)
	unit(dst)
}

// unit scales v to length 1. A vector that is not finite counts as unknown.
func unit(v []float32) {
	var square float64
	for _, x := range v {
		square += float64(float64(x) * float64(x))
	}
	if !(square > 0) || math.IsInf(square, 1) {
		clear(v)
		return
	}
	scale := float32(1 / math.Sqrt(square))
	for i := range v {
		v[i] *= scale
	}
}

// dot is the inner product of vectors of one length. The conversions keep a processor
// from joining two steps, which rounds otherwise.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s, t float32
	for len(a) >= 4 && len(b) >= 4 {
		s += float32(a[0]*b[0]) + float32(a[1]*b[1])
		t += float32(a[2]*b[2]) + float32(a[3]*b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s += float32(a[i] * b[i])
	}
	return s + t
}

// meant adds the evidence of a word's vector to the scores of the local tags: of outside, and of
// each allowed param with the same score for its begin and inside.
func (m *Model) meant(vector []float32, params []int32, emission []float32) {
	emission[0] += dot(vector, m.sense(0))
	for k, p := range params {
		x := dot(vector, m.sense(p+1))
		emission[1+2*k] += x
		emission[2+2*k] += x
	}
}

// sense returns the direction in which the words of a param lie, from 1 on; 0 is the direction of
// the words outside.
func (m *Model) sense(i int32) []float32 {
	return m.senses[int(i)*m.width : (int(i)+1)*m.width]
}
