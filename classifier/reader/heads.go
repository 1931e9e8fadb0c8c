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
	first      []float32 // the row of the first marker
	input      []encoder.Input
	pieces     []encoder.Piece // of the part at hand
	message    []encoder.Piece
	from       int      // where the message begins in input
	options    [][2]int // where each option lies in input
	taskFlags  []flags
	paramFlags []flags

	pooled             []float32 // the first row, and the mean of the message's
	means              []float32 // of the options' rows
	direction          []float32 // a row of length one
	byTask, byParam    []float32 // what the message and a task, a param have in common
	byWord, wordFlags  []float32 // the same of each piece
	meaning, one, most []float32
	meets              []float32 // the options, each with its product with the message
	byOption, inner    []float32
	byPlace            []float32

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
	w.flag(r, state)
	hidden := m.trunk.Hidden(w.Work, w.input)
	message := hidden[w.from*width:][:len(w.message)*width]
	w.pooled = resized(w.pooled, 2*width)
	copy(w.pooled, hidden[:width])
	mean(w.pooled[width:], message)
	w.heads = m.heads.Apply(w.Work, w.heads, w.pooled, 1)
	w.readTasks(r, state, message)
	w.readParams(r)
	w.readSpans(r, message)
	w.readOptions(r, hidden)
}

// readTasks fills start and ask: what the whole message and what its best piece has in common with the
// title of a task, and what the state says of the task.
func (w *work) readTasks(r *Reader, state *State, message []float32) {
	m, t := r.model, &r.start
	width := m.trunk.Width()
	w.byTask = m.messageTask.Apply(w.Work, w.byTask, w.pooled, 1)
	w.start = t.start.products(w, w.start, w.byTask[:shared])
	w.ask = t.ask.products(w, w.ask, w.byTask[shared:2*shared])

	w.most = resized(w.most, t.word.count)
	clear(w.most)
	w.byWord = m.wordTask.Apply(w.Work, w.byWord, message, len(w.message))
	for i := range w.message {
		w.one = t.word.products(w, w.one, w.byWord[i*m.wordTask.Stride():][:shared])
		for j, v := range w.one {
			if i == 0 || v > w.most[j] {
				w.most[j] = v
			}
		}
	}
	w.direction = append(w.direction[:0], w.pooled[width:]...)
	encoder.Unit(w.direction)
	w.meaning = t.meaning.products(w, w.meaning, w.direction)
	kind := m.kindFlags[int(state.Kind)*8:][:8]
	for i, f := range w.taskFlags {
		best := float32(w.most[i] * m.scale[1])
		start := float32(w.start[i]*m.scale[0]) + best + f.weigh(m.taskFlags[:4]) + m.taskFlagBias[0] + f.weigh(kind[:4])
		ask := float32(w.ask[i]*m.scale[0]) + best + f.weigh(m.taskFlags[4:]) + m.taskFlagBias[1] + f.weigh(kind[4:])
		w.start[i] = start + float32(w.meaning[i]*m.cosine[0])
		w.ask[i] = ask + float32(w.meaning[i]*m.cosine[1])
	}
}

// readParams fills correct and remove.
func (w *work) readParams(r *Reader) {
	m, p := r.model, &r.value
	w.byParam = m.messageParam.Apply(w.Work, w.byParam, w.pooled, 1)
	w.correct = p.correct.products(w, w.correct, w.byParam[:shared])
	w.remove = p.remove.products(w, w.remove, w.byParam[shared:2*shared])
	for i, f := range w.paramFlags {
		w.correct[i] = float32(w.correct[i]*m.scale[4]) + f.weigh(m.paramFlags[8:12]) + m.paramFlagBias[2]
		w.remove[i] = float32(w.remove[i]*m.scale[4]) + f.weigh(m.paramFlags[12:]) + m.paramFlagBias[3]
	}
}

// readSpans fills inside and begin: what each piece has in common with the label of a param, and what
// the state's flags of the param are worth at that piece.
func (w *work) readSpans(r *Reader, message []float32) {
	m, p := r.model, &r.value
	width, count := m.trunk.Width(), len(r.params)
	w.inside, w.begin = resized(w.inside, len(w.message)*count), resized(w.begin, len(w.message)*count)
	w.byWord = m.wordParam.Apply(w.Work, w.byWord, message, len(w.message))
	w.wordFlags = m.wordFlags.Apply(w.Work, w.wordFlags, message, len(w.message))
	for i := range w.message {
		w.direction = append(w.direction[:0], message[i*width:][:width]...)
		encoder.Unit(w.direction)
		w.meaning = p.meaning.products(w, w.meaning, w.direction)
		word := w.byWord[i*m.wordParam.Stride():]
		worth := w.wordFlags[i*m.wordFlags.Stride():][:8]
		inside, begin := w.inside[i*count:][:count], w.begin[i*count:][:count]
		w.one = p.inside.products(w, w.one, word[:shared])
		for j, f := range w.paramFlags {
			known := f.weigh(m.paramFlags[:4]) + m.paramFlagBias[0] + f.weigh(worth[:4])
			inside[j] = float32(w.meaning[j]*m.cosine[3]) + float32(w.one[j]*m.scale[2]) + known
		}
		w.one = p.begin.products(w, w.one, word[shared:2*shared])
		for j, f := range w.paramFlags {
			known := f.weigh(m.paramFlags[4:8]) + m.paramFlagBias[1] + f.weigh(worth[4:])
			begin[j] = float32(w.meaning[j]*m.cosine[2]) + float32(w.one[j]*m.scale[3]) + known
		}
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
	w.one = m.messageOption.Apply(w.Work, w.one, w.pooled, 1)
	w.byOption = m.option.Apply(w.Work, w.byOption, w.means, count)
	w.inner = m.optionIn.Apply(w.Work, w.inner, w.meets, count)
	w.byPlace = m.optionPlace.Apply(w.Work, w.byPlace, w.pooled, 1)
	for i := range w.options {
		common := dot(w.byOption[i*m.option.Stride():][:shared], w.one)
		inner := w.inner[i*m.optionIn.Stride():][:shared]
		for j, v := range inner {
			inner[j] = max(v, 0)
		}
		near := float32((w.choose[i] - middle) * m.cosine[2])
		w.choose[i] = dot(inner, m.optionOut) + m.optionOutBias[0] + float32(common*m.scale[5]) + near + placed(w.byPlace, i, count)
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

// weigh is the sum of the weights whose flags are set.
func (f flags) weigh(weights []float32) float32 { return dot(f[:], weights) }

// dot is the product of a with as much of b.
func dot(a, b []float32) (sum float32) {
	for i, v := range a {
		sum += float32(v * b[i])
	}
	return sum
}

// resized is x with n numbers, whatever they are.
func resized(x []float32, n int) []float32 { return slices.Grow(x[:0], n)[:n] }
