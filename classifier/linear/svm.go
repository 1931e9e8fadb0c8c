package linear

import (
	"math"
	"math/rand/v2"
)

// Settings of the solver: those of LIBLINEAR (-s 1) but for the cap on passes, which
// bounds the time a pathological set can take.
const (
	tolerance    = 0.1
	maxPasses    = 60
	maxChecks    = 3   // passes over what was set aside
	shrinkFrom   = 1.0 // gradient above which an example is set aside at the latest
	positiveCost = 3.0 // what missing an example of the class costs, against one of the rest; from endsFrom texts on
)

// solver trains one-vs-rest machines over the same vectors. It belongs to one goroutine.
type solver struct {
	vectors  []vector
	classes  []int32 // of each vector
	features int     // sparse ones; the dense follow
	square   []float64
	c        float64
	positive float64 // cost of missing an example of the class, against one of the rest
	seed     uint64

	w     []float64 // weights of the class at hand: sparse, dense, bias
	alpha []float64
	order []int
}

// vector is a text in numbers.
type vector struct {
	sparse []entry
	dense  []float32
}

func (x *vector) square() float64 {
	var sum float64
	for _, e := range x.sparse {
		sum += float64(e.value) * float64(e.value)
	}
	for _, v := range x.dense {
		sum += float64(v) * float64(v)
	}
	return sum
}

func newSolver(vectors []vector, classes []int32, features, dimension int, o *Options) *solver {
	s := &solver{vectors: vectors, classes: classes, features: features, c: o.C, positive: 1, seed: o.Seed}
	if len(vectors) >= endsFrom {
		s.positive = positiveCost
	}
	s.square = make([]float64, len(vectors))
	for i := range vectors {
		s.square[i] = 1 + vectors[i].square() // 1 for the bias
	}
	s.w = make([]float64, features+dimension+1)
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
	active, passes := len(s.order), maxPasses
	bound := math.Inf(1)
	for checks := 0; ; {
		var most, least float64
		active, most, least = s.pass(class, active, bound, rng)
		passes--
		if most-least > tolerance && passes > 0 {
			if bound = shrinkFrom; most > 0 {
				bound = min(most, shrinkFrom)
			}
			continue
		}
		if active == len(s.order) || checks == maxChecks || passes <= 0 {
			break
		}
		checks++
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
	plain := 0.5 / s.c
	for k := 0; k < active; k++ {
		i := s.order[k]
		x := &s.vectors[i]
		y, diagonal := -1.0, plain
		if s.classes[i] == class {
			y, diagonal = 1, plain/s.positive
		}
		gradient := y*s.dot(x) - 1 + s.alpha[i]*diagonal
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
		s.move(x, (s.alpha[i]-old)*y)
	}
	return active, most, least
}

// dot is the score of x.
func (s *solver) dot(x *vector) float64 {
	sum := s.w[len(s.w)-1]
	for _, e := range x.sparse {
		sum += s.w[e.feature] * float64(e.value)
	}
	w := s.w[s.features:][:len(x.dense)]
	var a, b, c, d float64 // four sums that do not wait for each other
	n := len(x.dense) &^ 3
	for i := 0; i < n; i += 4 {
		v, u := x.dense[i:i+4:i+4], w[i:i+4:i+4]
		a += u[0] * float64(v[0])
		b += u[1] * float64(v[1])
		c += u[2] * float64(v[2])
		d += u[3] * float64(v[3])
	}
	for i := n; i < len(w); i++ {
		a += w[i] * float64(x.dense[i])
	}
	return sum + (a + b) + (c + d)
}

// move adds step times x to the weights.
func (s *solver) move(x *vector, step float64) {
	for _, e := range x.sparse {
		s.w[e.feature] += step * float64(e.value)
	}
	w := s.w[s.features:][:len(x.dense)]
	for i, v := range x.dense {
		w[i] += step * float64(v)
	}
	s.w[len(s.w)-1] += step
}
