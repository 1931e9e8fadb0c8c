package encoder

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

const (
	magic        = "SLOTENC1"
	headerBytes  = 128
	sizesAt      = 8
	checksumAt   = 40
	nameAt       = 44
	sectionAlign = 64

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
	idOpen    = 2
	idClose   = 3
	markers   = 4
)

// model is a parsed file. Bytes are parts of the file, numbers are copies.
type model struct {
	name      string
	checksum  uint32
	width     int
	heads     int
	inner     int
	positions int

	vocabulary vocabulary
	rowScale   []float32 // by piece
	rows       []byte    // by piece: width int8
	places     []float32 // by position: width
	norm       normaliser
	layers     []layer
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
	if len(data) < headerBytes || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no header", ErrWeights)
	}
	m := &model{checksum: binary.LittleEndian.Uint32(data[checksumAt:])}
	sum := crc32.Update(crc32.ChecksumIEEE(data[:checksumAt]), crc32.IEEETable, data[nameAt:])
	if sum != m.checksum {
		return nil, fmt.Errorf("%w: checksum %08x, the header says %08x", ErrWeights, sum, m.checksum)
	}
	name, _, _ := bytes.Cut(data[nameAt:headerBytes], []byte{0})
	m.name = string(name)
	var sizes [8]int
	for i := range sizes {
		sizes[i] = int(binary.LittleEndian.Uint32(data[sizesAt+4*i:]))
	}
	if err := m.shape(sizes); err != nil {
		return nil, err
	}
	r := &reader{data: data, at: headerBytes}
	m.read(r, sizes)
	if r.short || r.at != len(data) {
		return nil, fmt.Errorf("%w: %d bytes do not hold what the header says", ErrWeights, len(data))
	}
	return m, m.vocabulary.check()
}

// shape takes over the sizes, all of which the kernels rely on.
func (m *model) shape(sizes [8]int) error {
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
	case sizes[5] <= markers || sizes[5] >= freeSlot:
		return fmt.Errorf("%w: %d pieces", ErrWeights, sizes[5])
	case sizes[7] <= sizes[5] || sizes[7]&(sizes[7]-1) != 0:
		return fmt.Errorf("%w: %d slots for %d pieces", ErrWeights, sizes[7], sizes[5])
	}
	m.layers = make([]layer, layers)
	return nil
}

// read takes the sections in their order.
func (m *model) read(r *reader, sizes [8]int) {
	pieces := sizes[5]
	v := &m.vocabulary
	v.starts = r.words(pieces + 1)
	v.text = r.section(sizes[6])
	v.slots = r.section(2 * sizes[7])
	v.mask = uint64(sizes[7] - 1)
	m.rowScale = r.floats(pieces)
	m.rows = r.section(pieces * m.width)
	m.places = r.floats(m.positions * m.width)
	m.norm = r.norm(m.width)
	for i := range m.layers {
		l := &m.layers[i]
		l.attend = r.matrix(3*m.width, m.width)
		l.mix = r.matrix(m.width, m.width)
		l.mixNorm = r.norm(m.width)
		l.up = r.matrix(m.inner, m.width)
		l.down = r.matrix(m.width, m.inner)
		l.downNorm = r.norm(m.width)
	}
}

// reader takes sections of a file; short says that it was too small.
type reader struct {
	data  []byte
	at    int
	short bool
}

// section returns the n bytes of the next section.
func (r *reader) section(n int) []byte {
	at := (r.at + sectionAlign - 1) &^ (sectionAlign - 1)
	if r.short || n < 0 || at > len(r.data) || n > len(r.data)-at {
		r.short = true
		return nil
	}
	r.at = at + n
	return r.data[at:r.at:r.at]
}

func (r *reader) words(n int) []uint32 {
	raw := r.section(4 * n)
	out := make([]uint32, len(raw)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return out
}

func (r *reader) floats(n int) []float32 {
	raw := r.section(4 * n)
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}

func (r *reader) norm(n int) normaliser { return normaliser{r.floats(n), r.floats(n)} }

func (r *reader) matrix(rows, depth int) matrix {
	m := matrix{rows: rows, depth: depth, scale: r.floats(rows), bias: r.floats(rows)}
	for _, w := range r.words(rows) {
		m.total = append(m.total, int32(w))
	}
	m.cells = r.section(rows * depth)
	return m
}
