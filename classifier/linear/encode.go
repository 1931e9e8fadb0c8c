package linear

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
)

// Version of the trainer. It is raised whenever features, training or calibration
// change, so that the same examples would give another model.
const Version = 8

// The encoding, little-endian throughout:
//
//	magic, format uint32, Version uint32
//	top, intents, features, dimension uint32; flags: 1 for a curve over weighed scores, 2 for a second model
//	length, reject, accept, median, floor float64; greatest idf float32
//	embedder's name, base tag of the language, intents' names: uint32 length and bytes each
//	bias, scales of the sparse and of the dense weights: float32 by intent
//	hashes uint64, idf float32, group uint8: by feature
//	1 if a dictionary of common words takes part, or 0; own words: their number, then of
//	each the examples that hold it uint32, and its text
//	weights: uint64, a row a feature, then a row a dimension
//	neighbours, where the examples' vectors are kept: their number uint32, else 0; examples
//	uint32 and mean float64 by intent; mean, spread float64; numbers int8, a row an example
//	the second model, if there is one: uint32 length, then its own encoding
//	CRC-32C of all that uint32
const (
	magic      = "slwl"
	format     = 3
	headerSize = len(magic) + 4 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendBinary appends the encoded model to b, for [Decode]. The same model gives the
// same bytes. It never fails; the error is that of [encoding.BinaryAppender].
func (m *Model) AppendBinary(b []byte) ([]byte, error) {
	start := len(b)
	v := m.vocabulary
	dimension, name := 0, ""
	if m.embedder != nil {
		dimension, name = m.embedder.Dimension(), m.embedder.Model()
	}
	b = slices.Grow(b, m.Bytes())
	b = append(b, magic...)
	for _, n := range []int{format, Version, m.top, m.classes, len(v.idf), dimension} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = binary.LittleEndian.AppendUint32(b, m.flags())
	for _, f := range []float64{m.length, m.curve.reject, m.curve.accept, m.curve.median, m.curve.floor} {
		b = appendFloat64(b, f)
	}
	b = appendFloats(b, []float32{v.max})
	b = appendString(b, name)
	b = appendString(b, v.speech.tag)
	for _, intent := range m.intents {
		b = appendString(b, intent)
	}
	b = appendFloats(b, m.bias)
	b = appendFloats(b, m.sparse.scale)
	b = appendFloats(b, m.dense.scale)
	b = appendWords(b, v.table.byValue(len(v.idf)))
	b = appendFloats(b, v.idf)
	b = append(b, v.group...)
	b = v.spell.append(b)
	b = appendWords(b, m.sparse.cells)
	b = appendWords(b, m.dense.cells)
	b = m.near.append(b)
	if m.second != nil {
		second, err := m.second.AppendBinary(nil)
		if err != nil {
			return nil, err
		}
		b = appendString(b, string(second))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli)), nil
}

// Flags of an encoded model.
const (
	flagWeighed = 1 << iota
	flagSecond
)

func (m *Model) flags() (flags uint32) {
	if m.curve.weighed {
		flags |= flagWeighed
	}
	if m.second != nil {
		flags |= flagSecond
	}
	return flags
}

func appendString(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

func appendFloat64(b []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
}

func appendFloats(b []byte, floats []float32) []byte {
	for _, f := range floats {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

func appendWords(b []byte, words []uint64) []byte {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}
