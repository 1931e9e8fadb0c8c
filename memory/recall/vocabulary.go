package recall

import (
	"bytes"
	"math"
	"slices"
	"sync"
)

// localEmbedder is an Embedder that costs next to nothing: words are embedded as they are
// met, so that a question finds words near in meaning to its own.
type localEmbedder interface {
	// EmbedInto writes the vector of a text, of length 1 or zero.
	EmbedInto(dst []float32, text string)
}

// What counts as near in meaning.
const (
	nearCosine = .5  // between the vectors of two words
	nearWords  = 10  // at most, to one word of a question
	nearFar    = 187 // bits of 512 that signatures may differ in: 1.5 deviations above what nearCosine makes of them
	nearCached = 4096
)

// relatedTerm is a term that means about the same as a word.
type relatedTerm struct {
	term uint32
	cos  float32
}

// vocabulary finds the index's terms that mean about the same as a word. Only signatures
// and the words themselves are kept: vectors are made again for the few that may be near.
type vocabulary struct {
	embed    localEmbedder
	turn     *rotation
	terms    []uint32
	words    []string // as first met
	signs    []uint64
	vec, buf []float32 // scratch of add

	mu    sync.Mutex // guards what follows: searches share it
	cache map[string]nearest

	asked, other, turned []float32 // scratch of near
	sign                 []uint64
}

// nearest is what was found among the first terms of the vocabulary.
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

// add enters a new term with the word that it is the stem of.
func (v *vocabulary) add(term uint32, word []byte) {
	if len(word) < 2 || word[0] < 'a' || bytes.ContainsFunc(word, func(r rune) bool { return r >= '0' && r <= '9' }) {
		return
	}
	w := string(word)
	v.embed.EmbedInto(v.vec, w)
	if !slices.ContainsFunc(v.vec, func(a float32) bool { return a != 0 }) {
		return
	}
	v.terms = append(v.terms, term)
	v.words = append(v.words, w)
	n := len(v.signs)
	v.signs = extend(v.signs, n+signWords)
	v.turn.sign(v.signs[n:], v.vec, v.buf)
}

// near lists the terms nearest to a word, the nearest first. The term of the word itself
// may be among them.
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

// keep drops the terms that are gone and renumbers the others.
func (v *vocabulary) keep(termAt []uint32) {
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.cache)
	n := 0
	for i, t := range v.terms {
		if termAt[t] == noTerm {
			continue
		}
		v.terms[n], v.words[n] = termAt[t], v.words[i]
		copy(v.signs[n*signWords:], v.signs[i*signWords:(i+1)*signWords])
		n++
	}
	clear(v.words[n:])
	v.terms, v.words, v.signs = v.terms[:n], v.words[:n], v.signs[:n*signWords]
}

// search appends the terms from number from on that are near to a word. v.mu is held.
func (v *vocabulary) search(list []relatedTerm, word string, from int) []relatedTerm {
	v.embed.EmbedInto(v.asked, word)
	if !slices.ContainsFunc(v.asked, func(a float32) bool { return a != 0 }) {
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
