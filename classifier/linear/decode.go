package linear

import (
	"fmt"
	"math"
	"slices"

	"github.com/slotway/slotway/classifier/internal/hashing"
	"github.com/slotway/slotway/classifier/internal/modelfile"
)

// DecodeOptions holds what a model file does not contain. The zero value suits a model that was
// trained without an embedder.
type DecodeOptions struct {
	Embedder   Embedder   // the one that the model was trained with
	Dictionary Dictionary // likewise
	Encoder    Embedder   // likewise, of the second model
}

// Decode reads what AppendBinary wrote. It returns ErrDamaged for data that is not whole
// and ErrForeign for a model of another version or embedder; it keeps nothing of data.
// Whatever data holds, it allocates no more than about five times its length.
func Decode(data []byte, opts *DecodeOptions) (*Model, error) {
	var o DecodeOptions
	if opts != nil {
		o = *opts
	}
	sealed := modelfile.Open(data, magic)
	if sealed == nil || len(sealed.Rest) < 8 {
		return nil, fmt.Errorf("%w: no header, or a wrong checksum", ErrDamaged)
	}
	r := &reader{*sealed}
	if f, v := r.Count(), r.Count(); f != format || v != Version {
		return nil, fmt.Errorf("%w: format %d, trainer %d", ErrForeign, f, v)
	}
	return r.model(&o)
}

// model reads what follows the header.
func (r *reader) model(o *DecodeOptions) (*Model, error) {
	m := &Model{top: r.Count(), classes: r.Count(), vocabulary: &vocabulary{}}
	m.pool.New = func() any { return new(scratch) }
	v := m.vocabulary
	features, dimension := r.Count(), r.Count()
	flags := r.Count()
	m.length = r.Float64()
	m.curve = curve{reject: r.Float64(), accept: r.Float64(), median: r.Float64(), floor: r.Float64(), weighed: flags&flagWeighed != 0}
	if max := r.Float32s(1); len(max) == 1 {
		v.max = max[0]
	}
	name := string(r.Text())
	v.speech = speechOf(string(r.Text()))
	for i := 0; i < m.classes && !r.Bad; i++ {
		m.intents = append(m.intents, string(r.Text()))
	}
	m.bias = r.Float32s(m.classes)
	m.sparse.scale, m.dense.scale = r.Float32s(m.classes), r.Float32s(m.classes)
	keys := r.Uint64s(features)
	v.idf = r.Float32s(features)
	v.group = slices.Clone(r.Take(features))
	common, own := r.Count() == 1, r.ownWords()
	width := (m.classes + lanes - 1) / lanes
	m.sparse.width, m.dense.width = width, width
	m.sparse.cells, m.dense.cells = r.rows(features, width), r.rows(dimension, width)
	m.near = r.neighbours(m.classes, dimension)
	var second []byte
	if flags&flagSecond != 0 {
		second = r.Take(r.Count())
	}
	if r.Bad || len(r.Rest) != 0 || flags > flagWeighed|flagSecond || !m.plausible() || !v.index(keys) {
		return nil, fmt.Errorf("%w: contents", ErrDamaged)
	}
	if !matches(o.Embedder, name, dimension) {
		return nil, fmt.Errorf("%w: embedder of %d dimensions expected", ErrForeign, dimension)
	}
	if common != (o.Dictionary != nil) {
		return nil, fmt.Errorf("%w: trained with a dictionary: %t", ErrForeign, common)
	}
	if dimension > 0 {
		m.embedder = o.Embedder
	}
	v.spell = newSpeller(own, o.Dictionary)
	if err := m.decodeSecond(second, flags&flagSecond != 0, o); err != nil {
		return nil, err
	}
	return m, nil
}

func matches(e Embedder, name string, dimension int) bool {
	if dimension == 0 {
		return e == nil
	}
	return e != nil && e.Model() == name && e.Dimension() == dimension
}

// plausible reports whether the numbers of m are within the bounds that ranking relies on.
func (m *Model) plausible() bool {
	ascend := slices.IsSorted(m.intents) && len(slices.Compact(slices.Clone(m.intents))) == m.classes
	c := m.curve
	if m.top < 1 || m.classes < 1 || !ascend || !(c.reject < c.accept && c.accept < c.median && c.median-c.reject < maxPlausible && c.floor > 0 && c.floor <= 1) {
		return false
	}
	for _, floats := range [][]float32{m.bias, m.sparse.scale, m.dense.scale, m.vocabulary.idf, {m.vocabulary.max, float32(m.length), float32(c.accept)}} {
		for _, f := range floats {
			if !(math.Abs(float64(f)) < maxPlausible) {
				return false
			}
		}
	}
	for _, g := range m.vocabulary.group {
		if g >= groups {
			return false
		}
	}
	return true
}

// maxPlausible is far above any number of a model, and far below where sums overflow.
const maxPlausible = 1e6

// index rebuilds the table of the features.
func (v *vocabulary) index(keys []uint64) bool {
	v.table = hashing.NewTable(len(keys))
	for f, h := range keys {
		if h == 0 {
			return false
		}
		v.table.Put(h, int32(f))
	}
	return true
}

// reader reads an encoded model.
type reader struct{ modelfile.Reader }

// rows reads n rows of width words.
func (r *reader) rows(n, width int) []uint64 {
	if width > 0 && n > len(r.Rest)/8/width {
		r.Fail()
		return nil
	}
	return r.Uint64s(n * width)
}
