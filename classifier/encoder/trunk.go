package encoder

import "fmt"

// Trunk is a transformer on the pieces of this package's vocabulary and their rows, with layers of its
// own from another file. It gives the row that each piece has at the end, for heads to read. It does not
// change and is safe for concurrent use, each goroutine with a [Work] of its own.
type Trunk struct {
	words *model
	stack
}

// Input is a piece as a trunk takes it, or a row that stands for a whole name.
type Input struct {
	ID       uint16
	Position int       // below Positions
	Row      []float32 // what it is beside its word and its position: Width numbers
	Name     bool      // Row is all that it is
}

// NewTrunk takes the layers from a file whose sizes begin as those of weights.bin: its rows of the
// positions, its first normalisation, its layers. What is behind them is left.
func NewTrunk(f *File) (*Trunk, error) {
	words, err := parsed()
	if err != nil {
		return nil, err
	}
	t := &Trunk{words: words}
	if err := t.shape(f.Sizes); err != nil {
		return nil, err
	}
	if t.width != words.width {
		return nil, fmt.Errorf("%w: width %d beside words of %d", ErrWeights, t.width, words.width)
	}
	t.read(f)
	if f.short {
		return nil, f.Done()
	}
	return t, nil
}

// Width is how many numbers a row has.
func (t *Trunk) Width() int { return t.width }

// Positions is how many positions have a row.
func (t *Trunk) Positions() int { return t.positions }

// Hidden returns the rows of the pieces behind the last layer. They are w's until it is used again.
func (t *Trunk) Hidden(w *Work, input []Input) []float32 {
	n := len(input)
	w.scratch.grow(&t.stack, roundUp(n, 8))
	for i, in := range input {
		x := w.scratch.x[i*t.width:][:t.width]
		beside := in.Row[:t.width]
		if in.Name {
			clear(x)
		} else {
			t.words.row(x, in.ID)
			for j, v := range beside {
				x[j] += v
			}
			beside = t.places[in.Position*t.width:][:t.width]
		}
		t.norm.apply(w.kernels, x, beside)
	}
	for i := range t.layers {
		t.through(w.kernels, &w.scratch, &t.layers[i], n)
	}
	return w.scratch.x[:n*t.width]
}

// Work is the working memory of a text on its way through a trunk and its heads, and the implementation
// of the loops that it uses. It belongs to one goroutine.
type Work struct {
	kernels *kernels
	scratch scratch
}

// Implementations lists those that this processor runs, the fastest first. All give the same bits.
func Implementations() (names []string) {
	for _, k := range available() {
		names = append(names, k.name)
	}
	return names
}

// NewWork returns working memory for an implementation; no name stands for the fastest.
func NewWork(implementation string) *Work {
	w := &Work{kernels: fastest}
	for _, k := range available() {
		if k.name == implementation {
			w.kernels = k
		}
	}
	return w
}

// Pieces appends the pieces of text, at most most of them and without markers.
func (t *Trunk) Pieces(w *Work, dst []Piece, text string, most int) []Piece {
	tok := &w.scratch.tokeniser
	tok.split(&t.words.vocabulary, text, most+2)
	return append(dst, tok.pieces[1:len(tok.pieces)-1]...)
}

// Matrix is a linear map of a file, with eight bits a weight.
type Matrix struct {
	matrix
	used int
}

// rowsAtOnce is how many rows of a [Matrix] the widest implementation takes at once: their number is a multiple.
const rowsAtOnce = 2 * blockRows

// Matrix returns the next map of the file, from depth numbers to rows numbers. In the file its rows are
// a multiple of 16; those behind the last give nought.
func (f *File) Matrix(rows, depth int) *Matrix {
	return &Matrix{matrix: f.matrix(roundUp(rows, rowsAtOnce), depth), used: rows}
}

// Apply returns the map of the first n rows of x, which lie Stride numbers apart. It writes to dst where
// that has the room.
func (m *Matrix) Apply(w *Work, dst, x []float32, n int) []float32 {
	if n == 0 {
		return dst[:0]
	}
	w.scratch.acting(n, m.depth)
	room := roundUp(n, tokensAtOnce) * m.rows
	if cap(dst) < room {
		dst = make([]float32, 2*room)
	}
	m.apply(w.kernels, &w.scratch, dst[:room], x, n)
	return dst[:n*m.rows]
}

// Stride is how far the results of two rows are apart.
func (m *Matrix) Stride() int { return m.rows }

// Combine writes the sum of rows, each times its coefficient. A row is as long as dst, a multiple of eight.
func (w *Work) Combine(dst, coefficients, rows []float32) {
	if len(dst) > 0 {
		w.kernels.combine(dst, coefficients, &rows[0], len(dst))
	}
}

// Unit scales x to length one; nought stays nought.
func Unit(x []float32) { unit(x) }

// Logistic is 1/(1+exp(-v)), by the exponential function that has the same bits everywhere.
func Logistic(v float32) float32 {
	if v < 0 {
		power := exponential(v)
		return power / (1 + power)
	}
	return 1 / (1 + exponential(-v))
}
