package feature

import "github.com/slotway/slotway/classifier/internal/hashing"

// Most is the greatest number of features of a clause: sums of so many bytes fit into 16 bits.
const Most = 250

// Kinds of features, as seeds.
const (
	seedUni = iota + 1
	seedBi
	seedTri
	seedFour
	seedSkip
	seedFirst
	seedWhole
	seedLength
	seedMark
	seedMarkFirst
	seedMarkLength
	seedTitle
	seedCapital
	seedOpen
	seedGram
	seedBag
)

// Words that stand for others.
const (
	begin = iota + 1
	end
	open        // outside of the vocabulary
	openCapital // the same with a capital letter
	figures
	ordinals
	codes
	addresses
	signs
)

// Append adds the features of a clause to into; mark is the punctuation behind it.
func (v *Vocabulary) Append(into []uint64, c *Clause, mark rune) []uint64 {
	n := len(c.Words)
	at := func(i int) uint64 {
		switch {
		case i < 0:
			return begin
		case i >= n:
			return end
		}
		return v.stands(c, i)
	}
	opens := 0
	two, one := uint64(begin), uint64(begin) // the words before
	full := func() bool { return len(into) >= Most-5 }
	for i := 0; i <= n && !full(); i++ {
		w := at(i)
		if i < n {
			into = append(into, join(seedUni, w))
			if w == open || w == openCapital {
				opens++
			}
			if c.Words[i].capital && i > 0 && !c.shout && c.Words[i].end-c.Words[i].start > 1 {
				into = append(into, seedCapital)
			}
		}
		bi := join(join(seedBi, one), w)
		into = append(into, bi)
		if i > 0 {
			into = append(into, join(join(join(seedTri, two), one), w), join(join(seedSkip, two), w))
		}
		if i == 2 {
			into = append(into, join(join(join(seedFour, at(0)), one), w))
		}
		two, one = one, w
	}
	into = v.shape(into, c, mark, opens, at(0))
	for i := range c.Words {
		if full() {
			break
		}
		if w := c.Words[i]; w.kind == letters && !v.Has(w.Hash) {
			into = grams(into, c.letters[w.start:w.end])
		}
	}
	return into[:min(len(into), Most)]
}

// shape adds the features of the clause as a whole.
func (v *Vocabulary) shape(into []uint64, c *Clause, mark rune, opens int, first uint64) []uint64 {
	n := len(c.Words)
	length := uint64(min(n, 5))
	if n > 7 {
		length = 8
	}
	switch mark {
	case '?', '!':
	default:
		mark = '.'
	}
	into = append(into,
		join(seedLength, length),
		join(seedMark, uint64(mark)),
		join(join(seedMarkFirst, uint64(mark)), first),
		join(join(seedOpen, uint64(min(opens, 4))), uint64(min(n-opens, 4))))
	if c.title {
		into = append(into, join(seedTitle, uint64(min(n, 3))))
	}
	if n <= 4 {
		whole := uint64(seedWhole)
		for i := range n {
			whole = join(whole, v.stands(c, i))
		}
		into = append(into, whole)
	}
	return into
}

// stands returns the number that stands for a word: its own if the word is known, else that of its
// shape.
func (v *Vocabulary) stands(c *Clause, i int) uint64 {
	w := &c.Words[i]
	if v.Has(w.Hash) {
		return w.Hash
	}
	switch w.kind {
	case number:
		return figures
	case ordinal:
		return ordinals
	case code:
		return codes
	case address:
		return addresses
	case sign:
		return signs
	}
	if w.capital && i > 0 && !c.shout {
		return openCapital
	}
	return open
}

// Lengths of the runs of letters that are looked at, a word's edges counted.
const (
	minGram = 3
	maxGram = 5
)

// grams adds the runs of letters of a word.
func grams(into []uint64, b []byte) []uint64 {
	var room [maxWordBytes + 3]int
	hashing.Grams(b, seedGram, minGram, maxGram, room[:0], func(h uint64, _ int) {
		if len(into) < Most {
			into = append(into, mix(h))
		}
	})
	return into
}

// Hash returns one hash for all words of a clause from a given one on.
func (c *Clause) Hash(from int) uint64 {
	h := uint64(seedBag)
	for i := range c.Words[from:] {
		h = join(h, c.Words[from+i].Hash)
	}
	return h
}
