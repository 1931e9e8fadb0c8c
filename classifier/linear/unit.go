package linear

// loneUnit is what a unit that is known, but in no pair that is, counts when it is asked how
// much of a text is known: the signs of any text are those of any other, it is the words that
// differ.
const loneUnit = 0.3

// countUnit counts a unit, and with the first one of a run the n-grams of the run. It returns
// what countWord does.
func (v *vocabulary) countUnit(i int, s *scratch) (share, weight float32) {
	t := &s.tokens
	if run := t.run(i); run != nil {
		s.bounds = eachGram(run, s.bounds, func(h uint64, _ int) { v.touch(h, s) })
	}
	f, found := v.touch(wordHash(t.bytes(i)), s)
	if !found {
		return 0, v.max
	}
	before, after := t.follows(i), t.follows(i+1)
	if before && v.pair(i-1, s) || after && v.pair(i, s) || !before && !after {
		return 1, v.idf[f]
	}
	return loneUnit, v.idf[f]
}

// pair reports whether words i and i+1 are known to follow each other.
func (v *vocabulary) pair(i int, s *scratch) bool {
	_, ok := v.table.get(pairHash(s.tokens.bytes(i), s.tokens.bytes(i+1)))
	return ok
}
