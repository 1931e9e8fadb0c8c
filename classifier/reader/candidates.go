package reader

import (
	"slices"

	"github.com/slotway/slotway/classifier/encoder"
)

// taskTables is the tasks as the heads compare them with a message.
type taskTables struct{ meaning, start, ask, word *table }

// paramTables is the params.
type paramTables struct{ meaning, inside, begin, correct, remove *table }

// table is vectors turned: for each of their numbers a row, as long as there are vectors, rounded up to
// eight. So one pass over it gives the products of a vector with all of them.
type table struct {
	count, width int
	rows         []float32
}

// turned makes a table of parts of count vectors, stride apart: depth numbers from first on.
func turned(vectors []float32, count, stride, first, depth int) *table {
	t := &table{count: count, width: (count + 7) / 8 * 8}
	t.rows = make([]float32, depth*t.width)
	for i := range count {
		for d, v := range vectors[i*stride+first:][:depth] {
			t.rows[d*t.width+i] = v
		}
	}
	return t
}

// products writes the product of x with each vector to dst and returns it.
func (t *table) products(w *work, dst, x []float32) []float32 {
	dst = slices.Grow(dst[:0], t.width)[:t.width]
	w.Combine(dst, x, t.rows)
	return dst[:t.count]
}

// learnTasks reads the titles of the tasks.
func (w *work) learnTasks(m *model, tasks []Task) taskTables {
	count, width := len(tasks), m.trunk.Width()
	vectors := make([]float32, 0, count*width)
	row := m.segment(taskSegment)
	for i := range tasks {
		vectors = append(vectors, w.vector(m, tasks[i].Title, titlePieces, row, row)...)
	}
	both := m.task.Apply(w.Work, nil, vectors, count)
	words := m.taskWord.Apply(w.Work, nil, vectors, count)
	units(vectors, width)
	return taskTables{
		meaning: turned(vectors, count, width, 0, width),
		start:   turned(both, count, m.task.Stride(), 0, shared),
		ask:     turned(both, count, m.task.Stride(), shared, shared),
		word:    turned(words, count, m.taskWord.Stride(), 0, shared),
	}
}

// learnParams reads the labels of the params.
func (w *work) learnParams(m *model, params []Param) paramTables {
	count, width := len(params), m.trunk.Width()
	vectors := make([]float32, 0, count*width)
	row := m.segment(paramSegment)
	for i := range params {
		first := slices.Clone(row)
		for j, v := range m.types[int(params[i].Type)*width:][:width] {
			first[j] += v
		}
		vectors = append(vectors, w.vector(m, params[i].described(), labelPieces, first, row)...)
	}
	all := m.param.Apply(w.Work, nil, vectors, count)
	units(vectors, width)
	part := func(i int) *table { return turned(all, count, m.param.Stride(), i*shared, shared) }
	return paramTables{
		meaning: turned(vectors, count, width, 0, width),
		inside:  part(0), begin: part(1), correct: part(2), remove: part(3),
	}
}

// vector is the mean row of a name, its markers among it. The first marker has a row of its own.
func (w *work) vector(m *model, name string, most int, first, row []float32) []float32 {
	w.pieces = m.trunk.Pieces(w.Work, w.pieces[:0], name, most)
	w.input = append(w.input[:0], encoder.Input{ID: encoder.Open, Row: first})
	w.part(w.pieces, row, 1)
	vector := make([]float32, m.trunk.Width())
	mean(vector, m.trunk.Hidden(w.Work, w.input))
	return vector
}

// mean writes the mean of rows as long as dst; of none it is nought.
func mean(dst, rows []float32) {
	clear(dst)
	count := len(rows) / len(dst)
	for i := range count {
		for j, v := range rows[i*len(dst):][:len(dst)] {
			dst[j] += v
		}
	}
	for j := range dst {
		dst[j] /= float32(max(count, 1))
	}
}

// units scales each of the vectors to length one.
func units(vectors []float32, width int) {
	for at := 0; at < len(vectors); at += width {
		encoder.Unit(vectors[at:][:width])
	}
}
