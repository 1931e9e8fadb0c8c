package main

import (
	"math"
	"math/rand/v2"
)

// Parameters of the fit. Twice the epochs and rates of half and double brought nothing.
const (
	epochs  = 14
	rate    = 0.1
	dropped = 0.3  // share of a sample's features, chosen anew in each epoch
	decay   = 1e-5 // of a feature's weights, at each of its samples
)

type weights [numCommands]float32

// model has a weight for each feature and command.
type model struct {
	rows []weights
	bias weights
}

// fit learns by logistic regression, one for each command, with learning rates that fall by feature
// (AdaGrad).
func (c *corpus) fit(features int) *model {
	m, sum := &model{rows: make([]weights, features)}, &model{rows: make([]weights, features)}
	var seen []*sample
	for _, s := range c.all {
		if !s.held && !s.left {
			seen = append(seen, s)
		}
	}
	rng := rand.New(rand.NewPCG(7, 7))
	var some []int32
	for epoch := range epochs {
		step := float32(rate / math.Sqrt(1+float64(epoch)))
		rng.Shuffle(len(seen), func(i, j int) { seen[i], seen[j] = seen[j], seen[i] })
		for _, s := range seen {
			some = some[:0]
			for _, f := range s.features {
				if rng.Float32() >= dropped {
					some = append(some, f)
				}
			}
			m.learn(sum, s, some, step)
		}
	}
	for i := range m.rows {
		for a := range m.rows[i] {
			m.rows[i][a] *= 1 - dropped
		}
	}
	return m
}

// learn takes one step for one sample; sum has the squares of the steps before.
func (m *model) learn(sum *model, s *sample, features []int32, step float32) {
	p := m.of(features)
	for a := range p {
		if s.elsewhere && a != plainYes {
			continue
		}
		g := p[a]
		if s.want[a] {
			g--
		}
		sum.bias[a] += g * g
		m.bias[a] -= step * g / root(sum.bias[a])
		for _, f := range features {
			sum.rows[f][a] += g * g
			m.rows[f][a] -= step*g/root(sum.rows[f][a]) + decay*m.rows[f][a]
		}
	}
}

func root(x float32) float32 { return float32(math.Sqrt(float64(x))) + 1e-3 }

// of returns the probabilities of the commands.
func (m *model) of(features []int32) weights {
	score := m.bias
	for _, f := range features {
		for a, x := range m.rows[f] {
			score[a] += x
		}
	}
	for a, x := range score {
		score[a] = float32(1 / (1 + math.Exp(-float64(x))))
	}
	return score
}
