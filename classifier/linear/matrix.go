package linear

import "math"

// Eight weights share a word of 64 bits. A weight w in [-127, 127] is kept as the byte
// w+128, so that one multiplication by a small factor serves four classes: the bytes at
// even and at odd places are spread to lanes of 16 bits, in which no product of a byte
// and a factor, nor a sum of products whose factors sum to at most laneBudget, carries
// into the next lane. That makes 150 classes cheap without assembly.
const (
	lanes      = 8
	evenBytes  = 0x00ff00ff00ff00ff
	zeroBytes  = 0x8080808080808080 // eight weights of zero
	laneBudget = 257                // 257 * 255 = 65535
	maxFactor  = 63
)

// matrix holds int8 weights by feature, then class, with one scale a class: a text
// touches a few whole rows.
type matrix struct {
	width int       // words of a row: the classes, eight to a word
	cells []uint64  // by feature, then class
	scale []float32 // by class: the value of a weight of 1
}

func newMatrix(features, classes int) matrix {
	m := matrix{width: (classes + lanes - 1) / lanes, scale: make([]float32, classes)}
	m.cells = make([]uint64, features*m.width)
	for i := range m.cells {
		m.cells[i] = zeroBytes
	}
	return m
}

// set stores the weights of a class, one a feature. Classes that share a word (the same
// class/lanes) must be set by one goroutine.
func (m *matrix) set(class int, weights []float64) {
	var most float64
	for _, w := range weights {
		most = max(most, math.Abs(w))
	}
	if most == 0 {
		return
	}
	m.scale[class] = float32(most / 127)
	at, shift := class/lanes, 8*(class%lanes)
	for f, w := range weights {
		b := uint64(math.Round(w/most*127) + 128)
		cell := &m.cells[f*m.width+at]
		*cell = *cell&^(0xff<<shift) | b<<shift
	}
}

// row returns the cells of a feature.
func (m *matrix) row(feature int) []uint64 {
	return m.cells[feature*m.width:][:m.width]
}

// sums is the working memory of a product of a matrix and a vector.
type sums struct {
	even, odd []uint64 // lanes of 16 bits
	wide      []uint32 // by class
	budget    int      // what the factors may still sum to before the lanes are spread
	excess    uint32   // what the +128 of every weight has added to each class
}

func (s *sums) reset(width int) {
	if cap(s.even) < width {
		s.even, s.odd, s.wide = make([]uint64, width), make([]uint64, width), make([]uint32, lanes*width)
	}
	s.even, s.odd, s.wide = s.even[:width], s.odd[:width], s.wide[:lanes*width]
	clear(s.even)
	clear(s.odd)
	clear(s.wide)
	s.budget, s.excess = laneBudget, 0
}

// add adds factor times a row. The factor is in [-maxFactor, maxFactor].
func (s *sums) add(row []uint64, factor int) {
	var flip uint64
	size := factor
	if factor < 0 { // -w is kept as 127-w, which is ^(w+128)
		size, flip = -factor, math.MaxUint64
		s.excess += uint32(127 * size)
	} else {
		s.excess += uint32(128 * size)
	}
	if s.budget < size {
		s.spread()
	}
	s.budget -= size
	k := uint64(size)
	even, odd := s.even[:len(row)], s.odd[:len(row)]
	for j, x := range row {
		x ^= flip
		even[j] += (x & evenBytes) * k
		odd[j] += (x >> 8 & evenBytes) * k
	}
}

// spread empties the narrow lanes into the wide sums.
func (s *sums) spread() {
	wide := s.wide
	for j, e := range s.even {
		o := s.odd[j]
		w := wide[lanes*j:][:lanes:lanes]
		w[0] += uint32(e & 0xffff)
		w[1] += uint32(o & 0xffff)
		w[2] += uint32(e >> 16 & 0xffff)
		w[3] += uint32(o >> 16 & 0xffff)
		w[4] += uint32(e >> 32 & 0xffff)
		w[5] += uint32(o >> 32 & 0xffff)
		w[6] += uint32(e >> 48)
		w[7] += uint32(o >> 48)
	}
	clear(s.even)
	clear(s.odd)
	s.budget = laneBudget
}

// into adds the sums, in units of step, to the scores of the classes.
func (s *sums) into(scores []float32, scale []float32, step float32) {
	s.spread()
	for c := range scores {
		scores[c] += float32(int32(s.wide[c]-s.excess)) * (scale[c] * step)
	}
}

// addSparse adds the product with a sparse vector to scores.
func (m *matrix) addSparse(x []entry, s *sums, scores []float32) {
	var most float32
	for _, e := range x {
		most = max(most, e.value)
	}
	if most == 0 {
		return
	}
	s.reset(m.width)
	per := maxFactor / most
	for _, e := range x {
		if k := int(e.value*per + 0.5); k > 0 {
			s.add(m.row(int(e.feature)), k)
		}
	}
	s.into(scores, m.scale, most/maxFactor)
}

// addDense adds the product with a dense vector to scores.
func (m *matrix) addDense(x []float32, s *sums, scores []float32) {
	var most float32
	for _, v := range x {
		most = max(most, v, -v)
	}
	if most == 0 {
		return
	}
	s.reset(m.width)
	per := maxFactor / most
	for f, v := range x {
		if k := int(math.Round(float64(v * per))); k != 0 {
			s.add(m.row(f), k)
		}
	}
	s.into(scores, m.scale, most/maxFactor)
}

func (m *matrix) bytes() int { return 8*len(m.cells) + 4*len(m.scale) }
