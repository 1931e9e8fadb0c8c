// Package hashing hashes the features of the models that are trained on an agent's examples or
// ship with the program. The hashes are fixed, so that a model is the same wherever it is trained.
package hashing

import "unicode/utf8"

// FNV-1a, 64 bit (Fowler, Noll, Vo). A model keeps its groups of features apart by other seeds.
const (
	Prime = 1099511628211
	Seed  = 14695981039346656037
)

// Step adds one number to a hash.
func Step(h, x uint64) uint64 { return (h ^ x) * Prime }

// Bytes adds bytes to a hash.
func Bytes(h uint64, b []byte) uint64 {
	for _, c := range b {
		h = Step(h, uint64(c))
	}
	return h
}

// edge stands for either end of a word.
const edge = ' '

// Grams calls yield with the hash and the length of every run of least to most runes of a word,
// whose two edges count as runes. bounds is scratch space, returned for reuse.
func Grams(b []byte, seed uint64, least, most int, bounds []int, yield func(hash uint64, runes int)) []int {
	bounds = append(bounds[:0], -1, 0) // -1 to 0 is the left edge
	for i := 0; i < len(b); {
		_, n := utf8.DecodeRune(b[i:])
		i += n
		bounds = append(bounds, i)
	}
	bounds = append(bounds, len(b)+1)
	last := len(bounds) - 1
	for i := range last {
		h := seed
		for n := 1; n <= most && i+n <= last; n++ {
			if from, to := bounds[i+n-1], bounds[i+n]; from < 0 || to > len(b) {
				h = Step(h, edge)
			} else {
				h = Bytes(h, b[from:to])
			}
			if n >= least {
				yield(h, n)
			}
		}
	}
	return bounds
}
