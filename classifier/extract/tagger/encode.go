package tagger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/slotway/slotway/classifier/internal/hashing"
	"github.com/slotway/slotway/classifier/internal/modelfile"
)

// Version is the version of features, training and encoding. It is raised with every change of
// them, so that a stored model is only read by the code that wrote it.
const Version = 3

// magic opens every encoded model.
const magic = "slotway tagger\n"

// AppendBinary appends the model to b, for [Decode]. Equal models give equal bytes. It
// fails for a nil Model only, with [ErrForeign].
func (m *Model) AppendBinary(b []byte) ([]byte, error) {
	if m == nil {
		return b, fmt.Errorf("encode no model: %w", ErrForeign)
	}
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, Version)
	sum := len(b)
	b = append(b, 0, 0, 0, 0)
	body := len(b)
	b = modelfile.AppendFloat32s(b, m.unit)
	b = appendCount(b, len(m.tags))
	for i, tag := range m.tags {
		b = append(appendCount(b, len(tag)), tag...)
		b = appendCount(b, m.spans[i])
	}
	b = appendCount(b, len(m.pairs))
	for _, p := range m.pairs {
		b = appendCount(appendCount(b, int(p[0])), int(p[1]))
	}
	b = modelfile.AppendFloat32s(b, m.trans...)
	b = m.known.append(b)
	b = appendCount(appendCount(b, len(m.store.slots)), len(m.store.rows))
	for _, s := range m.store.slots {
		b = modelfile.AppendUint32s(b, s.check, s.at)
	}
	b = modelfile.AppendUint32s(b, m.store.rows...)
	b = m.appendSenses(b)
	binary.LittleEndian.PutUint32(b[sum:], modelfile.Checksum(b[body:]))
	return b, nil
}

func appendCount(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// append encodes the known values in the order in which they were learned. Their counts are only
// needed in training.
func (g *gazetteer) append(b []byte) []byte {
	b = appendCount(b, len(g.phrase))
	for i, key := range g.index.ByValue() {
		b = binary.LittleEndian.AppendUint64(b, key)
		b = appendCount(b, len(g.phrase[i].tags))
		for _, tag := range g.phrase[i].tags {
			b = appendCount(b, int(tag))
		}
	}
	b = appendCount(b, len(g.length))
	for i, key := range g.first.ByValue() {
		b = binary.LittleEndian.AppendUint64(b, key)
		b = appendCount(b, g.length[i])
	}
	return b
}

// Decode reads a model that AppendBinary wrote. It does not keep data. v are the vectors
// that the model was trained with, nil where there were none. The error is [ErrForeign] or
// [ErrDamaged]; then the model must be trained again.
func Decode(data []byte, v Vectors) (*Model, error) {
	head := len(magic) + 4
	if len(data) < head || !bytes.HasPrefix(data, []byte(magic)) || binary.LittleEndian.Uint32(data[len(magic):]) != Version {
		return nil, ErrForeign
	}
	if len(data) < head+4 || binary.LittleEndian.Uint32(data[head:]) != modelfile.Checksum(data[head+4:]) {
		return nil, ErrDamaged
	}
	return decodeBody(data[head+4:], v)
}

// decodeBody reads what the checksum covers. It trusts no length: data may be made up.
func decodeBody(data []byte, v Vectors) (*Model, error) {
	r := reader{modelfile.Reader{Rest: data}}
	m := &Model{number: map[string]int32{}, known: newGazetteer()}
	m.prepare()
	m.unit = math.Float32frombits(r.Uint32())
	for i := range r.count(2) {
		tag := string(r.Take(r.count(1)))
		m.tags, m.self = append(m.tags, tag), append(m.self, int32(i))
		m.number[tag] = int32(i)
		m.spans = append(m.spans, r.Uvarint())
	}
	for range r.count(2) {
		m.pairs = append(m.pairs, [2]int32{r.below(len(m.tags)), r.below(len(m.tags))})
	}
	if r.Bad || len(m.number) != len(m.tags) || m.params() > mostParams || !(m.unit > 0) {
		return nil, ErrDamaged
	}
	tags := 1 + 2*m.params()
	m.trans = r.Float32s(tags * tags)
	r.gazetteer(m.known, m.params())
	m.store = r.store()
	if err := r.senses(m, v); err != nil {
		return nil, err
	}
	if r.Bad || len(r.Rest) > 0 || !m.store.sound(tags) {
		return nil, ErrDamaged
	}
	return m, nil
}

// reader reads an encoded model.
type reader struct{ modelfile.Reader }

// count is a number of things of at least size bytes each that follow.
func (r *reader) count(size int) int {
	n := r.Uvarint()
	if n > len(r.Rest)/size {
		r.Fail()
		return 0
	}
	return n
}

// below is a number less than n.
func (r *reader) below(n int) int32 {
	x := r.Uvarint()
	if x >= n {
		r.Fail()
		return 0
	}
	return int32(x)
}

func (r *reader) gazetteer(g *gazetteer, params int) {
	n := r.count(9)
	g.index = hashing.NewTable(n)
	for i := range n {
		if g.index.Put(r.Uint64(), int32(i)) != int32(i) {
			r.Fail() // the same value twice
		}
		var p phrase
		for range r.count(1) {
			p.tags = append(p.tags, r.below(params))
		}
		p.counts = make([]int32, len(p.tags))
		for k := range p.counts {
			p.counts[k] = 1
		}
		g.phrase = append(g.phrase, p)
	}
	n = r.count(9)
	g.first = hashing.NewTable(n)
	for i := range n {
		if g.first.Put(r.Uint64(), int32(i)) != int32(i) {
			r.Fail()
		}
		g.length = append(g.length, min(r.Uvarint(), longestPhrase))
	}
}

func (r *reader) store() *store {
	slots := r.count(8)
	rows := r.Uvarint()
	if slots&(slots-1) != 0 || slots == 0 || len(r.Rest)/8 < slots || (len(r.Rest)-8*slots)/4 < rows {
		r.Fail()
		return &store{}
	}
	s := &store{slots: make([]slot, slots)}
	for i := range s.slots {
		s.slots[i] = slot{r.Uint32(), r.Uint32()}
	}
	s.rows = r.Uint32s(rows)
	return s
}
