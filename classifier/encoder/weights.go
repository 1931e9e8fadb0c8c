package encoder

import "fmt"

const (
	magic = "SLOTENC1"

	blockRows  = 8 // rows of a matrix that lie side by side
	blockDepth = 4 // columns of a row that lie together
	freeSlot   = 0xffff

	maxLayers    = 48
	maxWidth     = 4096 // keeps every sum of a product in 32 bits: 4096 * 255 * 127 < 2^31
	maxPositions = 1024
)

// Ids of the markers: the first rows of the vocabulary.
const (
	idUnknown = 1
	Open      = 2 // stands in front of every text
	Close     = 3 // stands behind every text
	markers   = 4
)

// model is a parsed file. Bytes are parts of the file, numbers are copies.
type model struct {
	name     string
	checksum uint32

	vocabulary vocabulary
	rowScale   []float32 // by piece
	rows       []byte    // by piece: width int8
	stack
}

// stack is the layers, and what a row goes through before them.
type stack struct {
	width     int
	heads     int
	inner     int
	positions int
	places    []float32 // by position: width
	norm      normaliser
	layers    []layer
}

// layer is one transformer layer.
type layer struct {
	attend, mix matrix // queries, keys and values at once; what becomes of their mixture
	mixNorm     normaliser
	up, down    matrix
	downNorm    normaliser
}

// normaliser is the scale and shift of a layer normalisation.
type normaliser struct{ scale, shift []float32 }

// matrix is the weights and the bias of a linear map, rows outputs by depth inputs.
type matrix struct {
	rows, depth int
	scale, bias []float32 // by row
	total       []int32   // by row: the sum of its weights
	cells       []byte    // int8: block of eight rows, four columns, row, column
}

// parse checks the bytes and returns the model in them. Every error wraps [ErrWeights].
func parse(data []byte) (*model, error) {
	f, err := OpenFile(data, magic)
	if err != nil {
		return nil, err
	}
	m := &model{name: f.Name, checksum: f.Checksum}
	if err := m.shape(f.Sizes); err != nil {
		return nil, err
	}
	pieces, slots := f.Sizes[5], f.Sizes[7]
	switch {
	case pieces <= markers || pieces >= freeSlot:
		return nil, fmt.Errorf("%w: %d pieces", ErrWeights, pieces)
	case slots <= pieces || slots&(slots-1) != 0:
		return nil, fmt.Errorf("%w: %d slots for %d pieces", ErrWeights, slots, pieces)
	}
	v := &m.vocabulary
	v.starts = f.words(pieces + 1)
	v.text = f.section(f.Sizes[6])
	v.slots = f.section(2 * slots)
	v.mask = uint64(slots - 1)
	m.rowScale = f.Floats(pieces)
	m.rows = f.section(pieces * m.width)
	m.read(f)
	if err := f.Done(); err != nil {
		return nil, err
	}
	return m, v.check()
}

// shape takes over the sizes, all of which the kernels rely on.
func (m *stack) shape(sizes [8]int) error {
	layers := sizes[0]
	m.width, m.heads, m.inner, m.positions = sizes[1], sizes[2], sizes[3], sizes[4]
	switch {
	case layers < 1 || layers > maxLayers:
		return fmt.Errorf("%w: %d layers", ErrWeights, layers)
	case m.width < 64 || m.width > maxWidth || m.width%64 != 0:
		return fmt.Errorf("%w: width %d", ErrWeights, m.width)
	case m.inner < 64 || m.inner > maxWidth || m.inner%64 != 0:
		return fmt.Errorf("%w: inner width %d", ErrWeights, m.inner)
	case m.heads < 1 || m.width%m.heads != 0 || m.width/m.heads%8 != 0:
		return fmt.Errorf("%w: %d heads of a width of %d", ErrWeights, m.heads, m.width)
	case m.positions < 2 || m.positions > maxPositions:
		return fmt.Errorf("%w: %d positions", ErrWeights, m.positions)
	}
	m.layers = make([]layer, layers)
	return nil
}

// read takes the sections in their order.
func (m *stack) read(f *File) {
	m.places = f.Floats(m.positions * m.width)
	m.norm = f.norm(m.width)
	for i := range m.layers {
		l := &m.layers[i]
		l.attend = f.matrix(3*m.width, m.width)
		l.mix = f.matrix(m.width, m.width)
		l.mixNorm = f.norm(m.width)
		l.up = f.matrix(m.inner, m.width)
		l.down = f.matrix(m.width, m.inner)
		l.downNorm = f.norm(m.width)
	}
}
