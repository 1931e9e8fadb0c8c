package embed

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

const (
	magic        = "SLOTEMB1"
	headerBytes  = 64
	nameOffset   = 24
	checksumAt   = 20
	slotBytes    = 8
	freeSlot     = 0xffffffff
	maxDimension = 512
	maxWeight    = 4095
	// maxRows is the most rows that can be added up before a 32-bit lane of the sum could overflow:
	// 4096 * 4095 * 255 < 2^32.
	maxRows = 4096
)

// table is a parsed file. Its slices are parts of the bytes that it was parsed from.
type table struct {
	name      string
	checksum  uint32
	dimension int
	rows      uint32
	slots     uint64
	index     []byte // slots * (tag, row)
	weights   []byte // rows * uint16
	vectors   []byte // rows * dimension
}

// parse checks the bytes and returns the table in them. It copies only the name. Every error wraps
// [ErrTable].
func parse(data []byte) (*table, error) {
	if len(data) < headerBytes || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no header", ErrTable)
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	t := &table{dimension: int(word(8)), rows: word(12), slots: uint64(word(16)), checksum: word(checksumAt)}
	if t.dimension < 8 || t.dimension > maxDimension || t.dimension%8 != 0 {
		return nil, fmt.Errorf("%w: dimension %d", ErrTable, t.dimension)
	}
	if t.slots <= uint64(t.rows) {
		return nil, fmt.Errorf("%w: %d slots for %d rows", ErrTable, t.slots, t.rows)
	}
	index, weights := t.slots*slotBytes, uint64(t.rows)*2
	vectors := uint64(t.rows) * uint64(t.dimension)
	if want := headerBytes + index + weights + vectors; uint64(len(data)) != want {
		return nil, fmt.Errorf("%w: %d bytes, its header says %d", ErrTable, len(data), want)
	}
	sum := crc32.Update(crc32.ChecksumIEEE(data[:checksumAt]), crc32.IEEETable, data[checksumAt+4:])
	if sum != t.checksum {
		return nil, fmt.Errorf("%w: checksum %08x, its header says %08x", ErrTable, sum, t.checksum)
	}
	name, _, _ := bytes.Cut(data[nameOffset:headerBytes], []byte{0})
	t.name = string(name)
	body := data[headerBytes:]
	t.index, t.weights, t.vectors = body[:index], body[index:index+weights], body[index+weights:]
	return t, t.check()
}

// check makes sure that no lookup can leave the table or loop forever: rows exist, a slot is free,
// and weights keep the sum in range.
func (t *table) check() error {
	free := false
	for at := 0; at < len(t.index); at += slotBytes {
		row := binary.LittleEndian.Uint32(t.index[at+4:])
		free = free || row == freeSlot
		if row >= t.rows && row != freeSlot {
			return fmt.Errorf("%w: a slot names row %d of %d", ErrTable, row, t.rows)
		}
	}
	if !free {
		return fmt.Errorf("%w: no slot is free", ErrTable)
	}
	for at := 0; at < len(t.weights); at += 2 {
		if w := binary.LittleEndian.Uint16(t.weights[at:]); w > maxWeight {
			return fmt.Errorf("%w: weight %d of at most %d", ErrTable, w, maxWeight)
		}
	}
	return nil
}

// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// find returns the row of the key whose FNV-1a state is given.
func (t *table) find(state uint64) (row uint32, ok bool) {
	// FNV mixes its last bytes badly into the upper half; one multiplication repairs that. The
	// constant is that of Fibonacci hashing.
	h := (state ^ state>>32) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	tag := uint32(h >> 32)
	slot := (h & 0xffffffff) * t.slots >> 32
	for {
		entry := binary.LittleEndian.Uint64(t.index[slot*slotBytes:])
		row := uint32(entry >> 32)
		if row == freeSlot {
			return 0, false
		}
		if uint32(entry) == tag {
			return row, true
		}
		if slot++; slot == t.slots {
			slot = 0
		}
	}
}

// sum is a sum of rows, with two 32-bit lanes in each word. Word 4*g+k holds dimension 8*g+k in its
// lower half and 8*g+k+4 in its upper half, each raised by 128 times the weights.
type sum struct {
	lanes  [maxDimension / 2]uint64
	weight uint64 // the sum of the weights
	rows   int
}

// add adds a row. It does nothing once there are [maxRows].
func (t *table) add(s *sum, row uint32) {
	if s.rows == maxRows {
		return
	}
	s.rows++
	weight := uint64(binary.LittleEndian.Uint16(t.weights[row*2:]))
	s.weight += weight
	const lanes = 0x000000ff000000ff
	values := t.vectors[int(row)*t.dimension:][:t.dimension]
	out := s.lanes[:t.dimension/2]
	for len(values) >= 8 && len(out) >= 4 {
		v := binary.LittleEndian.Uint64(values)
		out[0] += (v & lanes) * weight
		out[1] += (v >> 8 & lanes) * weight
		out[2] += (v >> 16 & lanes) * weight
		out[3] += (v >> 24 & lanes) * weight
		values, out = values[8:], out[4:]
	}
}

// value returns dimension i of the sum.
func (s *sum) value(i int) int64 {
	lane := s.lanes[i/8*4+i%4]
	if i&4 != 0 {
		lane >>= 32
	}
	return int64(lane&0xffffffff) - int64(s.weight)*128
}
