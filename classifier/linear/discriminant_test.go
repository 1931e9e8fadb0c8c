package linear

import (
	"bytes"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
)

// clouds are vectors around the middles of classes, each as wide along one axis as is given.
func clouds(classes, each, dimension int, wide float64) (vectors []vector, of []int32) {
	rng := rand.New(rand.NewPCG(1, 2))
	for c := range classes {
		for range each {
			v := make([]float32, dimension)
			for j := range v {
				v[j] = float32(0.3 * rng.NormFloat64())
			}
			v[0] = float32(wide * rng.NormFloat64())
			v[1+c] += 2
			vectors, of = append(vectors, vector{dense: v}), append(of, int32(c))
		}
	}
	return vectors, of
}

// The scale is that of the machines, and an axis along which every class is wide counts for
// less than the others.
func TestDiscriminant(t *testing.T) {
	vectors, classes := clouds(4, 200, 6, 3)
	d := newDiscriminant(vectors, classes, 4, 0.5)
	var own, other float64
	for i := range vectors {
		for c := range 4 {
			if s := d.score(vectors[i].dense, c); int(classes[i]) == c {
				own += s
			} else {
				other += s
			}
		}
	}
	if own, other = own/800, other/2400; math.Abs(own-1) > 1e-6 || math.Abs(other+1) > 1e-6 {
		t.Errorf("the own class scores %.3f on average, others %.3f; want 1, -1", own, other)
	}
	for c, w := range d.weights {
		if math.Abs(w[0]) > 0.1*math.Abs(w[1+c]) {
			t.Errorf("class %d: the wide axis weighs %.3f, its own %.3f", c, w[0], w[1+c])
		}
	}
	far := make([]float32, 6) // beyond no border in particular, and far from every middle
	for c := range 4 {
		if s := d.score(far, c); s > 0 {
			t.Errorf("what is far from every class scores %.2f for class %d", s, c)
		}
	}
}

// What cannot be told apart makes none, and none leaves weights as they are.
func TestNoDiscriminant(t *testing.T) {
	vectors, classes := clouds(3, 5, 4, 1)
	same := []vector{{dense: []float32{1, 0}}, {dense: []float32{0, 1}}}
	flat := []vector{{dense: []float32{1, 1}}, {dense: []float32{0, 1}}, {dense: []float32{1, 1}}, {dense: []float32{0, 1}}}
	infinite := []vector{{dense: []float32{float32(math.Inf(1)), 0}}, {dense: []float32{0, 1}}, {dense: []float32{2, 1}}}
	for name, d := range map[string]*discriminant{
		"no share":           newDiscriminant(vectors, classes, 3, 0),
		"no vectors":         newDiscriminant(nil, nil, 3, 0.5),
		"no dense group":     newDiscriminant(make([]vector, 4), make([]int32, 4), 3, 0.5),
		"one class":          newDiscriminant(vectors, make([]int32, len(vectors)), 1, 0.5),
		"one example each":   newDiscriminant(same, []int32{0, 1}, 2, 0.5),
		"classes of a place": newDiscriminant(flat, []int32{0, 0, 1, 1}, 2, 0.5),
		"no numbers":         newDiscriminant(infinite, []int32{0, 1, 1}, 2, 0.5),
	} {
		w := []float64{1, 2, 3}
		if d.blend(0, 1, w); d != nil || w[0] != 1 || w[1] != 2 || w[2] != 3 {
			t.Errorf("%s: %v, weights become %v", name, d, w)
		}
	}
}

// The sums must not depend on how many workers there are.
func TestDiscriminantOfAnyProcessors(t *testing.T) {
	examples := synthetic(12, 9)
	o := &Options{Encoder: letters{"deep"}, Uncalibrate: true}
	many := encode(t, train(t, examples, o))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if !bytes.Equal(many, encode(t, train(t, examples, o))) {
		t.Error("one processor makes another model")
	}
}

// The second model's score must be that of the machine and that of the discriminant, each by its
// share, but for the eight bits of a weight; the first model has none.
func TestDiscriminantIsBlended(t *testing.T) {
	examples := synthetic(6, 9)
	o := (&Options{Encoder: letters{"deep"}, Uncalibrate: true}).withDefaults(len(examples))
	d := newDataset(examples, &o)
	both := d.trainSecond(&o)
	if both.second != nil || d.middle != middleFew {
		t.Fatalf("share %v, a third model: %t", d.middle, both.second != nil)
	}
	own := o
	own.Embedder = letters{"deep"}
	d.middle = 0
	machine := d.train(&own)
	vectors := make([]vector, len(d.texts))
	for i, text := range d.texts {
		vectors[i].dense = make([]float32, own.Embedder.Dimension())
		embed(own.Embedder, vectors[i].dense, text, d.length)
	}
	centre := newDiscriminant(vectors, d.classes, d.intents, middleFew)
	if centre == nil {
		t.Fatal("no discriminant")
	}
	var got, plain scratch
	moved := 0.0
	for i, text := range d.texts {
		both.score(text, &got)
		machine.score(text, &plain)
		for c := range d.intents {
			want := (1-middleFew)*float64(plain.scores[c]) + middleFew*centre.score(vectors[i].dense, c)
			if math.Abs(float64(got.scores[c])-want) > 0.25 {
				t.Fatalf("%q scores %.2f for class %d, want %.2f", text, got.scores[c], c, want)
			}
			moved = max(moved, math.Abs(want-float64(plain.scores[c])))
		}
	}
	if moved < 0.5 {
		t.Errorf("the discriminant moves no score by more than %.2f: the test shows nothing", moved)
	}
}
