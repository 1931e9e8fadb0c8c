package tagger

import (
	"math"

	"github.com/slotway/slotway/classifier/internal/modelfile"
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
	b = modelfile.AppendFloat32s(b, m.senses...)
	b = modelfile.AppendFloat64s(b, m.curve.bias, m.curve.slope)
	return modelfile.AppendFloat64s(b, m.curve.byTag...)
}

// senses reads what appendSenses wrote. Vectors of another name are none that the model
// can use.
func (r *reader) senses(m *Model, v Vectors) error {
	name := string(r.Take(r.count(1)))
	m.width = r.Uvarint()
	switch {
	case r.Bad:
		return ErrDamaged
	case v == nil && name != "" || v != nil && (v.Model() != name || width(v) != m.width):
		return ErrForeign
	case v == nil && m.width != 0:
		return ErrDamaged
	}
	m.vectors = v
	if m.width > 0 {
		m.senses = r.Float32s(m.width * (m.params() + 1))
	}
	m.curve = newCurve(len(m.tags))
	m.curve.bias, m.curve.slope = r.finite(), r.finite()
	for i := range m.curve.byTag {
		m.curve.byTag[i] = r.finite()
	}
	return nil
}

// finite takes a number; one that is not finite is damage.
func (r *reader) finite() float64 {
	x := r.Float64()
	if math.IsNaN(x) || math.IsInf(x, 0) {
		r.Fail()
		return 0
	}
	return x
}
