package linear

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/slotway/slotway/classifier/internal/training"
)

// Example is a text and the intent that it expresses.
type Example struct {
	Intent string
	Text   string
}

// Options tunes training; the zero value is right.
type Options struct {
	C           float64           // cost of an error; default 1
	MinDocs     int               // features in fewer texts are dropped; default 1, from 2,000 texts on 2
	Top         int               // scores that Rank returns; default 5
	Seed        uint64            // of the order in which examples are visited; default 1
	Describe    map[string]string // description by intent, taken as one more example
	Uncalibrate bool              // skip the held-out folds; the default curve serves
	Aside       map[string]bool   // intents whose examples say nothing of how alike those of others are
	Embedder    Embedder          // vectors as one more group of features; default none
	Words       []string          // names and values: misspelt words are repaired to them as to those of the examples
	Dictionary  Dictionary        // common words, which are no misspelt ones; default none, then only the own ones are
	Language    string            // of the examples, as a tag; default English
	Encoder     Embedder          // vectors of a second model, which ranks what the first is not sure of; default none
	Vectors     Vectors           // keeps what Encoder makes of examples for the next training; default none
	Watch       *training.Watch   // reports progress and may end the training; default none
}

const largeSet = 2000 // texts from which a feature seen once is noise

func (o *Options) withDefaults(examples int) Options {
	var v Options
	if o != nil {
		v = *o
	}
	if v.C <= 0 {
		v.C = 1
	}
	if v.MinDocs <= 0 {
		v.MinDocs = 1
		if examples >= largeSet {
			v.MinDocs = 2
		}
	}
	if v.Top <= 0 {
		v.Top = 5
	}
	if v.Seed == 0 {
		v.Seed = 1
	}
	return v
}

// Train learns to tell the intents of examples apart. It uses every processor and
// returns ErrNoExamples when there are none, and the error of Options.Watch if that ends it.
func Train(examples []Example, opts *Options) (*Model, error) {
	if len(examples) == 0 {
		return nil, ErrNoExamples
	}
	o := opts.withDefaults(len(examples))
	set := newDataset(examples, &o)
	share := 1.0
	if o.Encoder != nil {
		share = firstShare
	}
	o.Watch.Part(share, set.steps(&o))
	m := set.train(&o)
	m.second = set.trainSecond(&o)
	if err := o.Watch.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// Shares of the time that is left of a training with an encoder, about: of the first model at its
// beginning, and of the encoder's reading of the examples behind that. The second model takes the
// rest.
const (
	firstShare = 0.2
	readShare  = 0.75
)

// steps is how many classes train solves, the folds of the calibration counted.
func (d *dataset) steps(o *Options) int {
	switch {
	case o.Uncalibrate:
		return d.intents
	case d.pseudo < calibrationCap:
		return (1 + smallFolds) * d.intents
	}
	return 2 * d.intents
}

// train fits and calibrates a model.
func (d *dataset) train(o *Options) *Model {
	all := make([]int, len(d.classes))
	for i := range all {
		all[i] = i
	}
	m := d.fit(all, o)
	if !o.Uncalibrate && !o.Watch.Stopped() {
		m.curve = d.calibrate(o)
	}
	return m
}

func intentNames(examples []Example) []string {
	var names []string
	for _, e := range examples {
		names = append(names, e.Intent)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// dataset is the training set in numbers.
type dataset struct {
	texts   []string
	classes []int32
	names   []string // of the intents, sorted
	pseudo  int      // texts[pseudo:] are names and descriptions
	intents int
	length  float64 // of the dense group
	middle  float64 // share of the discriminant in a score
}

// newDataset adds each intent's name and description as examples: free, and worth
// about a point of accuracy when examples are few.
func newDataset(examples []Example, o *Options) *dataset {
	intents := intentNames(examples)
	d := &dataset{names: intents, intents: len(intents), pseudo: len(examples), length: denseWeightFew}
	if d.pseudo >= largeSet {
		d.length = denseWeight
	}
	class := make(map[string]int32, len(intents))
	for i, name := range intents {
		class[name] = int32(i)
	}
	for _, e := range examples {
		d.texts = append(d.texts, e.Text)
		d.classes = append(d.classes, class[e.Intent])
	}
	for i, name := range intents {
		for _, text := range []string{strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(name), o.Describe[name]} {
			if text != "" {
				d.texts = append(d.texts, text)
				d.classes = append(d.classes, int32(i))
			}
		}
	}
	return d
}

// fit trains a model, without calibration, on the chosen texts. The model is not complete if the
// watch has ended the training.
func (d *dataset) fit(chosen []int, o *Options) *Model {
	texts := make([]string, len(chosen))
	classes := make([]int32, len(chosen))
	for i, n := range chosen {
		texts[i], classes[i] = d.texts[n], d.classes[n]
	}
	m := &Model{
		vocabulary: learnVocabulary(texts, int32(o.MinDocs), o), classes: d.intents, embedder: o.Embedder, length: d.length,
		intents: d.names, top: o.Top, curve: priorCurve,
	}
	m.pool.New = func() any { return new(scratch) }
	features, dimension := len(m.vocabulary.idf), 0
	if o.Embedder != nil {
		dimension = o.Embedder.Dimension()
	}
	vectors := make([]vector, len(texts))
	var s scratch
	for i, text := range texts {
		if i%256 == 0 && o.Watch.Stopped() {
			break
		}
		m.vocabulary.vectorise(text, &s)
		vectors[i].sparse = slices.Clone(s.vector)
		if dimension > 0 {
			vectors[i].dense = make([]float32, dimension)
			embed(o.Embedder, vectors[i].dense, s.meant(text), m.length)
		}
	}
	m.sparse, m.dense = newMatrix(features, d.intents), newMatrix(dimension, d.intents)
	m.bias = make([]float32, d.intents)
	if o.Watch.Stopped() {
		return m
	}
	m.solve(vectors, classes, o, newDiscriminant(vectors, classes, d.intents, d.middle))
	return m
}

// solve fills the weights of m. Workers take eight classes at a time, those whose weights
// share the words of the matrix; every class is solved on its own, so that the result
// does not depend on who takes it.
func (m *Model) solve(vectors []vector, classes []int32, o *Options, middle *discriminant) {
	var wg sync.WaitGroup
	var next atomic.Int64
	blocks := (m.classes + lanes - 1) / lanes
	features := len(m.vocabulary.idf)
	for range min(runtime.GOMAXPROCS(0), blocks) {
		wg.Go(func() {
			solver := newSolver(vectors, classes, features, len(m.dense.cells)/m.dense.width, o)
			for b := int(next.Add(1)) - 1; b < blocks; b = int(next.Add(1)) - 1 {
				for c := b * lanes; c < min((b+1)*lanes, m.classes); c++ {
					w := solver.solve(int32(c))
					middle.blend(c, features, w)
					m.set(c, w)
					if !o.Watch.Step() {
						return
					}
				}
			}
		})
	}
	wg.Wait()
}
