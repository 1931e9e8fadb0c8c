package feature

import "github.com/slotway/slotway/classifier/internal/hashing"

// seedWord is the seed of the words; the kinds of features have their own.
const seedWord = hashing.Seed

func hash(h uint64, b []byte) uint64 { return hashing.Bytes(h, b) }

// join mixes one more number into a hash.
func join(h, v uint64) uint64 { return mix(h*0x9e3779b97f4a7c15 ^ v) }

// mix spreads the bits (the finaliser of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
