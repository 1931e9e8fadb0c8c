package tagger

import "math"

// store holds the weights of a trained model for fast lookups: most features are not there, and
// such a lookup costs one cache line.
type store struct {
	slots []slot   // open addressing, linear probing; a power of two, never full
	rows  []uint32 // by feature: how many weights follow, then the weights
}

// slot is a feature. A wrong match has a chance of 1 in 4 billion a look.
type slot struct {
	check uint32 // the upper half of the hash
	at    uint32 // of its row, from 1; 0: the slot is free
}

// A weight is a tag in the upper half and a signed number of model units in the lower.
func pack(tag int32, w int16) uint32       { return uint32(tag)<<16 | uint32(uint16(w)) }
func unpack(x uint32) (tag int32, w int16) { return int32(x >> 16), int16(uint16(x)) }

// mostParams bounds the params of a model, so that every tag fits a weight.
const mostParams = math.MaxUint16 / 2

// newStore has room for n features.
func newStore(n int) *store {
	size := 16
	for 3*size < 4*n {
		size *= 2
	}
	return &store{slots: make([]slot, size)}
}

// put adds a feature with its weights. There must be room, and none of that hash.
func (s *store) put(hash uint64, weights []uint32) {
	mask := uint64(len(s.slots) - 1)
	i := hash & mask
	for s.slots[i].at != 0 {
		i = (i + 1) & mask
	}
	s.slots[i] = slot{uint32(hash >> 32), uint32(len(s.rows) + 1)}
	s.rows = append(append(s.rows, uint32(len(weights))), weights...)
}

// get returns the weights of a feature.
func (s *store) get(hash uint64) []uint32 {
	mask := uint64(len(s.slots) - 1)
	check := uint32(hash >> 32)
	for i := hash & mask; ; i = (i + 1) & mask {
		c := s.slots[i]
		if c.at == 0 {
			return nil
		}
		if c.check == check {
			return s.rows[c.at : c.at+s.rows[c.at-1]]
		}
	}
}
