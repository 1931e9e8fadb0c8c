package tagger

import "github.com/slotway/slotway/classifier/internal/hashing"

const seed uint64 = hashing.Seed

// mix joins a feature's kind and its values. The last steps are the finaliser of MurmurHash3, which
// spreads every bit.
func mix(kind uint8, a, b uint64) uint64 {
	h := hashing.Step(seed, uint64(kind)) ^ a
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 32
	h = (h ^ b) * 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// hashString is the hash of a name.
func hashString(s string) uint64 { return hashing.Bytes(seed, []byte(s)) }
