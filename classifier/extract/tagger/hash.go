package tagger

// The hashes are fixed, so that a model is the same wherever it is trained.
const (
	seed  uint64 = 14695981039346656037 // FNV-1a's
	prime uint64 = 1099511628211
)

// step adds one number to a hash.
func step(h, x uint64) uint64 { return (h ^ x) * prime }

// mix joins a feature's kind and what it saw. The last steps are the finaliser of
// MurmurHash3, which spreads every bit.
func mix(kind uint8, a, b uint64) uint64 {
	h := (seed^uint64(kind))*prime ^ a
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 32
	h = (h ^ b) * 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// hashString is the hash of a name.
func hashString(s string) uint64 {
	h := seed
	for i := range len(s) {
		h = step(h, uint64(s[i]))
	}
	return h
}

// table maps hashes to numbers from 0: open addressing, linear probing, never more than
// half full. A hash of 0 is kept as 1.
type table struct {
	keys   []uint64
	values []int32
	used   int
}

func newTable(size int) *table {
	n := 16
	for n < 2*size {
		n *= 2
	}
	return &table{keys: make([]uint64, n), values: make([]int32, n)}
}

// slot returns where a key is, or would be.
func (t *table) slot(key uint64) int {
	mask := uint64(len(t.keys) - 1)
	i := key & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return int(i)
}

// get returns the value of key, or -1.
func (t *table) get(key uint64) int32 {
	key = max(key, 1)
	if i := t.slot(key); t.keys[i] != 0 {
		return t.values[i]
	}
	return -1
}

// put returns the value of key, which is value if there was none.
func (t *table) put(key uint64, value int32) int32 {
	key = max(key, 1)
	i := t.slot(key)
	if t.keys[i] != 0 {
		return t.values[i]
	}
	t.keys[i], t.values[i] = key, value
	if t.used++; 2*t.used > len(t.keys) {
		t.grow()
	}
	return value
}

func (t *table) grow() {
	bigger := newTable(len(t.keys))
	for i, key := range t.keys {
		if key != 0 {
			j := bigger.slot(key)
			bigger.keys[j], bigger.values[j] = key, t.values[i]
		}
	}
	t.keys, t.values = bigger.keys, bigger.values
}

// byValue lists the keys in the order of their values, which are 0, 1, 2 and so on.
func (t *table) byValue() []uint64 {
	out := make([]uint64, t.used)
	for i, key := range t.keys {
		if key != 0 {
			out[t.values[i]] = key
		}
	}
	return out
}
