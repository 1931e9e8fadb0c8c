package hashing

// Table maps hashes to numbers by open addressing and linear probing. At most two thirds of its
// places are taken. A hash of 0 is kept as 1.
type Table struct {
	keys   []uint64
	values []int32
	used   int
}

// NewTable makes a table that holds n hashes before it grows.
func NewTable(n int) *Table {
	size := 16
	for 2*size < 3*n {
		size *= 2
	}
	return &Table{keys: make([]uint64, size), values: make([]int32, size)}
}

// slot is the place of a key, or the free one where it would be.
func (t *Table) slot(key uint64) uint64 {
	mask := uint64(len(t.keys) - 1)
	i := key & mask
	for t.keys[i] != 0 && t.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// Get returns the value of a key; ok is false for one that is not there.
func (t *Table) Get(key uint64) (value int32, ok bool) {
	i := t.slot(max(key, 1))
	return t.values[i], t.keys[i] != 0
}

// Put returns the value of a key, which is the given one if there was none.
func (t *Table) Put(key uint64, value int32) int32 {
	key = max(key, 1)
	i := t.slot(key)
	if t.keys[i] != 0 {
		return t.values[i]
	}
	t.keys[i], t.values[i] = key, value
	if t.used++; 3*t.used > 2*len(t.keys) {
		t.grow()
	}
	return value
}

func (t *Table) grow() {
	bigger := &Table{keys: make([]uint64, 2*len(t.keys)), values: make([]int32, 2*len(t.keys)), used: t.used}
	for i, key := range t.keys {
		if key != 0 {
			at := bigger.slot(key)
			bigger.keys[at], bigger.values[at] = key, t.values[i]
		}
	}
	*t = *bigger
}

// Len is how many keys the table has.
func (t *Table) Len() int { return t.used }

// Size is the memory that the table takes, in bytes.
func (t *Table) Size() int { return 12 * len(t.keys) }

// ByValue lists the keys in the order of their values, which must be 0, 1, 2 and so on.
func (t *Table) ByValue() []uint64 {
	keys := make([]uint64, t.used)
	for i, key := range t.keys {
		if key != 0 {
			keys[t.values[i]] = key
		}
	}
	return keys
}
