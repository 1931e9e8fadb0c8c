package linear

import (
	"encoding/binary"
	"math"

	"github.com/slotway/slotway/classifier/internal/modelfile"
)

// append appends the encoded vectors of examples for reader.neighbours. A nil n has none.
func (n *neighbours) append(b []byte) []byte {
	if n == nil {
		return binary.LittleEndian.AppendUint32(b, 0)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(n.vectors)/n.width))
	for c, mean := range n.class {
		b = binary.LittleEndian.AppendUint32(b, uint32(n.from[c+1]-n.from[c])/uint32(n.width))
		b = modelfile.AppendFloat64s(b, mean)
	}
	b = modelfile.AppendFloat64s(b, n.mean, n.spread)
	for _, x := range n.vectors {
		b = append(b, byte(int8(math.Round(float64(x)*steps))))
	}
	return b
}

// neighbours reads the vectors of a model's examples, or returns nil where the model has none.
func (r *reader) neighbours(classes, width int) *neighbours {
	examples := r.Count()
	if r.Bad || examples == 0 {
		return nil
	}
	n := &neighbours{width: width, from: make([]int32, 1, classes+1)}
	left := examples
	for range classes {
		of := r.Count()
		if of > left {
			r.Fail()
			return nil
		}
		left -= of
		n.from = append(n.from, n.from[len(n.from)-1]+int32(of*width))
		n.class = append(n.class, r.Float64())
	}
	n.mean, n.spread = r.Float64(), r.Float64()
	if width < 1 || left != 0 || !n.plausible() {
		r.Fail()
		return nil
	}
	rows := r.Items(examples, width)
	n.vectors = make([]float32, len(rows))
	for i, x := range rows {
		n.vectors[i] = fine(float64(int8(x)) / steps)
	}
	return n
}

// plausible reports whether the measured similarities are within the bounds that ranking relies on.
func (n *neighbours) plausible() bool {
	if !(n.spread >= leastSpread && n.spread < maxPlausible) {
		return false
	}
	for _, mean := range append([]float64{n.mean}, n.class...) {
		if !(math.Abs(mean) < maxPlausible) {
			return false
		}
	}
	return true
}
