package feature

import "strings"

// Vocabulary is the set of words that are looked at as words.
type Vocabulary struct {
	words []string
	slots []uint64
}

// NewVocabulary makes a set of folded words.
func NewVocabulary(words []string) *Vocabulary {
	size := 64
	for size < 3*len(words) {
		size *= 2
	}
	v := &Vocabulary{words: words, slots: make([]uint64, size)}
	for _, w := range words {
		h := hash(seedWord, []byte(w))
		i := mix(h) & uint64(size-1)
		for v.slots[i] != 0 && v.slots[i] != h {
			i = (i + 1) & uint64(size-1)
		}
		v.slots[i] = h
	}
	return v
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

// Fold writes the words of a text as they are looked up.
func Fold(text string) []string {
	var c Clause
	c.Read(text)
	out := make([]string, 0, len(c.Words))
	for _, w := range c.Words {
		out = append(out, string(c.letters[w.start:w.end]))
	}
	return out
}

// Key is the folded text, words with a space between.
func Key(text string) string { return strings.Join(Fold(text), " ") }
