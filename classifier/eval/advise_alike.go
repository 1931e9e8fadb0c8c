package eval

import (
	"math"
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/linear"
)

// likeness measures how much two examples are alike: by their words and the letters of these, rare
// ones more than frequent ones, and by their vectors where there are any.
type likeness struct {
	terms []map[string]float64 // of length 1, by example
	dense [][]float32          // of length 1 or 0; nil: no vectors
}

func newLikeness(texts []string, e linear.Embedder) *likeness {
	l := &likeness{terms: make([]map[string]float64, len(texts))}
	in := map[string]int{} // examples that have a term
	for i, text := range texts {
		l.terms[i] = termsOf(text)
		for t := range l.terms[i] {
			in[t]++
		}
	}
	for _, terms := range l.terms {
		square := 0.0
		for t, n := range terms {
			terms[t] = n * math.Log(1+float64(len(texts))/float64(in[t]))
			square += terms[t] * terms[t]
		}
		for t := range terms {
			terms[t] /= math.Sqrt(square)
		}
	}
	if e == nil {
		return l
	}
	l.dense = make([][]float32, len(texts))
	for i, text := range texts {
		l.dense[i] = make([]float32, e.Dimension())
		e.EmbedInto(l.dense[i], text)
	}
	return l
}

// of is 1 for examples that say the same, and 0 for those that share nothing.
func (l *likeness) of(i, j int) float64 {
	a, b := l.terms[i], l.terms[j]
	if len(b) < len(a) {
		a, b = b, a
	}
	words := 0.0
	for t, w := range a {
		words += w * b[t]
	}
	if l.dense == nil {
		return words
	}
	meaning := 0.0
	for d, v := range l.dense[i] {
		meaning += float64(v) * float64(l.dense[j][d])
	}
	return (words + max(meaning, 0)) / 2
}

// nearest returns the n examples that are most like one, best first, with their likeness.
func (l *likeness) nearest(to int, among []int, n int) (at []int, alike []float64) {
	for _, i := range among {
		if i == to {
			continue
		}
		like := l.of(to, i)
		k := len(at)
		for k > 0 && alike[k-1] < like {
			k--
		}
		if k == n {
			continue
		}
		at, alike = append(at, 0), append(alike, 0)
		copy(at[k+1:], at[k:])
		copy(alike[k+1:], alike[k:])
		at[k], alike[k] = i, like
		at, alike = at[:min(n, len(at))], alike[:min(n, len(alike))]
	}
	return at, alike
}

// spoken returns the words of a text in lower case.
func spoken(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}

// termsOf counts the words of a text and every three letters in a row within them.
func termsOf(text string) map[string]float64 {
	out := map[string]float64{}
	for _, w := range spoken(text) {
		out["="+w]++
		r := []rune(" " + w + " ")
		for i := 0; i+3 <= len(r); i++ {
			out[string(r[i:i+3])] += 0.5
		}
	}
	return out
}
