package linear

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestProduct compares the packed product with the plain one.
func TestProduct(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		features, classes := rapid.IntRange(1, 60).Draw(rt, "features"), rapid.IntRange(1, 20).Draw(rt, "classes")
		m := newMatrix(features, classes)
		weights := make([][]float64, classes)
		for c := range weights {
			weights[c] = rapid.SliceOfN(rapid.Float64Range(-3, 3), features, features).Draw(rt, "weights")
			m.set(c, weights[c])
		}
		x := rapid.SliceOfN(rapid.Float32Range(-1, 1), features, features).Draw(rt, "x")
		var s sums
		dense, sparse := make([]float32, classes), make([]float32, classes)
		m.addDense(x, &s, dense)
		var entries []entry
		for f, v := range x {
			x[f] = float32(math.Abs(float64(v)))
			entries = append(entries, entry{int32(f), x[f]})
		}
		signed := append([]float32(nil), dense...)
		clear(dense)
		m.addDense(x, &s, dense)
		m.addSparse(entries, &s, sparse)
		// half a step of a weight and of a factor, by feature
		bound := float64(features) * (3.0/254 + 3.0/(2*maxFactor) + 1e-3)
		for c := range classes {
			var want float64
			for f, v := range x {
				want += weights[c][f] * float64(v)
			}
			if math.Abs(want-float64(sparse[c])) > bound || math.Abs(float64(dense[c]-sparse[c])) > 1e-3 {
				rt.Fatalf("class %d: sparse %v, dense %v, want %v", c, sparse[c], dense[c], want)
			}
			if math.IsNaN(float64(signed[c])) {
				rt.Fatalf("class %d: not a number", c)
			}
		}
	})
}

// TestLanesHold drives every lane to its limits, where a carry would show.
func TestLanesHold(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		const features = 400
		m := newMatrix(features, 9)
		weights := make([]float64, features)
		for f := range weights {
			weights[f] = sign
		}
		for c := range 9 {
			if c != 4 {
				m.set(c, weights)
			}
		}
		x := make([]float32, features)
		for _, v := range []float32{1, -1} {
			for f := range x {
				x[f] = v
			}
			var s sums
			scores := make([]float32, 9)
			m.addDense(x, &s, scores)
			for c, got := range scores {
				want := sign * float64(v) * features
				if c == 4 {
					want = 0
				}
				if math.Abs(float64(got)-want) > 0.01 {
					t.Errorf("sign %v, value %v, class %d: %v, want %v", sign, v, c, got, want)
				}
			}
		}
	}
}
