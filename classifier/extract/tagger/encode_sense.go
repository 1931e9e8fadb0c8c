package tagger

import (
	"encoding/binary"
	"math"
)

// appendSenses encodes what the model knows of vectors, and its curve: the name of the
// vectors, how many of their numbers count, the directions, then bias, slope and what each
// tag adds.
func (m *Model) appendSenses(b []byte) []byte {
	name := ""
	if m.vectors != nil {
		name = m.vectors.Model()
	}
	b = append(appendCount(b, len(name)), name...)
	b = appendCount(b, m.width)
	for _, x := range m.senses {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	for _, x := range append([]float64{m.curve.bias, m.curve.slope}, m.curve.byTag...) {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// senses reads what appendSenses wrote. Vectors of another name are none that the model
// can use.
func (r *reader) senses(m *Model, v Vectors) error {
	name := string(r.take(r.count(1)))
	m.width = r.number()
	switch {
	case r.bad:
		return ErrDamaged
	case v == nil && name != "" || v != nil && (v.Model() != name || width(v) != m.width):
		return ErrForeign
	case v == nil && m.width != 0:
		return ErrDamaged
	}
	m.vectors = v
	if m.width > 0 {
		rows := r.take(4 * m.width * (m.params() + 1))
		for i := range len(rows) / 4 {
			m.senses = append(m.senses, math.Float32frombits(binary.LittleEndian.Uint32(rows[4*i:])))
		}
	}
	m.curve = newCurve(len(m.tags))
	m.curve.bias, m.curve.slope = r.float64(), r.float64()
	for i := range m.curve.byTag {
		m.curve.byTag[i] = r.float64()
	}
	return nil
}

// float64 takes a number; one that is not finite is damage.
func (r *reader) float64() float64 {
	x := math.Float64frombits(r.uint64())
	if math.IsNaN(x) || math.IsInf(x, 0) {
		r.bad = true
		return 0
	}
	return x
}
