package linear

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// DecodeOptions tells what a model does not carry itself; the zero value suits a model
// that was trained without an embedder.
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
	if len(data) < headerSize+4 || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no header", ErrDamaged)
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return nil, fmt.Errorf("%w: wrong checksum", ErrDamaged)
	}
	r := &reader{rest: body[len(magic):]}
	if f, v := r.count(), r.count(); f != format || v != Version {
		return nil, fmt.Errorf("%w: format %d, trainer %d", ErrForeign, f, v)
	}
	return r.model(&o)
}

// model reads what follows the header.
func (r *reader) model(o *DecodeOptions) (*Model, error) {
	m := &Model{top: r.count(), classes: r.count(), vocabulary: &vocabulary{}}
	m.pool.New = func() any { return new(scratch) }
	v := m.vocabulary
	features, dimension := r.count(), r.count()
	flags := r.count()
	m.length = r.float64()
	m.curve = curve{reject: r.float64(), accept: r.float64(), median: r.float64(), floor: r.float64(), weighed: flags&flagWeighed != 0}
	if max := r.floats(1); len(max) == 1 {
		v.max = max[0]
	}
	name := r.text()
	v.speech = speechOf(r.text())
	for i := 0; i < m.classes && !r.bad; i++ {
		m.intents = append(m.intents, r.text())
	}
	m.bias = r.floats(m.classes)
	m.sparse.scale, m.dense.scale = r.floats(m.classes), r.floats(m.classes)
	keys := r.words(features)
	v.idf = r.floats(features)
	v.group = slices.Clone(r.take(features))
	common, own := r.count() == 1, r.ownWords()
	width := (m.classes + lanes - 1) / lanes
	m.sparse.width, m.dense.width = width, width
	m.sparse.cells, m.dense.cells = r.rows(features, width), r.rows(dimension, width)
	m.near = r.neighbours(m.classes, dimension)
	var second []byte
	if flags&flagSecond != 0 {
		second = r.take(r.count())
	}
	if r.bad || len(r.rest) != 0 || flags > flagWeighed|flagSecond || !m.plausible() || !v.index(keys) {
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

// plausible reports whether m may be used without surprises.
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
	v.table = newTable(len(keys))
	for f, h := range keys {
		if h == 0 {
			return false
		}
		v.table.put(h, int32(f))
	}
	return true
}

// reader takes values off data. Once data is too short it is bad and gives zero values.
type reader struct {
	rest []byte
	bad  bool
}

// take returns the next n bytes. Nothing is allocated before it has found them.
func (r *reader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.rest) {
		r.bad = true
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// items returns the bytes of n items of size bytes each.
func (r *reader) items(n, size int) []byte {
	if n < 0 || n > len(r.rest)/size {
		r.bad = true
		return nil
	}
	return r.take(n * size)
}

func (r *reader) count() int {
	if b := r.take(4); b != nil {
		return int(binary.LittleEndian.Uint32(b) & math.MaxInt32)
	}
	return 0
}

func (r *reader) float64() float64 {
	if b := r.take(8); b != nil {
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return 0
}

func (r *reader) text() string { return string(r.take(r.count())) }

func (r *reader) floats(n int) []float32 {
	b := r.items(n, 4)
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

func (r *reader) words(n int) []uint64 {
	b := r.items(n, 8)
	out := make([]uint64, len(b)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return out
}

// rows reads n rows of width words.
func (r *reader) rows(n, width int) []uint64 {
	if width > 0 && n > len(r.rest)/8/width {
		r.bad = true
		return nil
	}
	return r.words(n * width)
}
