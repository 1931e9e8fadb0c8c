package reader

import (
	"slices"

	"github.com/slotway/slotway/classifier/encoder"
	"github.com/slotway/slotway/classifier/message"
)

// The heads of a message are the commands in their order, and one more: a yes to a confirmation, and
// nothing else but a courtesy.
const (
	PlainYes = message.NumDo
	NumHeads = PlainYes + 1
)

// work is the working memory of one message. It belongs to one goroutine.
type work struct {
	*encoder.Work
	first   []float32 // the row of the first marker
	rows    []float32 // those of the names
	input   []encoder.Input
	pieces  []encoder.Piece // of the part at hand
	message []encoder.Piece
	from    int      // where the message begins in input
	options [][2]int // where each option lies in input
	behind  int      // where the names begin in input

	pooled    []float32 // the first row, and the mean of the message's
	direction []float32 // the second of these, of length one
	names     []float32 // the names, with what the pass made of them
	units     []float32 // the same, of length one
	means     []float32 // of the options' rows
	meets     []float32 // the options, each with its product with the message
	query     []float32 // what a table is asked
	begins    table     // of params, beside the one at hand
	table     table

	// What matrices give.
	byMessage, byName, byRow, byWord, byOption, byPlace, inner, one []float32

	// What comes out, before the logistic function.
	heads           []float32
	start, ask      []float32 // by task
	correct, remove []float32 // by param
	choose          []float32 // by option
	inside, begin   []float32 // by piece of the message, and in it by param
}

// forward does what forward of scripts/lab/train/reader/model.py does, in its order. Products are
// converted to float32 before they are added, which forbids the fused operation of some processors.
func (w *work) forward(r *Reader, state *State, text string) {
	m := r.model
	width := m.trunk.Width()
	w.enter(r, state, text)
	hidden := m.trunk.Hidden(w.Work, w.input)
	message, named := hidden[w.from*width:][:len(w.message)*width], hidden[w.behind*width:]
	w.pooled = resized(w.pooled, 2*width)
	copy(w.pooled, hidden[:width])
	mean(w.pooled[width:], message)
	w.direction = append(w.direction[:0], w.pooled[width:]...)
	encoder.Unit(w.direction)
	w.names = m.nameOut.Apply(w.Work, w.names, named, len(named)/width)
	add(w.names, r.names.means)
	w.units = append(w.units[:0], w.names...)
	units(w.units, width)
	w.heads = m.heads.Apply(w.Work, w.heads, w.pooled, 1)
	tasks := len(r.tasks) * width
	w.readTasks(m, named[:tasks], w.names[:tasks], w.units[:tasks])
	w.readParams(m, named[tasks:], w.names[tasks:], w.units[tasks:], message)
	w.readOptions(r, hidden)
}

// readTasks fills start and ask: what a task's row says, and what its name has in common with the message, by
// numbers of their own and by direction.
func (w *work) readTasks(m *model, rows, names, units []float32) {
	width := m.trunk.Width()
	count := len(names) / width
	w.byName = m.task.Apply(w.Work, w.byName, names, count)
	w.byRow = m.taskRow.Apply(w.Work, w.byRow, rows, count)
	w.byMessage = m.messageTask.Apply(w.Work, w.byMessage, w.pooled, 1)
	for i, out := range []*[]float32{&w.start, &w.ask} {
		w.table.turn(count, part{w.byName, m.task.Stride(), i * shared, shared, 1}, part{units, width, 0, width, m.cosine[i]})
		w.query = append(append(w.query[:0], w.byMessage[i*shared:][:shared]...), w.direction...)
		*out = w.table.products(w, *out, w.query)
		w.byRows(*out, m.taskRow.Stride(), i)
	}
}

// readParams fills correct and remove, and for each piece of the message inside and begin.
func (w *work) readParams(m *model, rows, names, units, message []float32) {
	width := m.trunk.Width()
	count, stride := len(names)/width, m.param.Stride()
	w.byName = m.param.Apply(w.Work, w.byName, names, count)
	w.byRow = m.paramRow.Apply(w.Work, w.byRow, rows, count)
	w.byMessage = m.messageParam.Apply(w.Work, w.byMessage, w.pooled, 1)
	for i, out := range []*[]float32{&w.correct, &w.remove} {
		w.table.turn(count, part{w.byName, stride, (2 + i) * shared, shared, 1})
		*out = w.table.products(w, *out, w.byMessage[i*shared:][:shared])
		w.byRows(*out, m.paramRow.Stride(), 2+i)
	}
	w.table.turn(count, part{w.byName, stride, 0, shared, 1}, part{units, width, 0, width, m.cosine[3]})
	w.begins.turn(count, part{w.byName, stride, shared, shared, 1}, part{units, width, 0, width, m.cosine[2]})
	w.byWord = m.wordParam.Apply(w.Work, w.byWord, message, len(w.message))
	w.inside, w.begin = w.inside[:0], w.begin[:0]
	for i := range w.message {
		word := w.byWord[i*m.wordParam.Stride():]
		w.direction = append(w.direction[:0], message[i*width:][:width]...)
		encoder.Unit(w.direction)
		w.inside = append(w.inside, w.pieceOf(&w.table, word[:shared], m.paramRow.Stride(), 0)...)
		w.begin = append(w.begin, w.pieceOf(&w.begins, word[shared:2*shared], m.paramRow.Stride(), 1)...)
	}
}

