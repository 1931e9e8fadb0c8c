package linear

import (
	"slices"

	"github.com/slotway/slotway/classifier/internal/modelfile"
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
	magic  = "slwl"
	format = 3
)

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
	b = modelfile.AppendUint32s(b, format, Version, uint32(m.top), uint32(m.classes), uint32(len(v.idf)), uint32(dimension), m.flags())
	b = modelfile.AppendFloat64s(b, m.length, m.curve.reject, m.curve.accept, m.curve.median, m.curve.floor)
	b = modelfile.AppendFloat32s(b, v.max)
	b = modelfile.AppendText(b, name)
	b = modelfile.AppendText(b, v.speech.tag)
	for _, intent := range m.intents {
		b = modelfile.AppendText(b, intent)
	}
	b = modelfile.AppendFloat32s(b, m.bias...)
	b = modelfile.AppendFloat32s(b, m.sparse.scale...)
	b = modelfile.AppendFloat32s(b, m.dense.scale...)
	b = modelfile.AppendUint64s(b, v.table.ByValue()...)
	b = modelfile.AppendFloat32s(b, v.idf...)
	b = append(b, v.group...)
	b = v.spell.append(b)
	b = modelfile.AppendUint64s(b, m.sparse.cells...)
	b = modelfile.AppendUint64s(b, m.dense.cells...)
	b = m.near.append(b)
	if m.second != nil {
		second, err := m.second.AppendBinary(nil)
		if err != nil {
			return nil, err
		}
		b = modelfile.AppendText(b, string(second))
	}
	return modelfile.Seal(b, start), nil
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
