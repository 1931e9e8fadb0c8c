package linear

import "bytes"

// Beginnings and endings that make words of words. Nobody has a list of all that they make, so a
// word that is one without them is no slip of a word on another stem: "unsupported", "swiped".
var (
	prefixes = [][]byte{[]byte("un"), []byte("re")}
	endings  = []string{"s", "es", "ed", "d", "ing", "ly", "er", "r"}
)

const leastStem = 4 // letters of what is left; shorter ones are left of many a slip

// stem returns the part of an unknown word that a known word accounts for, with its prefix, as it
// is written. It is empty where the word contains no known one.
func (s *speller) stem(b []byte, m *misspelt) []byte {
	for _, prefix := range prefixes {
		if rest, ok := bytes.CutPrefix(b, prefix); ok && len(rest) >= leastStem {
			if s.knows(rest) {
				return b
			}
			if n := s.inflected(rest, m); n > 0 {
				return b[:len(prefix)+n]
			}
		}
	}
	return b[:s.inflected(b, m)]
}

// inflected returns how many letters an unknown word shares with the known word that it is with an
// ending: an e may be missing, or the last letter doubled. It is 0 for other words.
func (s *speller) inflected(b []byte, m *misspelt) int {
	for _, ending := range endings {
		n := len(b) - len(ending)
		if n < leastStem || n+1 > len(m.room) || string(b[n:]) != ending {
			continue
		}
		afterE := ending == "d" || ending == "r"
		if s.knows(b[:n]) && (!afterE || b[n-1] == 'e') {
			return n
		}
		if afterE || ending == "s" || ending == "ly" {
			continue
		}
		if b[n-1] == b[n-2] && s.knows(b[:n-1]) {
			return n - 1
		}
		m.room[copy(m.room[:], b[:n])] = 'e'
		if s.knows(m.room[:n+1]) {
			return n
		}
	}
	return 0
}

// knows reports whether a word is one of the agent's or a common one.
func (s *speller) knows(b []byte) bool {
	if s.isOwn(b) {
		return true
	}
	if s.common == nil {
		return false
	}
	_, ok := s.common.Rank(b)
	return ok
}

// sameWord reports whether one word is the other with an ending.
func sameWord(a []byte, b string) bool {
	n := min(len(a), len(b))
	if n < leastStem || string(a[:n]) != b[:n] {
		return false
	}
	for _, ending := range endings {
		if string(a[n:]) == ending || b[n:] == ending {
			return true
		}
	}
	return false
}
