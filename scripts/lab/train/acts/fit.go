package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/acts/feature"
	"github.com/slotway/slotway/classifier/message"
)

// Parameters of the fit.
const (
	runs      = 2 // each in its own order; the weights are the mean of all
	epochs    = 6
	rate      = 0.25
	decay     = 2e-5 // of a feature's weights, at each of its samples
	dropped   = 0.1  // share of a sample's features, chosen anew in each epoch, so that no feature decides alone
	leastUses = 3    // samples that a feature must occur in
)

// averaged is the number of last epochs of a run whose weights are averaged. It smooths the
// influence of the last samples.
const averaged = 4

// average accumulates the mean of weights.
type average struct {
	sum  []weights
	bias weights
	n    float32
}

func (m *average) add(w []weights, bias *weights) {
	for i := range w {
		for a, x := range w[i] {
			m.sum[i][a] += x
		}
	}
	for a, x := range bias {
		m.bias[a] += x
	}
	m.n++
}

func (m *average) mean(w []weights, bias *weights) {
	for i := range w {
		for a := range w[i] {
			w[i][a] = m.sum[i][a] / m.n
		}
	}
	for a := range bias {
		bias[a] = m.bias[a] / m.n
	}
}

const numActs = int(message.NumActs)

type weights [numActs]float32

// fit finds weights by logistic regression, one per act, with learning rates that fall by feature
// (AdaGrad). Products are rounded before they are added, so that every processor gets the same
// sums.
func (l *lang) fit(samples []sample, words lexicon) *acts.Weights {
	v := feature.NewVocabulary(words.list())
	data, hashes := l.numbered(samples, v)
	w, sum := make([]weights, len(hashes)), make([]weights, len(hashes))
	var bias, biasSum weights
	var some []int32
	total := average{sum: make([]weights, len(hashes))}
	rng := rand.New(rand.NewPCG(7, 7))
	order := rng.Perm(len(samples))
	for i := range runs * epochs {
		epoch := i % epochs
		if epoch == 0 {
			clear(w)
			clear(sum)
			bias, biasSum = weights{}, weights{}
		}
		step := float32(rate / math.Sqrt(1+float64(epoch)))
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			some = some[:0]
			for _, f := range data[i] {
				if rng.Float32() >= dropped {
					some = append(some, f)
				}
			}
			learn(w, sum, &bias, &biasSum, some, &samples[i], step)
		}
		if epoch >= epochs-averaged {
			total.add(w, &bias)
		}
	}
	total.mean(w, &bias)
	for i := range w {
		for a := range w[i] {
			w[i][a] *= 1 - dropped
		}
	}
	return l.prune(w, hashes, &acts.Weights{Words: v.Words(), Bias: bias})
}

// learn takes one step for one sample.
func learn(w, sum []weights, bias, biasSum *weights, features []int32, s *sample, step float32) {
	score := *bias
	for _, f := range features {
		row := &w[f]
		for a := range score {
			score[a] += row[a]
		}
	}
	var grad weights
	for a := range grad {
		grad[a] = float32(1/(1+math.Exp(-float64(score[a])))) - s.acts[a]
		if s.maybe[a] {
			grad[a] = 0
		}
		biasSum[a] += float32(grad[a] * grad[a])
		bias[a] -= float32(step * grad[a] / root(biasSum[a]))
	}
	for _, f := range features {
		row, sq := &w[f], &sum[f]
		for a, g := range grad {
			sq[a] += float32(g * g)
			row[a] -= float32(step*g/root(sq[a])) + float32(decay*row[a])
		}
	}
}

func root(x float32) float32 { return float32(math.Sqrt(float64(x))) + 1e-3 }

// numbered returns the features of each sample as numbers, limited to those that several samples
// have.
func (l *lang) numbered(samples []sample, v *feature.Vocabulary) (data [][]int32, hashes []uint64) {
	uses := map[uint64]int{}
	all := make([][]uint64, len(samples))
	var c feature.Clause
	for i, s := range samples {
		c.Read(l.fold(s.text))
		v.Mend(&c)
		all[i] = v.Append(nil, &c, s.mark)
		for _, h := range all[i] {
			uses[h]++
		}
	}
	number := map[uint64]int32{}
	data = make([][]int32, len(samples))
	for i, hs := range all {
		for _, h := range hs {
			if uses[h] < leastUses {
				continue
			}
			n, ok := number[h]
			if !ok {
				n = int32(len(hashes))
				number[h] = n
				hashes = append(hashes, h)
			}
			data[i] = append(data[i], n)
		}
	}
	return data, hashes
}

// prune keeps the most important features.
func (l *lang) prune(w []weights, hashes []uint64, out *acts.Weights) *acts.Weights {
	size := make([]float32, len(w))
	for i := range w {
		for _, x := range w[i] {
			size[i] = max(size[i], x, -x)
		}
	}
	order := make([]int, len(w))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(hashes[a], hashes[b])) })
	taken := map[uint32]bool{}
	for _, i := range order {
		if short := uint32(hashes[i] >> 32); len(out.Features) < l.keep && !taken[short] {
			taken[short] = true
			out.Features = append(out.Features, hashes[i])
			out.Values = append(out.Values, w[i])
		}
	}
	return out
}
