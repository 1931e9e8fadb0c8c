package encoder

import "math"

// scratch is the working memory of one text. It belongs to one goroutine.
type scratch struct {
	tokeniser tokeniser
	tokens    int // that there is room for
	x         []float32
	wide      []float32 // queries, keys and values; or the inner layer
	mixed     []float32 // what attention gives, or a product on its way to x
	acts      []byte
	four      []fourTokens
	of        rowsOf    // the rows at hand: here, since what a kernel is given would be allocated
	keys      []float32 // of one head, a row a dimension
	scores    []float32
}

// grow makes room for n tokens, rounded up so that steady use allocates nothing.
func (s *scratch) grow(m *stack, n int) {
	if n <= s.tokens {
		return
	}
	room := 16
	for room < n {
		room *= 2
	}
	s.tokens = room
	widest := max(3*m.width, m.inner)
	s.x = make([]float32, room*m.width)
	s.mixed = make([]float32, room*m.width)
	s.wide = make([]float32, room*widest)
	s.acts = make([]byte, 2*room*max(m.width, m.inner))
	s.four = make([]fourTokens, room/tokensAtOnce)
	s.keys = make([]float32, m.width/m.heads*room)
	s.scores = make([]float32, room)
}

// acting makes room for the activations of n rows of depth numbers.
func (s *scratch) acting(n, depth int) {
	room := roundUp(n, tokensAtOnce)
	if size := 2 * room * depth; len(s.acts) < size {
		s.acts = make([]byte, size)
	}
	if len(s.four) < room/tokensAtOnce {
		s.four = make([]fourTokens, room/tokensAtOnce)
	}
}

// forward fills dst with the mean of the last layer over the tokens, of unit length.
func (m *model) forward(k *kernels, s *scratch, pieces []Piece, dst []float32) {
	n := len(pieces)
	s.grow(&m.stack, roundUp(n, 8))
	for i, piece := range pieces {
		x := s.x[i*m.width:][:m.width]
		m.row(x, piece.ID)
		m.norm.apply(k, x, m.places[i*m.width:][:m.width])
	}
	for i := range m.layers {
		m.through(k, s, &m.layers[i], n)
	}
	clear(dst)
	for i := range n {
		for j, v := range s.x[i*m.width:][:m.width] {
			dst[j] += v
		}
	}
	unit(dst)
}

// row writes the row of a piece.
func (m *model) row(x []float32, id uint16) {
	unit := m.rowScale[id]
	for j, b := range m.rows[int(id)*m.width:][:m.width] {
		x[j] = float32(int8(b)) * unit
	}
}

// through takes n tokens through a layer.
func (m *stack) through(k *kernels, s *scratch, l *layer, n int) {
	l.attend.apply(k, s, s.wide, s.x, n)
	for head := range m.heads {
		m.attention(k, s, head, n)
	}
	l.mix.apply(k, s, s.wide, s.mixed, n)
	l.mixNorm.applyAll(k, s.x, s.wide, n)
	l.up.apply(k, s, s.wide, s.x, n)
	k.gelu(s.wide[:n*m.inner])
	l.down.apply(k, s, s.mixed, s.wide, n)
	l.downNorm.applyAll(k, s.x, s.mixed, n)
}

// attention writes what one head mixes from the values of n tokens.
func (m *stack) attention(k *kernels, s *scratch, head, n int) {
	size, stride, room := m.width/m.heads, 3*m.width, roundUp(n, 8)
	queries := s.wide[head*size:]
	keys := queries[m.width:]
	values := queries[2*m.width:]
	s.turn(keys, size, stride, n, room)
	scores := s.scores[:room]
	for i := range n {
		k.combine(scores, queries[i*stride:][:size], &s.keys[0], room)
		for j := n; j < room; j++ {
			scores[j] = float32(math.Inf(-1)) // no token: next to nothing in the sum
		}
		total := k.exponentials(scores, highest(scores))
		for j := range n {
			scores[j] /= total
		}
		k.combine(s.mixed[i*m.width+head*size:][:size], scores[:n], &values[0], stride)
	}
}

// turn writes the keys of a head to s.keys, a row a dimension, padded with zeros.
func (s *scratch) turn(keys []float32, size, stride, n, room int) {
	for j := range n {
		for d, v := range keys[j*stride:][:size] {
			s.keys[d*room+j] = v
		}
	}
	for d := range size {
		clear(s.keys[d*room+n : (d+1)*room])
	}
}

func highest(x []float32) float32 {
	most := x[0]
	for _, v := range x {
		if v > most {
			most = v
		}
	}
	return most
}

// apply writes the map of the first n rows of x to dst.
func (w *matrix) apply(k *kernels, s *scratch, dst, x []float32, n int) {
	stride := w.depth * k.bytes
	for i := range n {
		s.activate(k, x[i*w.depth:][:w.depth], s.acts[i*stride:][:stride], i)
	}
	for i := n; i < roundUp(n, tokensAtOnce); i++ {
		clear(s.acts[i*stride:][:stride]) // results nobody reads, but no chance ones
	}
	for row := 0; row < w.rows; row += k.rows {
		s.of = rowsOf{&w.scale[row], &w.bias[row], &w.total[row]}
		for i := 0; i < n; i += tokensAtOnce {
			k.product(&dst[i*w.rows+row], w.rows, &w.cells[row*w.depth], w.depth, &s.acts[i*stride], stride, &s.of, &s.four[i/tokensAtOnce])
		}
	}
}

// activate writes a row as numbers from 0 to 255, of which one is 0 and the ends are the
// extremes of the row.
func (s *scratch) activate(k *kernels, x []float32, dst []byte, token int) {
	low, high := k.extremes(x)
	span := high - low
	var factor, step float32
	var zero int32
	if span > 0 {
		factor, step = 255/span, span/255
		zero = int32(nearest(float32(-low * factor)))
	}
	k.quantise(dst, x, factor, zero)
	four := &s.four[token/tokensAtOnce]
	four.step[token%tokensAtOnce] = step
	four.zero[token%tokensAtOnce] = zero - k.lower
}

// applyAll adds y to the first n rows of x and normalises them.
func (o *normaliser) applyAll(k *kernels, x, y []float32, n int) {
	width := len(o.scale)
	for i := range n {
		o.apply(k, x[i*width:][:width], y[i*width:][:width])
	}
}

func (o *normaliser) apply(k *kernels, x, y []float32) {
	width := float32(len(x))
	mean := k.addSum(x, y) / width
	variance := k.squares(x, mean)/width + 1e-12
	k.scaleShift(x, 1/float32(math.Sqrt(float64(variance))), o.scale, o.shift)
}

// unit scales x to length one. The conversions forbid fused operations.
func unit(x []float32) {
	square := 0.0
	for _, v := range x {
		square += float64(float64(v) * float64(v))
	}
	scale := 0.0
	if square > 0 {
		scale = 1 / math.Sqrt(square)
	}
	for i, v := range x {
		x[i] = float32(float64(v) * scale)
	}
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
