package acts

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/acts/feature"
	"github.com/slotway/slotway/classifier/internal/modelfile"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

// Model is a trained model. It does not change and is safe for concurrent use.
type Model struct {
	tables     *tables
	fold       func(string) string // how a clause is read
	vocabulary *feature.Vocabulary
	features   []uint32 // their hashes, shortened, ascending
	rows       []row
	scale      [message.NumActs]float32
	bias       [message.NumActs]float32
	slots      []int32 // of the hash table over features: row+1
}

// row is the weights of a feature, one byte an act, 128 for 0. The last bytes are unused.
type row [lanes * 8]uint8

const (
	lanes = 4 // words of 8 bytes in a row
	zero  = 128
)

// Weights holds the weights that training found, before they are rounded to bytes.
type Weights struct {
	Words    []string
	Features []uint64
	Values   [][message.NumActs]float32 // by feature
	Bias     [message.NumActs]float32
}

// Encode rounds weights to bytes and returns them as a model file.
func Encode(w *Weights) []byte {
	var scale [message.NumActs]float32
	for _, v := range w.Values {
		for a, x := range v {
			scale[a] = max(scale[a], float32(math.Abs(float64(x))/127))
		}
	}
	order := make([]int, len(w.Features))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(int64(short(w.Features[a])) - int64(short(w.Features[b]))) })
	words := strings.Join(w.Words, "\n")
	out := modelfile.AppendUint32s([]byte(magic), uint32(len(words)), uint32(len(order)))
	out = append(out, words...)
	for a := range scale {
		out = modelfile.AppendFloat32s(out, scale[a], w.Bias[a])
	}
	for _, i := range order {
		out = modelfile.AppendUint32s(out, short(w.Features[i]))
	}
	for _, i := range order {
		for a, x := range w.Values[i] {
			q := 0.0
			if scale[a] > 0 {
				q = math.Round(float64(x / scale[a]))
			}
			out = append(out, uint8(q+zero))
		}
	}
	return out
}

// short returns the part of a feature's hash that a model keeps.
func short(h uint64) uint32 { return uint32(h >> 32) }

const magic = "slotway-acts-1\n"

var errModel = errors.New("acts: this is no model file")

// Decode reads the model file of a language. The tables of that language belong to the model.
func Decode(tag string, data []byte) (*Model, error) {
	const acts = int(message.NumActs)
	body, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errModel
	}
	r := modelfile.Reader{Rest: body}
	words, n := r.Count(), r.Count()
	vocabulary := string(r.Take(words))
	m := &Model{tables: tablesOf(tag), fold: folding(language.Base(tag))}
	m.vocabulary = feature.NewVocabulary(strings.Split(vocabulary, "\n"))
	for a := range acts {
		m.scale[a], m.bias[a] = r.Float32(), r.Float32()
	}
	m.features = r.Uint32s(n)
	weights := r.Items(n, acts)
	if r.Bad || len(r.Rest) > 0 {
		return nil, errModel
	}
	m.rows = make([]row, n)
	for i := range m.rows {
		copy(m.rows[i][:], weights[i*acts:(i+1)*acts])
	}
	m.index()
	return m, nil
}

// index builds the hash table over the features.
func (m *Model) index() {
	size := 64
	for size < 2*len(m.features) {
		size *= 2
	}
	m.slots = make([]int32, size)
	for i, h := range m.features {
		at := h & uint32(size-1)
		for m.slots[at] != 0 {
			at = (at + 1) & uint32(size-1)
		}
		m.slots[at] = int32(i + 1)
	}
}

// row finds the weights of a feature; nil: it has none.
func (m *Model) row(h uint32) *row {
	mask := uint32(len(m.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		i := m.slots[at]
		if i == 0 {
			return nil
		}
		if m.features[i-1] == h {
			return &m.rows[i-1]
		}
	}
}

// score sums the weights of features. Eight bytes are summed at a time: those in even and
// those in odd places of a word, in 16 bits each.
func (m *Model) score(features []uint64) message.Acts {
	const even = 0x00FF00FF00FF00FF
	var sums [2 * lanes]uint64
	n := 0
	for _, h := range features {
		r := m.row(short(h))
		if r == nil {
			continue
		}
		n++
		for l := range lanes {
			w := binary.LittleEndian.Uint64(r[8*l:])
			sums[2*l] += w & even
			sums[2*l+1] += w >> 8 & even
		}
	}
	var out message.Acts
	for a := range out {
		sum := sums[a/8*2+a%2] >> (16 * (a % 8 / 2)) & 0xFFFF
		out[a] = sigmoid(float32(int(sum)-zero*n)*m.scale[a] + m.bias[a])
	}
	return out
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
