package recall

import "slices"

// signWords is the length of a signature in words: 512 bits.
const signWords = 8

// effort says how many rows with similar signatures are compared exactly: each for every wanted
// row, at least least, and at least one in oneIn of all.
type effort struct{ each, least, oneIn int }

// careful finds 0.99 of the true neighbours; quick is for a list that is combined with another.
var (
	careful = effort{16, 384, 64}
	quick   = effort{2, 64, 512}
)

// exactRows is the most rows that are all compared.
const exactRows = 256

// matrix holds the vectors of one model, by doc: int8 with a scale, and a signature.
// The zero value is empty and takes its dimension from the first row.
type matrix struct {
	dim   int
	turn  *rotation
	rows  []int8
	scale []float32 // 0: no row
	signs []uint64
	have  int

	buf, vec []float32 // scratch of set
}

// setVector stores the vector of a doc.
func (m *matrix) setVector(n int, v []float32) {
	row, scale := Quantize(v)
	m.set(n, row, scale)
}

// set stores a row, unless it has another dimension than the first.
func (m *matrix) set(n int, row []int8, scale float32) {
	if scale == 0 || len(row) == 0 || m.dim != 0 && len(row) != m.dim {
		return
	}
	if m.dim == 0 {
		m.dim = len(row)
		m.turn = newRotation(m.dim, signWords)
		m.buf, m.vec = make([]float32, m.turn.size), make([]float32, m.dim)
	}
	if n >= len(m.scale) {
		m.rows = extend(m.rows, (n+1)*m.dim)
		m.scale = extend(m.scale, n+1)
		m.signs = extend(m.signs, (n+1)*signWords)
	}
	if m.scale[n] == 0 {
		m.have++
	}
	copy(m.rows[n*m.dim:], row)
	m.scale[n] = scale
	for i, a := range row {
		m.vec[i] = float32(a)
	}
	m.turn.sign(m.signs[n*signWords:(n+1)*signWords], m.vec, m.buf)
}

func extend[T any](s []T, n int) []T {
	return slices.Grow(s, n-len(s))[:n]
}

// has reports whether a doc has a row.
func (m *matrix) has(n uint32) bool { return int(n) < len(m.scale) && m.scale[n] != 0 }

// probe is a question's vector in the forms that are compared.
type probe struct {
	row   []int8
	scale float32
	sign  []uint64
}

// probe prepares a vector of length 1; nil if it cannot be compared.
func (m *matrix) probe(v []float32) *probe {
	if m.dim == 0 || len(v) != m.dim {
		return nil
	}
	p := &probe{sign: make([]uint64, signWords)}
	if p.row, p.scale = Quantize(v); p.scale == 0 {
		return nil
	}
	m.turn.sign(p.sign, v, make([]float32, m.turn.size))
	return p
}

// cosine compares a doc with a probe; 0 if the doc has no row.
func (m *matrix) cosine(p *probe, n uint32) float32 {
	if !m.has(n) {
		return 0
	}
	at := int(n) * m.dim
	cos := float32(dot8(p.row, m.rows[at:at+m.dim])) * p.scale * m.scale[n]
	return min(max(cos, -1), 1) // rounding errors
}

// nearest returns the k rows nearest to the probe among those that pass, the nearest first. Few
// rows are all compared.
func (m *matrix) nearest(p *probe, k int, e effort, pass func(n uint32) bool) []scored {
	best := newTop(k)
	if len(m.scale) <= exactRows {
		for n := range uint32(len(m.scale)) {
			if m.scale[n] != 0 && pass(n) {
				best.offer(n, m.cosine(p, n))
			}
		}
		return best.sorted()
	}
	for _, n := range m.similar(p, max(e.each*k, e.least, len(m.scale)/e.oneIn), pass) {
		best.offer(n, m.cosine(p, n))
	}
	return best.sorted()
}

// similar returns about k rows whose signatures differ least from the probe's: all up to the
// distance at which there are k.
func (m *matrix) similar(p *probe, k int, pass func(n uint32) bool) []uint32 {
	var count [signWords*64 + 1]int
	sign := (*[signWords]uint64)(p.sign)
	far := make([]uint16, len(m.scale))
	for n := range far {
		if m.scale[n] == 0 || !pass(uint32(n)) {
			far[n] = signWords*64 + 1
			continue
		}
		d := hamming(sign, (*[signWords]uint64)(m.signs[n*signWords:]))
		far[n] = uint16(d)
		count[d]++
	}
	limit, sum := 0, 0
	for limit < len(count) && sum < k {
		sum += count[limit]
		limit++
	}
	out := make([]uint32, 0, sum)
	for n, d := range far {
		if int(d) < limit {
			out = append(out, uint32(n))
		}
	}
	return out
}

// scored is a doc with a score.
type scored struct {
	doc   uint32
	score float32
}

// before orders higher scores first, and equal scores by age, the older first.
func (a scored) before(b scored) bool {
	return a.score > b.score || a.score == b.score && a.doc < b.doc
}

// top keeps the best k of the offered docs: a heap with the worst on top.
type top struct {
	k    int
	heap []scored
}

func newTop(k int) *top { return &top{k: k, heap: make([]scored, 0, min(k, 1024))} }

func (t *top) offer(n uint32, score float32) {
	s := scored{n, score}
	if len(t.heap) < t.k {
		t.heap = append(t.heap, s)
		for i := len(t.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if !t.heap[up].before(t.heap[i]) {
				return
			}
			t.heap[i], t.heap[up] = t.heap[up], t.heap[i]
			i = up
		}
		return
	}
	if t.k == 0 || !s.before(t.heap[0]) {
		return
	}
	t.heap[0] = s
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(t.heap) {
			return
		}
		if down+1 < len(t.heap) && t.heap[down].before(t.heap[down+1]) {
			down++
		}
		if !t.heap[i].before(t.heap[down]) {
			return
		}
		t.heap[i], t.heap[down] = t.heap[down], t.heap[i]
		i = down
	}
}

// sorted ends the collection and returns it, the best first.
func (t *top) sorted() []scored {
	slices.SortFunc(t.heap, func(a, b scored) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	return t.heap
}
