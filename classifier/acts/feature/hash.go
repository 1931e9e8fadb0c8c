package feature

// FNV-1a, 64 bit, with a seed for each kind of feature.
const (
	prime    = 1099511628211
	seedWord = 14695981039346656037
)

func hash(h uint64, b []byte) uint64 {
	for _, c := range b {
		h = (h ^ uint64(c)) * prime
	}
	return h
}

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
