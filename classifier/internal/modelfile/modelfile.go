// Package modelfile keeps models. What the program ships is numbers, little-endian, which a [Reader]
// reads without trusting any length. What it trains and keeps in a cache is plain data, written by
// [Keep] with a checksum and read by [Load].
package modelfile

import (
	"encoding/binary"
	"math"
)

// AppendUint32s appends numbers of 32 bits.
func AppendUint32s(b []byte, numbers ...uint32) []byte {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// AppendFloat32s appends numbers in single precision.
func AppendFloat32s(b []byte, numbers ...float32) []byte {
	for _, f := range numbers {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

// Reader takes values off the front of data. Once data is too short, it is bad and gives zero
// values.
type Reader struct {
	Rest []byte // what was not read yet
	Bad  bool
}

// Fail makes the reader bad.
func (r *Reader) Fail() { r.Bad, r.Rest = true, nil }

// Take returns the next n bytes.
func (r *Reader) Take(n int) []byte {
	if n < 0 || n > len(r.Rest) {
		r.Fail()
		return nil
	}
	b := r.Rest[:n]
	r.Rest = r.Rest[n:]
	return b
}

// Items returns the bytes of n items of size bytes each.
func (r *Reader) Items(n, size int) []byte {
	if n < 0 || n > len(r.Rest)/size {
		r.Fail()
		return nil
	}
	return r.Take(n * size)
}

// Uint32 reads a number of 32 bits.
func (r *Reader) Uint32() uint32 {
	if b := r.Take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Float32 reads a number in single precision.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Count reads a length or a number of things, of 32 bits.
func (r *Reader) Count() int { return int(r.Uint32() & math.MaxInt32) }

// Uint32s reads n numbers of 32 bits.
func (r *Reader) Uint32s(n int) []uint32 {
	data := r.Items(n, 4)
	out := make([]uint32, len(data)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return out
}
