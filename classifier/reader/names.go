package reader

import (
	"slices"

	"github.com/slotway/slotway/classifier/encoder"
)

// names is the tasks of an agent, and behind them its params, as their names are read once.
type names struct {
	means []float32 // the mean row of each name
	rows  []float32 // and what goes into the pass of every message for it
}

// learn reads the titles of the tasks and the labels of the params.
func (w *work) learn(r *Reader) names {
	m := r.model
	width := m.trunk.Width()
	var n names
	for i := range r.tasks {
		row := m.segment(taskSegment)
		n.means = append(n.means, w.vector(m, r.tasks[i].Title, titlePieces, row, row)...)
	}
	for i := range r.params {
		row := m.segment(paramSegment)
		first := slices.Clone(row)
		add(first, m.types[int(r.params[i].Type)*width:])
		n.means = append(n.means, w.vector(m, r.params[i].described(), labelPieces, first, row)...)
	}
	n.rows = w.plain(m.nameIn, n.means)
	users := make([]float32, len(r.params)*width)
	for i := range r.params {
		var of []float32
		for j := range r.tasks {
			if r.needed[j][i] {
				of = append(of, n.means[j*width:][:width]...)
			}
		}
		mean(users[i*width:][:width], of)
	}
	users = w.plain(m.member, users)
	for i := range len(n.rows) / width {
		row, segment := n.rows[i*width:][:width], taskSegment
		if param := i - len(r.tasks); param >= 0 {
			segment = paramSegment
			add(row, users[param*width:])
		}
		add(row, m.segment(segment))
	}
	return n
}

// plain is a map of rows as wide as its results.
func (w *work) plain(m *encoder.Matrix, rows []float32) []float32 {
	return m.Apply(w.Work, nil, rows, len(rows)/m.Stride())
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

// enterNames writes a row for each task and each param: its name, and what the state says of it.
func (w *work) enterNames(r *Reader, state *State) {
	m := r.model
	width := m.trunk.Width()
	w.rows = append(w.rows[:0], r.names.rows...)
	for i := range r.tasks {
		task := &r.tasks[i]
		w.enterName(i, m.taskFlags, width, task.ID == state.Task, task.ID == state.Last, task.ID == state.Offered, task.Writes)
	}
	for i := range r.params {
		name := r.params[i].Name
		w.enterName(len(r.tasks)+i, m.paramFlags, width, name == state.Asked, r.needs(state.Task, i), state.Known[name], r.needs(state.Last, i))
	}
}

// enterName writes the row of a name; weights has a row for each flag.
func (w *work) enterName(at int, weights []float32, width int, flags ...bool) {
	row := w.rows[at*width:][:width]
	for i, set := range flags {
		if set {
			add(row, weights[i*width:])
		}
	}
	w.input = append(w.input, encoder.Input{Row: row, Name: true})
}

// needs reports whether a task has the param.
func (r *Reader) needs(task string, param int) bool {
	at, ok := r.taskAt[task]
	return ok && r.needed[at][param]
}

// add adds as much of x as dst is long.
func add(dst, x []float32) {
	for i := range dst {
		dst[i] += x[i]
	}
}

// mean writes the mean of rows as long as dst; of none it is nought.
func mean(dst, rows []float32) {
	clear(dst)
	count := len(rows) / len(dst)
	for i := range count {
		add(dst, rows[i*len(dst):])
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
