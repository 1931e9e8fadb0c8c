package linear

import "github.com/slotway/slotway/classifier/internal/hashing"

// Feature groups. Each is normalised to length 1 on its own, so that the many
// character n-grams do not drown the few words.
const (
	groupWord = iota
	groupChar
	groups
)

// Lengths, in runes, of character n-grams; a word's two edges count as runes.
const (
	minGram = 2
	maxGram = 5
)

// Seeds keep the groups of features apart.
const (
	seedWord = hashing.Seed
	seedPair = seedWord ^ 0x9e3779b97f4a7c15
	seedChar = seedWord ^ 0xc2b2ae3d27d4eb4f
)

// mix spreads the bits (the finaliser of MurmurHash3), since the table takes the low ones.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	if h == 0 {
		return 1 // 0 marks an empty place of the table
	}
	return h
}

func wordHash(b []byte) uint64 { return mix(hashing.Bytes(seedWord, b)) }

func pairHash(a, b []byte) uint64 {
	return mix(hashing.Bytes(hashing.Step(hashing.Bytes(seedPair, a), ' '), b))
}

// Marks of the two ends of a text, which no word is: the first and the last word make
// pairs with them.
var textStart, textEnd = []byte{'<'}, []byte{'>'}

// eachPair calls yield with the hash of every pair of neighbouring words.
func (t *tokens) eachPair(yield func(hash uint64)) {
	last := textStart
	for i := range t.words {
		b := t.bytes(i)
		yield(pairHash(last, b))
		last = b
	}
	if len(t.words) > 0 {
		yield(pairHash(last, textEnd))
	}
}

// eachGram calls yield with the hash, before mix, and the length of every character n-gram of a
// word. bounds is scratch space, returned for reuse.
func eachGram(b []byte, bounds []int, yield func(hash uint64, runes int)) []int {
	return hashing.Grams(b, seedChar, minGram, maxGram, bounds, yield)
}
