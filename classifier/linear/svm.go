package linear

import (
	"math"
	"math/rand/v2"
)

// Settings of the solver: those of LIBLINEAR (-s 1) but for the cap on passes, which
// bounds the time a pathological set can take.
const (
	tolerance = 0.1
	maxPasses = 60
)

// solver trains one-vs-rest machines over the same vectors. It belongs to one goroutine.
type solver struct {
	vectors [][]entry
	classes []int32 // of each vector
	square  []float64
	c       float64
	seed    uint64

	w     []float64 // weights of the class at hand; the last is the bias
	alpha []float64
	order []int
}

func newSolver(vectors [][]entry, classes []int32, features int, c float64, seed uint64) *solver {
	s := &solver{vectors: vectors, classes: classes, c: c, seed: seed}
	s.square = make([]float64, len(vectors))
	for i, x := range vectors {
		s.square[i] = 1 // the bias
		for _, e := range x {
			s.square[i] += float64(e.value) * float64(e.value)
		}
	}
	s.w = make([]float64, features+1)
	s.alpha = make([]float64, len(vectors))
	s.order = make([]int, len(vectors))
	return s
}

// solve trains class against the rest and returns its weights, valid until the next
// call. It is dual coordinate descent for the L2-loss machine with shrinking: Hsieh,
// Chang, Lin, Keerthi, Sundararajan, "A Dual Coordinate Descent Method for Large-scale
// Linear SVM", ICML 2008, algorithms 1 and 3.
func (s *solver) solve(class int32) []float64 {
	clear(s.w)
	clear(s.alpha)
	for i := range s.order {
		s.order[i] = i
	}
	rng := rand.New(rand.NewPCG(s.seed, uint64(class)))
	active := len(s.order)
	bound := math.Inf(1)
	for range maxPasses {
		var most, least float64
		active, most, least = s.pass(class, active, bound, rng)
		if most-least > tolerance {
			bound = most
			if bound <= 0 {
				bound = math.Inf(1)
			}
			continue
		}
		if active == len(s.order) {
			break
		}
		active, bound = len(s.order), math.Inf(1) // look at everything once more
	}
	return s.w
}

// pass visits the first active vectors of the order once. It returns how many remain
// active and the extremes of the projected gradient.
func (s *solver) pass(class int32, active int, bound float64, rng *rand.Rand) (int, float64, float64) {
	most, least := math.Inf(-1), math.Inf(1)
	for k := range active {
		j := k + rng.IntN(active-k)
		s.order[k], s.order[j] = s.order[j], s.order[k]
	}
	diagonal := 0.5 / s.c
	bias := len(s.w) - 1
	for k := 0; k < active; k++ {
		i := s.order[k]
		x := s.vectors[i]
		y := -1.0
		if s.classes[i] == class {
			y = 1
		}
		dot := s.w[bias]
		for _, e := range x {
			dot += s.w[e.feature] * float64(e.value)
		}
		gradient := y*dot - 1 + s.alpha[i]*diagonal
		projected := gradient
		if s.alpha[i] == 0 {
			if gradient > bound {
				active--
				s.order[k], s.order[active] = s.order[active], s.order[k]
				k--
				continue
			}
			projected = math.Min(gradient, 0)
		}
		most, least = math.Max(most, projected), math.Min(least, projected)
		if math.Abs(projected) < 1e-12 {
			continue
		}
		old := s.alpha[i]
		s.alpha[i] = math.Max(old-gradient/(s.square[i]+diagonal), 0)
		step := (s.alpha[i] - old) * y
		for _, e := range x {
			s.w[e.feature] += step * float64(e.value)
		}
		s.w[bias] += step
	}
	return active, most, least
}
