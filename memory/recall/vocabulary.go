package recall

import (
	"bytes"
	"math"
	"slices"
	"sync"
)

// localEmbedder is an embedded model: words are embedded as they occur, so that a question finds
// words near in meaning to its own.
type localEmbedder interface {
	// EmbedInto writes the vector of a text, of length 1 or zero.
	EmbedInto(dst []float32, text string)
}

// Limits of what counts as near in meaning.
const (
	nearCosine = .5  // between the vectors of two words
	nearWords  = 10  // for one word of a question
	nearFar    = 187 // bits of 512 in which signatures may differ: 1.5 standard deviations above the distance at nearCosine
	nearCached = 4096
)

// relatedTerm is a term with about the same meaning as a word.
type relatedTerm struct {
	term uint32
	cos  float32
}

// vocabulary finds the index's terms that mean about the same as a word. It keeps signatures and
// the words; vectors are made again for the few candidates.
type vocabulary struct {
	embed    localEmbedder
	turn     *rotation
	terms    []uint32
	words    []string // as first seen
	signs    []uint64
	vec, buf []float32 // scratch of add

	mu    sync.Mutex // guards the fields below, which searches share
	cache map[string]nearest

	asked, other, turned []float32 // scratch of near
	sign                 []uint64
}

// nearest is a result among the first upTo terms of the vocabulary.
type nearest struct {
	list []relatedTerm
	upTo int
}

func newVocabulary(embed localEmbedder, dim int) *vocabulary {
	v := &vocabulary{embed: embed, turn: newRotation(dim, signWords), cache: map[string]nearest{}}
	v.vec, v.buf = make([]float32, dim), make([]float32, v.turn.size)
	v.asked, v.other, v.turned = make([]float32, dim), make([]float32, dim), make([]float32, v.turn.size)
	v.sign = make([]uint64, signWords)
	return v
}

// add adds a term with the word that it is the stem of.
func (v *vocabulary) add(term uint32, word []byte) {
	if len(word) < 2 || word[0] < 'a' || bytes.ContainsFunc(word, func(r rune) bool { return r >= '0' && r <= '9' }) {
		return
	}
	w := string(word)
	v.embed.EmbedInto(v.vec, w)
	if IsZero(v.vec) {
		return
	}
	v.terms = append(v.terms, term)
	v.words = append(v.words, w)
	n := len(v.signs)
	v.signs = extend(v.signs, n+signWords)
	v.turn.sign(v.signs[n:], v.vec, v.buf)
}

// near returns the terms nearest to a word, the nearest first. The word's own term may be among
// them.
func (v *vocabulary) near(word []byte) []relatedTerm {
	if len(word) < 2 {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	known := v.cache[string(word)]
	if known.upTo == len(v.terms) {
		return known.list
	}
	w := string(word)
	list := v.search(slices.Clone(known.list), w, known.upTo)
	slices.SortStableFunc(list, func(a, b relatedTerm) int {
		switch {
		case a.cos > b.cos:
			return -1
		case a.cos < b.cos:
			return 1
		}
		return 0
	})
	list = list[:min(len(list), nearWords+1)]
	if len(v.cache) >= nearCached {
		clear(v.cache)
	}
	v.cache[w] = nearest{list, len(v.terms)}
	return list
}

// search appends the terms near to a word, beginning at number from. The caller holds v.mu.
func (v *vocabulary) search(list []relatedTerm, word string, from int) []relatedTerm {
	v.embed.EmbedInto(v.asked, word)
	if IsZero(v.asked) {
		return list
	}
	v.turn.sign(v.sign, v.asked, v.turned)
	sign := (*[signWords]uint64)(v.sign)
	for i := from; i < len(v.terms); i++ {
		if !within(sign, (*[signWords]uint64)(v.signs[i*signWords:]), nearFar) {
			continue
		}
		v.embed.EmbedInto(v.other, v.words[i])
		if cos := dot(v.asked, v.other); cos >= nearCosine {
			list = append(list, relatedTerm{v.terms[i], cos})
		}
	}
	return list
}

func dot(a, b []float32) float32 {
	var sum float32
	for i := range a {
		sum += a[i] * b[i]
	}
	if math.IsNaN(float64(sum)) {
		return 0
	}
	return sum
}
