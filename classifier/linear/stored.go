package linear

import (
	"fmt"
	"math"

	"github.com/slotway/slotway/classifier/internal/hashing"
	"github.com/slotway/slotway/classifier/internal/modelfile"
)

// Version of the trainer. It is raised whenever features, training or calibration
// change, so that the same examples would give another model.
const Version = 8

// Stored is a model as a cache keeps it: plain data, without the embedder, the dictionary and the
// encoder that it was trained with. Equal models give equal data.
type Stored struct {
	Version    int
	Intents    []string // sorted
	Top        int
	Length     float64
	Curve      StoredCurve
	Language   string
	Embedder   string // its name; "" for none
	Dimension  int
	Dictionary bool // common words took part
	Own        []StoredWord
	Features   modelfile.Packed[uint64] // hashes, in the order of their weights
	IDF        modelfile.Packed[float32]
	Groups     []uint8
	MostIDF    float32
	Bias       modelfile.Packed[float32] // by intent, as the scales
	Scale      [2]modelfile.Packed[float32]
	Cells      [2]modelfile.Packed[uint64] // weights of features and of dimensions, a row each
	Near       *StoredNeighbours           // nil: no vectors of examples are kept
	Second     *Stored                     // nil: there is no second model
}

// StoredCurve is a calibration.
type StoredCurve struct {
	Reject, Accept, Median, Floor float64
	Weighed                       bool
}

// StoredWord is a word of the examples, and in how many it stands.
type StoredWord struct {
	Text string
	Docs int32
}

// StoredNeighbours are the vectors of examples, each number in steps of 1/127.
type StoredNeighbours struct {
	Width        int
	From         []int32 // by intent, where its vectors begin; then where all end
	Mean, Spread float64
	Class        []float64 // mean similarity by intent
	Steps        modelfile.Packed[int8]
}

// Stored returns the model's data. It shares slices with the model.
func (m *Model) Stored() *Stored {
	v := m.vocabulary
	s := &Stored{
		Version: Version, Intents: m.intents, Top: m.top, Length: m.length,
		Curve:    StoredCurve{m.curve.reject, m.curve.accept, m.curve.median, m.curve.floor, m.curve.weighed},
		Language: v.speech.tag, Dictionary: v.spell.common != nil,
		Features: v.table.ByValue(), IDF: v.idf, Groups: v.group, MostIDF: v.max, Bias: m.bias,
		Scale: [2]modelfile.Packed[float32]{m.sparse.scale, m.dense.scale},
		Cells: [2]modelfile.Packed[uint64]{m.sparse.cells, m.dense.cells},
		Near:  m.near.stored(),
	}
	if m.embedder != nil {
		s.Embedder, s.Dimension = m.embedder.Model(), m.embedder.Dimension()
	}
	for _, w := range v.spell.words {
		s.Own = append(s.Own, StoredWord{w.text, w.docs})
	}
	if m.second != nil {
		s.Second = m.second.Stored()
	}
	return s
}

func (n *neighbours) stored() *StoredNeighbours {
	if n == nil {
		return nil
	}
	s := &StoredNeighbours{Width: n.width, From: n.from, Mean: n.mean, Spread: n.spread, Class: n.class, Steps: make([]int8, len(n.vectors))}
	for i, x := range n.vectors {
		s.Steps[i] = int8(math.Round(float64(x) * steps))
	}
	return s
}

// Parts are what a stored model does not contain. The zero value suits a model that was trained
// without any of them.
type Parts struct {
	Embedder   Embedder   // the one that the model was trained with
	Dictionary Dictionary // likewise
	Encoder    Embedder   // likewise, of the second model
}

// Restore makes a model of its data, which it goes on to use. It returns ErrForeign for a model of
// another version or of other parts. The data itself is trusted: a checksum guards it where it is
// kept.
func Restore(s *Stored, parts Parts) (*Model, error) {
	switch {
	case s.Version != Version:
		return nil, fmt.Errorf("%w: trainer %d", ErrForeign, s.Version)
	case !matches(parts.Embedder, s):
		return nil, fmt.Errorf("%w: embedder of %d dimensions expected", ErrForeign, s.Dimension)
	case s.Dictionary != (parts.Dictionary != nil):
		return nil, fmt.Errorf("%w: trained with a dictionary: %t", ErrForeign, s.Dictionary)
	case (s.Second != nil) != (parts.Encoder != nil):
		return nil, fmt.Errorf("%w: trained with an encoder: %t", ErrForeign, s.Second != nil)
	}
	words := make(map[string]int32, len(s.Own))
	for _, w := range s.Own {
		words[w.Text] = w.Docs
	}
	classes := len(s.Intents)
	width := (classes + lanes - 1) / lanes
	m := &Model{
		intents: s.Intents, classes: classes, top: s.Top, length: s.Length, bias: s.Bias, embedder: parts.Embedder,
		curve:  curve{s.Curve.Reject, s.Curve.Accept, s.Curve.Median, s.Curve.Floor, s.Curve.Weighed},
		sparse: matrix{width, s.Cells[0], s.Scale[0]},
		dense:  matrix{width, s.Cells[1], s.Scale[1]},
		near:   s.Near.neighbours(),
		vocabulary: &vocabulary{
			table: hashing.NewTable(len(s.Features)), idf: s.IDF, group: s.Groups, max: s.MostIDF,
			spell: newSpeller(words, parts.Dictionary), speech: speechOf(s.Language),
		},
	}
	m.pool.New = func() any { return new(scratch) }
	for f, h := range s.Features {
		m.vocabulary.table.Put(h, int32(f))
	}
	if s.Second == nil {
		return m, nil
	}
	var err error
	if m.second, err = Restore(s.Second, Parts{Embedder: parts.Encoder, Dictionary: parts.Dictionary}); err != nil {
		return nil, fmt.Errorf("second model: %w", err)
	}
	return m, nil
}

func matches(e Embedder, s *Stored) bool {
	if s.Dimension == 0 {
		return e == nil
	}
	return e != nil && e.Model() == s.Embedder && e.Dimension() == s.Dimension
}

func (s *StoredNeighbours) neighbours() *neighbours {
	if s == nil {
		return nil
	}
	n := &neighbours{width: s.Width, from: s.From, mean: s.Mean, spread: s.Spread, class: s.Class, vectors: make([]float32, len(s.Steps))}
	for i, x := range s.Steps {
		n.vectors[i] = fine(float64(x) / steps)
	}
	return n
}