// pieceOf compares a piece, whose direction is at hand, with each param.
func (w *work) pieceOf(t *table, word []float32, stride, of int) []float32 {
	w.query = append(append(w.query[:0], word...), w.direction...)
	w.one = t.products(w, w.one, w.query)
	w.byRows(w.one, stride, of)
	return w.one
}

// byRows adds what the row of each name says by itself.
func (w *work) byRows(out []float32, stride, of int) {
	for i := range out {
		out[i] += w.byRow[i*stride+of]
	}
}

// readOptions fills choose: what the mean of an option's rows has in common with the message, by numbers
// and by direction, what a layer of its own makes of both, and the place that the message names. Directions count by
// how far they are from those of the other options.
func (w *work) readOptions(r *Reader, hidden []float32) {
	m := r.model
	width, count := m.trunk.Width(), len(w.options)
	meant := w.pooled[width:]
	w.means, w.meets = resized(w.means, count*width), resized(w.meets, 2*count*width)
	w.choose = resized(w.choose, count)
	middle := float32(0)
	for i, at := range w.options {
		option, meet := w.means[i*width:][:width], w.meets[2*i*width:][:2*width]
		mean(option, hidden[at[0]*width:at[1]*width])
		copy(meet, option)
		for j, v := range option {
			meet[width+j] = v * meant[j]
		}
		w.choose[i] = cosine(&w.direction, option, meant)
		middle += w.choose[i] / float32(count)
	}
	w.byMessage = m.messageOption.Apply(w.Work, w.byMessage, w.pooled, 1)
	w.byOption = m.option.Apply(w.Work, w.byOption, w.means, count)
	w.inner = m.optionIn.Apply(w.Work, w.inner, w.meets, count)
	w.byPlace = m.optionPlace.Apply(w.Work, w.byPlace, w.pooled, 1)
	for i := range w.options {
		common := dot(w.byOption[i*m.option.Stride():][:shared], w.byMessage)
		inner := w.inner[i*m.optionIn.Stride():][:shared]
		for j, v := range inner {
			inner[j] = max(v, 0)
		}
		near := float32((w.choose[i] - middle) * m.cosine[4])
		w.choose[i] = dot(inner, m.optionOut) + m.optionOutBias[0] + common + near + placed(w.byPlace, i, count)
	}
}

// placed is how much a message names the place of option i of count: from the front, from behind, or both.
func placed(byPlace []float32, i, count int) (sum float32) {
	if i < numPlaces-2 {
		sum += byPlace[i]
	}
	if i >= max(1, count-2) {
		sum += byPlace[numPlaces-count+i]
	}
	return sum
}

// cosine is that of a and b.
func cosine(direction *[]float32, a, b []float32) float32 {
	*direction = append(append((*direction)[:0], a...), b...)
	units(*direction, len(a))
	return dot((*direction)[:len(a)], (*direction)[len(a):])
}

// dot is the product of a with as much of b.
func dot(a, b []float32) (sum float32) {
	for i, v := range a {
		sum += float32(v * b[i])
	}
	return sum
}

// resized is x with n numbers, whatever they are.
func resized(x []float32, n int) []float32 { return slices.Grow(x, max(0, n-len(x)))[:n] }

// table holds vectors turned: for each of their numbers a row, as long as there are vectors, rounded up to
// eight. So one pass over it gives the products of a vector with all of them.
type table struct {
	count, width int
	rows         []float32
}

// part is some numbers of vectors: depth of them from first on, times a factor.
type part struct {
	vectors              []float32
	stride, first, depth int
	factor               float32
}

// turn fills the table with count vectors, each the parts in their order.
func (t *table) turn(count int, parts ...part) {
	t.count, t.width = count, (count+7)/8*8
	t.rows = t.rows[:0]
	for _, p := range parts {
		for d := p.first; d < p.first+p.depth; d++ {
			at := len(t.rows)
			t.rows = resized(t.rows, at+t.width)
			for i := range count {
				t.rows[at+i] = float32(p.vectors[i*p.stride+d] * p.factor)
			}
			clear(t.rows[at+count:])
		}
	}
}

// products writes the product of x with each vector to dst and returns it.
func (t *table) products(w *work, dst, x []float32) []float32 {
	dst = resized(dst, t.width)
	w.Combine(dst, x, t.rows)
	return dst[:t.count]
}
