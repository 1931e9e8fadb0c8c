package summary

import (
	"slices"

	"github.com/slotway/slotway/memory"
)

// Example is a piece of a message with its features. scripts/lab/train/salience fits the weights to
// them.
type Example struct {
	Piece
	Features []float64
}

// FeatureNames returns the names of an Example's features.
func FeatureNames() []string {
	out := make([]string, len(weights))
	for i, w := range weights {
		out[i] = w.name
	}
	return out
}

// Examples returns the pieces of a conversation with their features, block by block as they would
// be summarised.
func Examples(list []memory.Message, block int) []Example {
	var out []Example
	lex := newLexicon()
	for part := range slices.Chunk(list, block) {
		eachPiece(part, lex, func(p Piece, x []float64) { out = append(out, Example{p, x}) })
	}
	return out
}
