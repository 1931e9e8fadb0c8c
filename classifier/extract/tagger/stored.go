package tagger

import (
	"github.com/slotway/slotway/classifier/internal/hashing"
	"github.com/slotway/slotway/classifier/internal/modelfile"
)

// Version is the version of features and training. It is raised with every change of them, so that
// a stored model is only used by the code that trained it.
const Version = 3

// Stored is a model as a cache keeps it: plain data, without the vectors that it was trained with.
// Equal models give equal data.
type Stored struct {
	Version     int
	Tags        []string // sorted
	Spans       []int    // by tag, in training
	Pairs       [][2]int32
	Unit        float32
	Transitions modelfile.Packed[float32]
	Phrases     []StoredPhrase // in the order in which they were learned
	First       modelfile.Packed[uint64]
	Longest     []int // by first word
	Slots       modelfile.Packed[uint64]
	Rows        modelfile.Packed[uint32]
	Vectors     string // their name; "" for none
	Width       int
	Senses      modelfile.Packed[float32]
	Bias, Slope float64
	ByTag       []float64
}

// StoredPhrase is a known value, the params that had it, and how often each did.
type StoredPhrase struct {
	Key          uint64
	Tags, Counts []int32
}

// Stored returns the model's data, nil for a nil model. It shares slices with the model.
func (m *Model) Stored() *Stored {
	if m == nil {
		return nil
	}
	s := &Stored{
		Version: Version, Tags: m.tags, Spans: m.spans, Pairs: m.pairs, Unit: m.unit, Transitions: m.trans,
		First: m.known.first.ByValue(), Longest: m.known.length, Rows: m.store.rows,
		Width: m.width, Senses: m.senses, Bias: m.curve.bias, Slope: m.curve.slope, ByTag: m.curve.byTag,
	}
	for i, key := range m.known.index.ByValue() {
		s.Phrases = append(s.Phrases, StoredPhrase{key, m.known.phrase[i].tags, m.known.phrase[i].counts})
	}
	for _, slot := range m.store.slots {
		s.Slots = append(s.Slots, uint64(slot.check)<<32|uint64(slot.at))
	}
	if m.vectors != nil {
		s.Vectors = m.vectors.Model()
	}
	return s
}

// Restore makes a model of its data, which it goes on to use. v are the vectors that the model was
// trained with, nil where there were none. It returns [ErrForeign] for a model of another version
// or of other vectors. The data itself is trusted: a checksum guards it where it is kept.
func Restore(s *Stored, v Vectors) (*Model, error) {
	if s.Version != Version || !matches(s, v) {
		return nil, ErrForeign
	}
	m := &Model{
		tags: s.Tags, spans: s.Spans, pairs: s.Pairs, unit: s.Unit, trans: s.Transitions, number: map[string]int32{},
		known: &gazetteer{index: hashing.NewTable(len(s.Phrases)), first: hashing.NewTable(len(s.First)), length: s.Longest},
		store: &store{rows: s.Rows}, width: s.Width, senses: s.Senses, vectors: v,
		curve: curve{s.Bias, s.Slope, s.ByTag},
	}
	m.prepare()
	for i, tag := range s.Tags {
		m.number[tag], m.self = int32(i), append(m.self, int32(i))
	}
	for i, p := range s.Phrases {
		m.known.index.Put(p.Key, int32(i))
		m.known.phrase = append(m.known.phrase, phrase{p.Tags, p.Counts})
	}
	for i, key := range s.First {
		m.known.first.Put(key, int32(i))
	}
	for _, packed := range s.Slots {
		m.store.slots = append(m.store.slots, slot{uint32(packed >> 32), uint32(packed)})
	}
	return m, nil
}

func matches(s *Stored, v Vectors) bool {
	if v == nil {
		return s.Vectors == ""
	}
	return s.Vectors == v.Model() && s.Width == width(v)
}
