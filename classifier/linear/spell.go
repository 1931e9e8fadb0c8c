package linear

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/internal/hashing"
	"github.com/slotway/slotway/classifier/message"
)

// Dictionary knows the common words of the examples' language. It is safe for concurrent
// use and does not change; package memory/embed has one.
type Dictionary interface {
	// Rank is the place of a word, in lower case and without apostrophes, among the words of
	// the language, the most frequent first; ok is false for a word that it does not know. It
	// does not allocate, and keeps nothing of word.
	Rank(word []byte) (rank int, ok bool)
}

// Bounds of spelling repair. A shorter word is a neighbour of too many; a longer one is a
// code, or something pasted; a message with more words that nobody knows is in another
// language, or noise.
const (
	leastSpelled = 3    // letters of a word that is repaired
	leastOwn     = 2    // letters of a word that another is repaired to
	twiceSpelled = 6    // from here on two letters may be wrong
	blindSpelled = 6    // letters of a word that is repaired where no dictionary tells new words from misspelt ones
	mostSpelled  = 24   // letters; a longer word stays as it is
	rareRank     = 3000 // common words that are more frequent are meant as they are
	mostRepairs  = 24   // words of one message that are looked at
)

// speller repairs words that neither the agent nor the language knows. Only features use the
// result: values are taken from the text as the user wrote it.
type speller struct {
	own     *hashing.Table // number of a word by its hash
	words   []ownWord
	letters []rune               // of all words, one after the other
	from    [mostSpelled + 2]int // first word of each length
	common  Dictionary           // nil: none
}

// ownWord is a word of the examples, of names, or of an enumeration.
type ownWord struct {
	text  string
	docs  int32  // examples that hold it; 0: too few to repair another to it
	at    int32  // of its letters
	signs uint32 // which letters it has; see signsOf
	size  uint8  // letters
}

// newSpeller takes words with the number of examples that hold each.
func newSpeller(docs map[string]int32, common Dictionary) *speller {
	s := &speller{common: common}
	for text, n := range docs {
		if w := (ownWord{text: text, docs: n}); spelled(text) {
			w.size = uint8(utf8.RuneCountInString(text))
			s.words = append(s.words, w)
		}
	}
	slices.SortFunc(s.words, func(a, b ownWord) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.text, b.text))
	})
	s.own = hashing.NewTable(len(s.words))
	at := 0
	for size := range s.from {
		for at < len(s.words) && int(s.words[at].size) < size {
			at++
		}
		s.from[size] = at
	}
	for i := range s.words {
		w := &s.words[i]
		w.at = int32(len(s.letters))
		s.letters = append(s.letters, []rune(w.text)...)
		w.signs = signsOf(s.letters[w.at:])
		s.own.Put(wordHash([]byte(w.text)), int32(i))
	}
	return s
}

// spelled reports whether a word can be a slip: it consists of letters, and not of too many.
func spelled(text string) bool {
	n := 0
	for _, r := range text {
		if n++; n > mostSpelled || r == digitClass || isMask(r) {
			return false
		}
	}
	return n >= leastOwn
}

// signsOf is a set of the letters, each by its last five bits. A slip changes at most two.
func signsOf(letters []rune) uint32 {
	var signs uint32
	for _, r := range letters {
		signs |= 1 << (r & 31)
	}
	return signs
}

// misspelt is a word under repair.
type misspelt struct {
	letters [mostSpelled]rune
	n       int
	before  []byte // the word before it
	room    [mostSpelled + 1]byte
}

// read takes a word and reports whether it can be repaired.
func (m *misspelt) read(b []byte) bool {
	m.n = 0
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if m.n == mostSpelled || r == digitClass || isMask(r) {
			return false
		}
		m.letters[m.n] = r
		m.n++
		i += size
	}
	return m.n >= leastSpelled
}

// own reports whether a word is the agent's.
func (s *speller) isOwn(b []byte) bool {
	_, ok := s.own.Get(wordHash(b))
	return ok
}

// repair appends to into the known word for which m stands. b is its text and no word of the
// agent's. It returns false where the word is a frequent common one or nothing is near. A rare
// common word is replaced only by a near word of the agent's that follows the word before it in an
// example.
func (s *speller) repair(b []byte, m *misspelt, pairs *hashing.Table, into []byte) ([]byte, bool) {
	if s.common == nil && m.n < blindSpelled {
		return into, false
	}
	known := false
	if s.common != nil {
		rank, ok := s.common.Rank(b)
		if ok && rank < rareRank {
			return into, false
		}
		known = ok
	}
	var stem []byte
	if !known {
		stem = s.stem(b, m)
	}
	if w, follows := s.nearest(m, 1, pairs); w != nil && (!known || follows && !sameWord(b, w.text)) && strings.HasPrefix(w.text, string(stem)) {
		return append(into, w.text...), true
	}
	if len(stem) > 0 {
		return into, false
	}
	if known {
		return into, false
	}
	if s.commonNear(m) {
		return append(into, m.room[:m.n]...), true
	}
	if s.common != nil && m.n >= twiceSpelled {
		if w, _ := s.nearest(m, 2, pairs); w != nil {
			return append(into, w.text...), true
		}
	}
	return into, false
}

// nearest returns the agent's own word within a distance: one that follows the word before it in an
// example, else the one of the most examples, else the first by the alphabet.
func (s *speller) nearest(m *misspelt, distance int, pairs *hashing.Table) (w *ownWord, follows bool) {
	var best *ownWord
	signs := signsOf(m.letters[:m.n])
	from, to := s.from[max(m.n-distance, 0)], len(s.words)
	if most := m.n + distance + 1; most < len(s.from) {
		to = s.from[most]
	}
	for i := from; i < to; i++ {
		w := &s.words[i]
		if w.docs == 0 || bits.OnesCount32(signs^w.signs) > 2*distance || !message.Within(m.letters[:m.n], s.letters[w.at:][:w.size], distance) {
			continue
		}
		_, pair := pairs.Get(pairHash(m.before, []byte(w.text)))
		if best == nil || pair && !follows || pair == follows && w.docs > best.docs {
			best, follows = w, pair
		}
	}
	return best, follows
}
