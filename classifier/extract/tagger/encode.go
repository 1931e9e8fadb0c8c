package tagger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// Version is that of what a model is made of. It changes whenever features, training or
// the encoding change, so that a stored model is never read with other eyes than it was
// written with.
const Version = 2

// magic opens every encoded model.
const magic = "slotway tagger\n"

// castagnoli is the polynomial of the checksum, RFC 3720.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(m.unit))
	b = appendCount(b, len(m.tags))
	for i, tag := range m.tags {
		b = append(appendCount(b, len(tag)), tag...)
		b = appendCount(b, m.spans[i])
	}
	b = appendCount(b, len(m.pairs))
	for _, p := range m.pairs {
		b = appendCount(appendCount(b, int(p[0])), int(p[1]))
	}
	for _, n := range m.longest {
		b = appendCount(b, n)
	}
	for _, w := range m.trans {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(w))
	}
	b = m.known.append(b)
	b = appendCount(appendCount(b, len(m.store.slots)), len(m.store.rows))
	for _, s := range m.store.slots {
		b = binary.LittleEndian.AppendUint32(b, s.check)
		b = binary.LittleEndian.AppendUint32(b, s.at)
	}
	for _, x := range m.store.rows {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	b = m.appendSenses(b)
	binary.LittleEndian.PutUint32(b[sum:], crc32.Checksum(b[body:], castagnoli))
	return b, nil
}

func appendCount(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// append encodes what the gazetteer knows, in the order in which it was learned. How
// often each value was seen is of use in training only.
func (g *gazetteer) append(b []byte) []byte {
	b = appendCount(b, len(g.phrase))
	for i, key := range g.index.byValue() {
		b = binary.LittleEndian.AppendUint64(b, key)
		b = appendCount(b, len(g.phrase[i].tags))
		for _, tag := range g.phrase[i].tags {
			b = appendCount(b, int(tag))
		}
	}
	b = appendCount(b, len(g.length))
	for i, key := range g.first.byValue() {
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
	if len(data) < head+4 || binary.LittleEndian.Uint32(data[head:]) != crc32.Checksum(data[head+4:], castagnoli) {
		return nil, ErrDamaged
	}
	return decodeBody(data[head+4:], v)
}

// decodeBody reads what the checksum covers. It trusts no length: data may be made up.
func decodeBody(data []byte, v Vectors) (*Model, error) {
	r := reader{data: data}
	m := &Model{number: map[string]int32{}, known: newGazetteer()}
	m.prepare()
	m.unit = math.Float32frombits(r.uint32())
	for i := range r.count(2) {
		tag := string(r.take(r.count(1)))
		m.tags, m.self = append(m.tags, tag), append(m.self, int32(i))
		m.number[tag] = int32(i)
		m.spans = append(m.spans, r.number())
	}
	for range r.count(2) {
		m.pairs = append(m.pairs, [2]int32{r.below(len(m.tags)), r.below(len(m.tags))})
	}
	if r.bad || len(m.number) != len(m.tags) || m.params() > mostParams || !(m.unit > 0) {
		return nil, ErrDamaged
	}
	for range m.params() {
		m.longest = append(m.longest, r.number())
	}
	tags := 1 + 2*m.params()
	trans := r.take(4 * tags * tags)
	for i := range len(trans) / 4 {
		m.trans = append(m.trans, math.Float32frombits(binary.LittleEndian.Uint32(trans[4*i:])))
	}
	r.gazetteer(m.known, m.params())
	m.store = r.store()
	if err := r.senses(m, v); err != nil {
		return nil, err
	}
	if r.bad || len(r.data) > 0 || !m.store.sound(tags) {
		return nil, ErrDamaged
	}
	return m, nil
}

// reader takes pieces off the front of data. Once bad, it gives zeros.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.bad, r.data = true, nil
		return nil
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out
}

func (r *reader) uint32() uint32 {
	if b := r.take(4); len(b) == 4 {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); len(b) == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) number() int {
	x, n := binary.Uvarint(r.data)
	if n <= 0 || x > math.MaxInt32 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return int(x)
}

// count is a number of things of at least size bytes each that follow.
func (r *reader) count(size int) int {
	n := r.number()
	if n > len(r.data)/size {
		r.bad, r.data = true, nil
		return 0
	}
	return n
}

// below is a number less than n.
func (r *reader) below(n int) int32 {
	x := r.number()
	if x >= n {
		r.bad = true
		return 0
	}
	return int32(x)
}

func (r *reader) gazetteer(g *gazetteer, params int) {
	n := r.count(9)
	g.index = newTable(n)
	for i := range n {
		if g.index.put(r.uint64(), int32(i)) != int32(i) {
			r.bad = true // the same value twice
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
	g.first = newTable(n)
	for i := range n {
		if g.first.put(r.uint64(), int32(i)) != int32(i) {
			r.bad = true
		}
		g.length = append(g.length, min(r.number(), longestPhrase))
	}
}

func (r *reader) store() *store {
	slots := r.count(8)
	rows := r.number()
	if slots&(slots-1) != 0 || slots == 0 || len(r.data)/8 < slots || (len(r.data)-8*slots)/4 < rows {
		r.bad = true
		return &store{}
	}
	s := &store{slots: make([]slot, slots), rows: make([]uint32, rows)}
	b := r.take(8 * slots)
	for i := range s.slots {
		s.slots[i] = slot{binary.LittleEndian.Uint32(b[8*i:]), binary.LittleEndian.Uint32(b[8*i+4:])}
	}
	b = r.take(4 * rows)
	for i := range s.rows {
		s.rows[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return s
}
