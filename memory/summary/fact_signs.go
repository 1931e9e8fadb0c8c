package summary

import (
	"bytes"
	"strings"
)

// signs says which kinds of words a sentence has. It is a fast test before slow patterns.
type signs int

const (
	digit    signs = 1 << iota
	noun           // things
	standing       // states of things
	term           // terms and conditions
	self           // the person
	health
	bound   // limits
	mending // corrections
	giving  // consent
	called  // confirmations
	telling // what people tell about themselves
)

// signOf maps words to their signs.
var signOf = func() map[string]signs {
	out := map[string]signs{}
	for class, s := range map[string]signs{
		"thing": noun, "state": standing, "verdict": standing, "self": self, "health": health, "bound": bound, "correction": mending,
		"consent": giving, "confirmation": called, "telling": telling, "term": term,
	} {
		for _, phrase := range lists.Phrases(class) {
			for w := range strings.FieldsSeq(phrase) {
				out[w] |= s
			}
		}
	}
	return out
}()

// signsOf returns the signs of a sentence. It does not allocate, since it sees every message.
func signsOf(sentence string) (out signs) {
	var room [maxSign + 4]byte
	word := room[:0]
	for i := 0; i <= len(sentence); i++ {
		b := byte(' ')
		if i < len(sentence) {
			b = sentence[i]
		}
		switch {
		case b >= '0' && b <= '9':
			out |= digit
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			b |= 0x20
		default:
			out |= signOfWord(word)
			word = room[:0]
			continue
		}
		if len(word) < len(room) { // longer words have no sign
			word = append(word, b)
		}
	}
	return out
}

// signOfWord also finds inflected forms: orders, refunded, booking.
func signOfWord(word []byte) signs {
	out := signOf[string(word)]
	for _, ending := range endings {
		if stem, ok := bytes.CutSuffix(word, ending); ok {
			out |= signOf[string(stem)]
		}
	}
	return out
}

var endings = [...][]byte{[]byte("s"), []byte("ed"), []byte("ing")}

// maxSign is the length of the longest word in signOf.
const maxSign = 16
