package linear

import (
	"unicode"
	"unicode/utf8"
)

// loneUnit is the share of a known unit that counts as known when no known pair contains it. All
// texts of a script share its signs; they differ in their words.
const loneUnit = 0.3

// halfUnit is the same share for a syllable with only one known neighbour.
const halfUnit = 0.6

// longestFunction is the greatest number of units of a function word.
const longestFunction = 6

// countUnit counts a unit, and with the first unit of a run the n-grams of the run. It returns the
// same values as countWord.
func (v *vocabulary) countUnit(i int, s *scratch) (share, weight float32) {
	t := &s.tokens
	if run := t.run(i); run != nil {
		s.bounds = eachGram(run, s.bounds, func(h uint64, _ int) { v.touch(mix(h), s) })
		v.markFunction(i, t)
	}
	f, found := v.touch(wordHash(t.bytes(i)), s)
	weight = v.max
	if found {
		weight = v.idf[f]
	}
	if t.words[i].function {
		weight *= functionWeight
	}
	if !found {
		return 0, weight
	}
	return v.unitShare(i, s), weight
}

// unitShare returns the share of a known unit that counts as known. A Han sign has a meaning of its
// own, and is a known word with one known neighbour; any other unit is only a syllable of a word.
func (v *vocabulary) unitShare(i int, s *scratch) float32 {
	t := &s.tokens
	before, after := t.follows(i), t.follows(i+1)
	beside := before && v.pair(i-1, s)
	behind := after && v.pair(i, s)
	switch r, _ := utf8.DecodeRune(t.bytes(i)); {
	case beside == before && behind == after:
		return 1
	case !beside && !behind:
		return loneUnit
	case unicode.Is(unicode.Han, r):
		return 1
	}
	return halfUnit
}

// markFunction marks the units of function words in the run that begins at word i, the longest
// words first.
func (v *vocabulary) markFunction(i int, t *tokens) {
	for more := true; more; {
		n := 1
		for k, last := 1, i; k <= longestFunction; k, last = k+1, last+1 {
			if v.speech.function[string(t.buf[t.words[i].start:t.words[last].end])] {
				n = k
				for j := i; j <= last; j++ {
					t.words[j].function = true
				}
			}
			if !t.follows(last + 1) {
				break
			}
		}
		more = t.follows(i + n)
		i += n
	}
}

// pair reports whether words i and i+1 are known to follow each other.
func (v *vocabulary) pair(i int, s *scratch) bool {
	_, ok := v.table.Get(pairHash(s.tokens.bytes(i), s.tokens.bytes(i+1)))
	return ok
}
