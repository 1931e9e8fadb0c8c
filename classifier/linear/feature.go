package linear

import "unicode/utf8"

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
	edge    = ' '
)

// FNV-1a, 64 bit (Fowler, Noll, Vo). Different seeds keep the groups apart.
const (
	fnvPrime = 1099511628211
	seedWord = 14695981039346656037
	seedPair = seedWord ^ 0x9e3779b97f4a7c15
	seedChar = seedWord ^ 0xc2b2ae3d27d4eb4f
)

func hashBytes(h uint64, b []byte) uint64 {
	for _, c := range b {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}

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

func wordHash(b []byte) uint64 { return mix(hashBytes(seedWord, b)) }

func pairHash(a, b []byte) uint64 {
	return mix(hashBytes((hashBytes(seedPair, a)^' ')*fnvPrime, b))
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

// eachGram calls yield with the hash and the length of every character n-gram of a
// word. bounds is scratch space, returned for reuse.
func eachGram(b []byte, bounds []int, yield func(hash uint64, runes int)) []int {
	bounds = append(bounds[:0], -1, 0) // -1 to 0 is the left edge
	for i := 0; i < len(b); {
		_, n := utf8.DecodeRune(b[i:])
		i += n
		bounds = append(bounds, i)
	}
	bounds = append(bounds, len(b)+1)
	last := len(bounds) - 1
	for i := range last {
		h := uint64(seedChar)
		for n := 1; n <= maxGram && i+n <= last; n++ {
			if from, to := bounds[i+n-1], bounds[i+n]; from < 0 || to > len(b) {
				h = (h ^ edge) * fnvPrime
			} else {
				h = hashBytes(h, b[from:to])
			}
			if n >= minGram {
				yield(mix(h), n)
			}
		}
	}
	return bounds
}

// table maps feature hashes to feature numbers by open addressing.
type table struct {
	keys []uint64
	vals []int32
	mask uint64
}

func newTable(n int) *table {
	size := 16
	for 2*size < 3*n { // at most two thirds are taken
		size *= 2
	}
	return &table{keys: make([]uint64, size), vals: make([]int32, size), mask: uint64(size - 1)}
}

func (t *table) get(h uint64) (int32, bool) {
	for i := h & t.mask; ; i = (i + 1) & t.mask {
		switch t.keys[i] {
		case h:
			return t.vals[i], true
		case 0:
			return 0, false
		}
	}
}

// put stores a key that is not there yet.
func (t *table) put(h uint64, v int32) {
	i := h & t.mask
	for t.keys[i] != 0 {
		i = (i + 1) & t.mask
	}
	t.keys[i], t.vals[i] = h, v
}

func (t *table) bytes() int { return 12 * len(t.keys) }

// byValue returns the keys in the order of their values, which are 0 to n-1.
func (t *table) byValue(n int) []uint64 {
	keys := make([]uint64, n)
	for i, h := range t.keys {
		if h != 0 {
			keys[t.vals[i]] = h
		}
	}
	return keys
}
