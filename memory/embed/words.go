package embed

import "unicode/utf8"

// maxWord is the number of letters of a word that count. The longest English words of the
// vocabulary have fewer than 24.
const maxWord = 48

// word collects the letters of the current word.
type word struct {
	letters [maxWord]byte
	n       int
}

// folded holds the base letter of each rune from U+00C0 to U+017F, '.' for none.
const folded = "aaaaaaaceeeeiiiidnooooo.ouuuuy.saaaaaaaceeeeiiiidnooooo.ouuuuy.y" +
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll" +
	"lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

// fold returns the lower-case ASCII letter of a rune beyond ASCII, or 0.
func fold(r rune) byte {
	if i := int(r) - 0xc0; i >= 0 && i < len(folded) && folded[i] != '.' {
		return folded[i]
	}
	return 0
}

// sumText adds up the rows of the words of text.
func (t *table) sumText(s *sum, text string) {
	var w word
	number := false // inside a run of digits that is counted already
	for i := 0; i < len(text); {
		c := text[i]
		size := 1
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			c |= 0x20
		case c < utf8.RuneSelf:
		default:
			var r rune
			if r, size = utf8.DecodeRuneInString(text[i:]); r == '’' {
				c = '\''
			} else {
				c = fold(r)
			}
		}
		i += size
		switch {
		case c >= 'a' && c <= 'z':
			number = false
			if w.n < maxWord {
				w.letters[w.n] = c
				w.n++
			}
			continue
		case c == '\'':
			continue
		}
		t.addWord(s, &w)
		digit := c >= '0' && c <= '9'
		if digit && !number {
			t.addKey(s, "0")
		}
		number = digit || number && (c == '.' || c == ',')
	}
	t.addWord(s, &w)
}

// addKey adds the row of a key, if there is one.
func (t *table) addKey(s *sum, key string) {
	h := uint64(fnvOffset)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * fnvPrime
	}
	if row, ok := t.find(h); ok {
		t.add(s, row)
	}
}

// addWord adds the row of a word, or the rows of its pieces, and empties the word.
func (t *table) addWord(s *sum, w *word) {
	if w.n == 0 {
		return
	}
	h := uint64(fnvOffset)
	for _, c := range w.letters[:w.n] {
		h = (h ^ uint64(c)) * fnvPrime
	}
	if row, ok := t.find(h); ok {
		t.add(s, row)
	} else {
		t.addPieces(s, w.letters[:w.n])
	}
	w.n = 0
}

// addPieces cuts letters into the longest known beginning and then the longest known continuations.
// It skips a letter that begins none.
func (t *table) addPieces(s *sum, letters []byte) {
	start := uint64(fnvOffset)
	for len(letters) > 0 {
		h, length, best := start, 1, uint32(freeSlot)
		for i, c := range letters {
			h = (h ^ uint64(c)) * fnvPrime
			if row, ok := t.find(h); ok {
				best, length = row, i+1
			}
		}
		if best != freeSlot {
			t.add(s, best)
		}
		letters = letters[length:]
		// A continuation's key begins with '#'. The first state is a variable so that the
		// multiplication wraps around, which a constant may not.
		start = (uint64(fnvOffset) ^ '#')
		start *= fnvPrime
	}
}

// rank returns the row of a whole word: rows are ordered by falling frequency.
func (t *table) rank(word []byte) (int, bool) {
	h := uint64(fnvOffset)
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return 0, false
		}
		h = (h ^ uint64(c)) * fnvPrime
	}
	row, ok := t.find(h)
	return int(row), ok && len(word) > 0
}
