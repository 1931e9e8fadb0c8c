// Package modelfile writes and reads the parts of model files: numbers, little-endian, and texts
// behind their length. A [Reader] trusts no length: data may be cut or made up.
package modelfile

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// castagnoli is the polynomial of the checksum, RFC 3720.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum is the CRC-32C of data.
func Checksum(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }

// Seal appends the checksum of b from start on, for [Open].
func Seal(b []byte, start int) []byte {
	return binary.LittleEndian.AppendUint32(b, Checksum(b[start:]))
}

// Open returns a reader of what lies between a magic string and the checksum that Seal appended;
// nil where either is wrong.
func Open(data []byte, magic string) *Reader {
	end := len(data) - 4
	if end < len(magic) || string(data[:len(magic)]) != magic || Checksum(data[:end]) != binary.LittleEndian.Uint32(data[end:]) {
		return nil
	}
	return &Reader{Rest: data[len(magic):end]}
}

// AppendText appends a text behind its length.
func AppendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

// AppendUint32s appends numbers of 32 bits.
func AppendUint32s(b []byte, numbers ...uint32) []byte {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// AppendUint64s appends numbers of 64 bits.
func AppendUint64s(b []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, n)
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

// AppendFloat64s appends numbers in double precision.
func AppendFloat64s(b []byte, numbers ...float64) []byte {
	for _, f := range numbers {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
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

// Uint64 reads a number of 64 bits.
func (r *Reader) Uint64() uint64 {
	if b := r.Take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Float32 reads a number in single precision.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 reads a number in double precision.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// Count reads a length or a number of things, of 32 bits.
func (r *Reader) Count() int { return int(r.Uint32() & math.MaxInt32) }

// Text reads a text behind its length. It is part of the data.
func (r *Reader) Text() []byte { return r.Take(r.Count()) }

// Uvarint reads a number of variable length, at most [math.MaxInt32].
func (r *Reader) Uvarint() int {
	x, n := binary.Uvarint(r.Rest)
	if n <= 0 || x > math.MaxInt32 {
		r.Fail()
		return 0
	}
	r.Rest = r.Rest[n:]
	return int(x)
}

// Uint32s reads n numbers of 32 bits.
func (r *Reader) Uint32s(n int) []uint32 {
	return numbers(r.Items(n, 4), 4, binary.LittleEndian.Uint32)
}

// Uint64s reads n numbers of 64 bits.
func (r *Reader) Uint64s(n int) []uint64 {
	return numbers(r.Items(n, 8), 8, binary.LittleEndian.Uint64)
}

// Float32s reads n numbers in single precision.
func (r *Reader) Float32s(n int) []float32 {
	return numbers(r.Items(n, 4), 4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) })
}

func numbers[T any](b []byte, size int, of func([]byte) T) []T {
	out := make([]T, len(b)/size)
	for i := range out {
		out[i] = of(b[size*i:])
	}
	return out
}
