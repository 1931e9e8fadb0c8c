package main

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/acts/feature"
	"github.com/slotway/slotway/classifier/message"
)

// sample is a clause to learn from.
type sample struct {
	text  string
	mark  rune
	acts  message.Acts
	maybe [message.NumActs]bool // not to be learned
	line  int
}

// lexicon counts the lines of the phrases that have each word.
type lexicon map[string]int

// vocabulary counts the words of the phrases without those of the fillers.
func (l *lang) vocabulary(lines []acts.Line, f fillers) lexicon {
	out := lexicon{}
	for name := range ofLanguage {
		for _, w := range feature.Fold(l.fold(literal(strings.Join(f[name], " ")))) {
			out[w] += always
		}
	}
	for _, line := range lines {
		words := feature.Fold(l.fold(literal(line.Text)))
		slices.Sort(words)
		for _, w := range slices.Compact(words) {
			out[w]++
		}
	}
	for _, w := range acts.Words(l.tag) {
		out[w] += always
	}
	return out
}

const always = 100 // lines that a word of the tables counts for

const known = 1 // lines that a word must occur in to count as one of the language

// list returns the vocabulary of the model.
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

// expand draws samples from every line. Each line has its own random numbers, so that a new line
// does not change the samples of others.
func (l *lang) expand(lines []acts.Line, f fillers, words lexicon) []sample {
	var out []sample
	for i, line := range lines {
		h := fnv.New64a()
		h.Write([]byte(line.Text))
		rng := rand.New(rand.NewPCG(h.Sum64(), 1))
		t := f.parse(rng, line.Text)
		for n := range t.worth {
			s := sample{text: t.text(rng, f, n), acts: line.Acts, maybe: line.Maybe, line: i}
			if bare, ok := strings.CutSuffix(s.text, "?"); ok {
				s.text, s.mark = strings.TrimSpace(bare), '?'
			}
			l.dress(rng, &s, words)
			out = append(out, s)
		}
	}
	return out
}

// without drops the samples that occur in the test part, so that it stays unseen.
func (l *lang) without(samples []sample, test []acts.Line) []sample {
	seen := map[string]bool{}
	for _, line := range test {
		seen[feature.Key(l.fold(line.Text))] = true
	}
	return slices.DeleteFunc(samples, func(s sample) bool { return seen[feature.Key(l.fold(s.text))] })
}
