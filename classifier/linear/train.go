package linear

import (
	"runtime"
	"slices"
	"strings"
	"sync"
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
// returns ErrNoExamples when there are none.
func Train(examples []Example, opts *Options) (*Model, error) {
	if len(examples) == 0 {
		return nil, ErrNoExamples
	}
	o := opts.withDefaults(len(examples))
	intents := intentNames(examples)
	set := newDataset(examples, intents, &o)
	all := make([]int, len(set.classes))
	for i := range all {
		all[i] = i
	}
	m := set.fit(all, &o)
	m.intents, m.top = intents, o.Top
	m.curve = priorCurve
	if !o.Uncalibrate {
		m.curve = set.calibrate(&o)
	}
	return m, nil
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
	pseudo  int // texts[pseudo:] are names and descriptions
	intents int
}

// newDataset adds each intent's name and description as examples: free, and worth
// about a point of accuracy when examples are few.
func newDataset(examples []Example, intents []string, o *Options) *dataset {
	d := &dataset{intents: len(intents), pseudo: len(examples)}
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

// fit trains a model, without names and calibration, on the chosen texts.
func (d *dataset) fit(chosen []int, o *Options) *Model {
	texts := make([]string, len(chosen))
	classes := make([]int32, len(chosen))
	for i, n := range chosen {
		texts[i], classes[i] = d.texts[n], d.classes[n]
	}
	m := &Model{vocabulary: learnVocabulary(texts, int32(o.MinDocs)), classes: d.intents}
	m.pool.New = func() any { return new(scratch) }
	vectors := make([][]entry, len(texts))
	var s scratch
	for i, text := range texts {
		m.vocabulary.vectorise(text, &s)
		vectors[i] = slices.Clone(s.vector)
	}
	features := len(m.vocabulary.idf)
	m.weights = make([]float32, features*d.intents)
	m.bias = make([]float32, d.intents)
	var wg sync.WaitGroup
	workers := max(1, min(runtime.GOMAXPROCS(0), d.intents))
	for first := range workers {
		wg.Go(func() {
			solver := newSolver(vectors, classes, features, o.C, o.Seed)
			for c := first; c < d.intents; c += workers {
				m.set(c, solver.solve(int32(c)))
			}
		})
	}
	wg.Wait()
	return m
}
