package feature

import (
	"strings"

	"github.com/slotway/slotway/classifier/internal/hashing"
)

// Vocabulary is the set of words that have a feature of their own.
type Vocabulary struct {
	words []string
	slots []uint64
	near  map[uint64]uint64 // words without one of their letters; 0: those of several words
}

const nearest = 4 // letters of the shortest word that is known with a letter wrong

// NewVocabulary makes a set of folded words.
func NewVocabulary(words []string) *Vocabulary {
	size := 64
	for size < 3*len(words) {
		size *= 2
	}
	v := &Vocabulary{words: words, slots: make([]uint64, size), near: make(map[uint64]uint64, 6*len(words))}
	for _, w := range words {
		h := hash(seedWord, []byte(w))
		i := mix(h) & uint64(size-1)
		for v.slots[i] != 0 && v.slots[i] != h {
			i = (i + 1) & uint64(size-1)
		}
		v.slots[i] = h
	}
	for _, w := range words {
		if len(w) < nearest {
			continue
		}
		h := hash(seedWord, []byte(w))
		for i := 1; i < len(w); i++ { // the first letter is seldom wrong
			gap := without([]byte(w), i)
			if other, ok := v.near[gap]; ok && other != h {
				h2 := uint64(0)
				v.near[gap] = h2
				continue
			}
			v.near[gap] = h
		}
	}
	return v
}

// without is the hash of a word without the letter at i.
func without(b []byte, i int) uint64 { return hash(hash(seedWord, b[:i]), b[i+1:]) }

// Mend replaces unknown words by the known words that they are with drawn-out letters or with one
// wrong letter: "yesss", "cancle". Names, which begin with a capital, stay.
func (v *Vocabulary) Mend(c *Clause) {
	for i := range c.Words {
		w := &c.Words[i]
		if w.kind != letters || v.Has(w.Hash) {
			continue
		}
		b := c.letters[w.start:w.end]
		if h := squeeze(b); v.Has(h) {
			w.Hash = h
			continue
		}
		if len(b) >= nearest && (!w.capital || c.shout || i == 0 && len(c.Words) > 1 && !c.title) {
			if h := v.nearTo(b); h != 0 {
				w.Hash = h
			}
		}
	}
}

// nearTo finds the one word that b is with one letter more, less, other, or two swapped.
func (v *Vocabulary) nearTo(b []byte) uint64 {
	if h := v.near[hash(seedWord, b)]; h != 0 {
		return h // a letter is missing
	}
	for i := 1; i < len(b); i++ {
		gap := without(b, i)
		if len(b) > nearest && v.Has(gap) {
			return gap // a letter too many
		}
		if h := v.near[gap]; h != 0 && len(b) > nearest {
			return h // another letter, or two swapped
		}
		if h := swapped(b, i); len(b) == nearest && i+1 < len(b) && v.Has(h) {
			return h // in a short word another letter makes too often another word: "sink", "hahn"
		}
	}
	return 0
}

// swapped is the hash of a word with the letters at i and behind it in each other's place.
func swapped(b []byte, i int) uint64 {
	h := hash(seedWord, b[:i])
	if i+1 < len(b) {
		h = hash(hash(h, b[i+1:i+2]), b[i:i+1])
		return hash(h, b[i+2:])
	}
	return h
}

// squeeze is the hash of a word without letters that are written twice.
func squeeze(b []byte) uint64 {
	h := uint64(seedWord)
	for i, c := range b {
		if i == 0 || c != b[i-1] {
			h = hashing.Step(h, uint64(c))
		}
	}
	return h
}

// Has reports whether a word is in the set, by its hash.
func (v *Vocabulary) Has(h uint64) bool {
	mask := uint64(len(v.slots) - 1)
	for i := mix(h) & mask; v.slots[i] != 0; i = (i + 1) & mask {
		if v.slots[i] == h {
			return true
		}
	}
	return false
}

// Words are the words of the set.
func (v *Vocabulary) Words() []string { return v.words }

// Fold returns the words of a text in the form in which they are looked up.
func Fold(text string) []string {
	var c Clause
	c.read(text, len(text))
	out := make([]string, 0, len(c.Words))
	for _, w := range c.Words {
		out = append(out, string(c.letters[w.start:w.end]))
	}
	return out
}

// Key returns the folded words of a text with spaces between them.
func Key(text string) string { return strings.Join(Fold(text), " ") }
