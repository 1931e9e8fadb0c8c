package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/acts/feature"
)

// sample is a clause to learn from.
type sample struct {
	text string
	mark rune
	acts classifier.Acts
	line int
}

// lexicon is the words that stand in the phrases, with the lines that have each.
type lexicon map[string]int

// vocabulary counts the words of the phrases, without those of the fillers.
func vocabulary(lines []acts.Line) lexicon {
	out := lexicon{}
	for _, l := range lines {
		words := feature.Fold(literal(l.Text))
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			out[w]++
		}
	}
	return out
}

const known = 1 // lines that a word must be in to count as one of the language

// list is the vocabulary of the model.
func (l lexicon) list() []string {
	var out []string
	for w, n := range l {
		if n >= known && !strings.ContainsAny(w, "0123456789") {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// expand draws samples from every line. Each line has random numbers of its own, so that
// a new line changes no other's samples.
func expand(lines []acts.Line, f fillers, words lexicon) []sample {
	var out []sample
	for i, l := range lines {
		h := fnv.New64a()
		h.Write([]byte(l.Text))
		rng := rand.New(rand.NewPCG(h.Sum64(), 1))
		for range variants(l.Text) {
			s := sample{text: f.fill(rng, l.Text), acts: l.Acts, line: i}
			dress(rng, &s, words)
			out = append(out, s)
		}
	}
	return out
}
