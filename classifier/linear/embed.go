package linear

import "math"

// Embedder turns a text into a dense vector. It is safe for concurrent use and does not
// change; package memory/embed has one.
type Embedder interface {
	// Model names the table, so that a model is never used with another one's vectors.
	Model() string
	// Dimension is the length of every vector, at least 1.
	Dimension() int
	// EmbedInto fills dst, of length Dimension, with a vector of length 1, or with zeros
	// where it knows no word of text. Runes of the private use area stand for recognised
	// spans and mean nothing to it. It does not allocate.
	EmbedInto(dst []float32, text string)
}

// Length of the dense group, against 1 of the words and of the character n-grams. With
// few examples a text's meaning has to carry more of what its words have not shown.
const (
	denseWeight    = 1.5 // from largeSet texts on
	denseWeightFew = 1.5
)

// embed fills dst with the vector of text at the given length. A vector that is not
// finite counts as unknown.
func embed(e Embedder, dst []float32, text string, length float64) {
	clear(dst)
	e.EmbedInto(dst, text)
	var square float64
	for _, v := range dst {
		square += float64(v) * float64(v)
	}
	if !(square > 0) || math.IsInf(square, 1) {
		clear(dst)
		return
	}
	scale := float32(length / math.Sqrt(square))
	for i := range dst {
		dst[i] *= scale
	}
}
