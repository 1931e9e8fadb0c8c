package encoder

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

const (
	headerBytes  = 128
	sizesAt      = 8
	checksumAt   = 40
	nameAt       = 44
	sectionAlign = 64
)

// File takes the sections of a file of weights in their order. The format is described in doc.go.
type File struct {
	Name     string
	Checksum uint32
	Sizes    [8]int // what the header says; what each means is the reader's

	data  []byte
	at    int
	short bool // it was too small
}

// OpenFile checks the magic and the checksum. Every error wraps [ErrWeights].
func OpenFile(data []byte, magic string) (*File, error) {
	if len(data) < headerBytes || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: no header", ErrWeights)
	}
	f := &File{data: data, at: headerBytes, Checksum: binary.LittleEndian.Uint32(data[checksumAt:])}
	sum := crc32.Update(crc32.ChecksumIEEE(data[:checksumAt]), crc32.IEEETable, data[nameAt:])
	if sum != f.Checksum {
		return nil, fmt.Errorf("%w: checksum %08x, the header says %08x", ErrWeights, sum, f.Checksum)
	}
	name, _, _ := bytes.Cut(data[nameAt:headerBytes], []byte{0})
	f.Name = string(name)
	for i := range f.Sizes {
		f.Sizes[i] = int(binary.LittleEndian.Uint32(data[sizesAt+4*i:]))
	}
	return f, nil
}

// Done reports whether the sections that were taken are those of the file.
func (f *File) Done() error {
	if f.short || f.at != len(f.data) {
		return fmt.Errorf("%w: %d bytes do not hold what the header says", ErrWeights, len(f.data))
	}
	return nil
}

// Floats returns the next section, n numbers; none where the file is too small.
func (f *File) Floats(n int) []float32 {
	raw := f.section(4 * n)
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}

// section returns the n bytes of the next section.
func (f *File) section(n int) []byte {
	at := (f.at + sectionAlign - 1) &^ (sectionAlign - 1)
	if f.short || n < 0 || at > len(f.data) || n > len(f.data)-at {
		f.short = true
		return nil
	}
	f.at = at + n
	return f.data[at:f.at:f.at]
}

func (f *File) words(n int) []uint32 {
	raw := f.section(4 * n)
	out := make([]uint32, len(raw)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(raw[4*i:])
	}
	return out
}

func (f *File) norm(n int) normaliser { return normaliser{f.Floats(n), f.Floats(n)} }

func (f *File) matrix(rows, depth int) matrix {
	m := matrix{rows: rows, depth: depth, scale: f.Floats(rows), bias: f.Floats(rows)}
	for _, w := range f.words(rows) {
		m.total = append(m.total, int32(w))
	}
	m.cells = f.section(rows * depth)
	return m
}
