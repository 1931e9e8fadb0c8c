package tagger

import (
	"strings"

	"github.com/slotway/slotway/classifier/internal/hashing"
)

// scales holds the training weights of a word's vector against 1 for every other feature: for the
// direction that each param learns for itself, and for the likeness to a param's name and values,
// whose weight all params share.
type scales struct{ own, alike float32 }

// The fewer the examples, the more the meaning of words has to carry of what they have not
// shown. With the great scales SNIPS in full loses 0.4 points, with the small ones SNIPS at
// ten examples an intent 1.5.
var (
	fewScales  = scales{2, 1.5}
	manyScales = scales{1, 1}
)

// smallSet is the greatest number of examples that count as few.
const smallSet = 2000

// alike are the likenesses of a word to a param.
const (
	toName   = iota // to the words of the param's name: "city", "music item"
	toValues        // to the mean of its values in training
	alikes
)

// senses learns the relation between the vectors of words and the params. Three values are too few
// to learn a direction for a param; the weight of being like its name or values is learned from all
// params together.
type senses struct {
	vectors Vectors
	scales
	width  int
	index  *hashing.Table // words, by the hash of their lower-case form
	words  []float32      // by word, its vector
	drawn  []average      // of outside and of each param: a direction
	shared average        // by alike
	names  []float32      // by param, the vector of its name
	sums   []float32      // by param, the sum of its values' vectors
	whole  []float32      // working memory
}

// average is a row of weights and their changes times the moment, as update is of one.
type average struct {
	w []float32
	u []float64
}

func newAverage(n int) average { return average{make([]float32, n), make([]float64, n)} }

// change adds by times x.
func (a *average) change(x []float32, by float32, moment float64) {
	for i, v := range x {
		d := float32(by * v)
		a.w[i] += d
		a.u[i] += float64(moment * float64(d))
	}
}

// settled is the mean of weight i over all moments.
func (a *average) settled(i int, moment float64) float64 {
	return float64(a.w[i]) - float64(a.u[i]/(moment+1))
}

func newSenses(m *Model, v Vectors, examples int) *senses {
	n := width(v)
	s := &senses{vectors: v, scales: manyScales, width: n, index: hashing.NewTable(0), shared: newAverage(alikes)}
	if examples <= smallSet {
		s.scales = fewScales
	}
	if n == 0 {
		return s
	}
	s.whole = make([]float32, v.Dimension())
	s.names = make([]float32, n*m.params())
	s.sums = make([]float32, n*m.params())
	for range m.params() + 1 {
		s.drawn = append(s.drawn, newAverage(n))
	}
	for p := range m.params() {
		var names []string
		for _, k := range m.parts(int32(p)) {
			names = append(names, m.tags[k])
		}
		lookUp(v, s.of(s.names, p), s.whole, spaced.Replace(strings.Join(names, " ")))
	}
	return s
}

// spaced makes words of a name.
var spaced = strings.NewReplacer("_", " ", ".", " ", "-", " ")

// of is the vector of the i-th thing in a list of vectors.
func (s *senses) of(list []float32, i int) []float32 { return list[i*s.width : (i+1)*s.width] }

// value adds a marked value to the sum of its param's values.
func (s *senses) value(text string, param int32, by float32) {
	if s.width == 0 {
		return
	}
	v := make([]float32, s.width)
	lookUp(s.vectors, v, s.whole, text)
	sum := s.of(s.sums, int(param))
	for i := range sum {
		sum[i] += by * v[i]
	}
}

// look gives the words of a sentence their numbers, and for every token and allowed param
// its likenesses. own are the sentence's own values, which the likeness leaves out, as the
// gazetteer does.
func (s *senses) look(in *sentence, own []gold) (words []int32, like []float32) {
	if s.width == 0 {
		return nil, nil
	}
	for i := range in.tokens {
		words = append(words, s.word(&in.tokens[i]))
	}
	for _, g := range own {
		s.value(in.said(g), g.param, -1)
	}
	like = make([]float32, 0, len(words)*len(in.params)*alikes)
	means := make([]float32, len(in.params)*s.width)
	for k, p := range in.params {
		mean := s.of(means, k)
		copy(mean, s.of(s.sums, int(p)))
		unit(mean)
	}
	for _, w := range words {
		v := s.of(s.words, int(w))
		for k, p := range in.params {
			like = append(like, dot(v, s.of(s.names, int(p))), dot(v, s.of(means, k)))
		}
	}
	for _, g := range own {
		s.value(in.said(g), g.param, 1)
	}
	return words, like
}

func (s *senses) word(t *token) int32 {
	w := s.index.Put(t.low, int32(s.index.Len()))
	if int(w)*s.width == len(s.words) {
		s.words = append(s.words, make([]float32, s.width)...)
		lookUp(s.vectors, s.of(s.words, int(w)), s.whole, t.text)
	}
	return w
}

// score adds what the vectors say at token i of a lesson.
func (s *senses) score(c *lesson, i int, emission []float32) {
	if s.width == 0 {
		return
	}
	v := s.of(s.words, int(c.words[i]))
	emission[0] += float32(s.own * dot(v, s.drawn[0].w))
	for k, p := range c.params {
		x := float32(s.own*dot(v, s.drawn[p+1].w)) + float32(s.alike*dot(c.likeness(i, k), s.shared.w))
		emission[1+2*k] += x
		emission[2+2*k] += x
	}
}

// learn moves the weights towards a local tag at token i, or away from it.
func (s *senses) learn(c *lesson, i int, tag int32, by float32, moment float64) {
	if s.width == 0 {
		return
	}
	at := int32(0)
	if tag > 0 {
		k := (tag - 1) / 2
		at = c.params[k] + 1
		s.shared.change(c.likeness(i, int(k)), by*s.alike, moment)
	}
	s.drawn[at].change(s.of(s.words, int(c.words[i])), by*s.own, moment)
}

// settle joins everything into one direction for each param, in the units of a model: the
// likenesses are linear in the word's vector.
func (s *senses) settle(m *Model, moment, unitOf float64) {
	m.vectors, m.width = s.vectors, s.width
	if s.width == 0 {
		return
	}
	name, values := s.shared.settled(toName, moment), s.shared.settled(toValues, moment)
	for at := range s.drawn {
		mean := make([]float32, s.width)
		if at > 0 {
			copy(mean, s.of(s.sums, at-1))
			unit(mean)
		}
		for i := range s.width {
			x := float64(float64(s.own) * s.drawn[at].settled(i, moment))
			if at > 0 {
				x += float64(float64(s.alike) * (float64(name*float64(s.of(s.names, at-1)[i])) + float64(values*float64(mean[i]))))
			}
			m.senses = append(m.senses, float32(x/unitOf))
		}
	}
}

// said is the text of a span of tokens.
func (s *sentence) said(g gold) string {
	var out []string
	for _, t := range s.tokens[g.from:g.to] {
		out = append(out, t.text)
	}
	return strings.Join(out, " ")
}
