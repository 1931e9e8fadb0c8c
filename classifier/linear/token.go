package linear

import (
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message/script"
)

// maxWordBytes bounds what one word contributes, so that a megabyte without a space
// costs no more than a long word.
const maxWordBytes = 64

// digitClass stands for any run of digits.
const digitClass = '0'

// word is a token of the lower-cased text: bytes [start, end) of tokens.buf, made of the
// bytes [from, to) of the text itself.
type word struct {
	start, end int
	from, to   int
	repaired   bool // it stands for a word that nobody knows
	unit       bool // it is a unit of a script without spaces, and no word
	function   bool // a unit of a function word
}

// tokens is the lower-cased text cut into words. It is reused between messages.
type tokens struct {
	buf     []byte
	words   []word
	folding *folding // nil: letters stay as they are written
}

// split fills t with the words of text: runs of letters, marks and digits, a run of
// digits shortened to one class character, apostrophes left out ("don't" is "dont"),
// every private-use rune a word of its own, and so every unit of a script without spaces.
func (t *tokens) split(text string) {
	t.buf, t.words = t.buf[:0], t.words[:0]
	start, from, digit, unit := -1, 0, false, 0
	end := func(to int) {
		if start >= 0 && len(t.buf) > start {
			t.words = append(t.words, word{start: start, end: len(t.buf), from: from, to: to})
		}
		start, digit = -1, false
	}
	for i, r := range text {
		switch {
		case i < unit: // has been taken
		case isMask(r):
			end(i)
			start, from = len(t.buf), i
			t.buf = utf8.AppendRune(t.buf, r)
			end(i + utf8.RuneLen(r))
		case unicode.IsDigit(r):
			if start < 0 {
				start, from = len(t.buf), i
			}
			if !digit {
				t.buf = append(t.buf, digitClass)
			}
			digit = true
		case script.Unspaced(r):
			end(i)
			unit = i + t.unit(text, i)
		case unicode.IsLetter(r) || unicode.IsMark(r):
			if start < 0 {
				start, from = len(t.buf), i
			}
			digit = false
			if len(t.buf)-start < maxWordBytes {
				t.letter(start, unicode.ToLower(r))
			}
		case r == '\'' || r == '’':
			// inside a word it is dropped, so "whats" and "what's" are one
		default:
			end(i)
		}
	}
	end(len(text))
}

// letter appends a letter to the word that begins at start.
func (t *tokens) letter(start int, r rune) {
	if t.folding == nil {
		t.buf = utf8.AppendRune(t.buf, r)
		return
	}
	t.buf = t.folding.append(t.buf, start, r)
}

// unit appends the unit that begins at a byte of text, and returns its length.
func (t *tokens) unit(text string, i int) int {
	n := script.Unit(text[i:])
	start := len(t.buf)
	t.buf = append(t.buf, text[i:i+min(n, maxWordBytes)]...)
	t.words = append(t.words, word{start: start, end: len(t.buf), from: i, to: i + n, unit: true})
	return n
}

// follows reports whether words i-1 and i are units of one run.
func (t *tokens) follows(i int) bool {
	return i > 0 && i < len(t.words) && t.words[i].unit && t.words[i-1].unit && t.words[i-1].to == t.words[i].from
}

// run is the run of units that begins at word i; nil where word i begins none.
func (t *tokens) run(i int) []byte {
	if t.follows(i) {
		return nil
	}
	last := i
	for t.follows(last + 1) {
		last++
	}
	return t.buf[t.words[i].start:t.words[last].end]
}

func (t *tokens) bytes(i int) []byte { return t.buf[t.words[i].start:t.words[i].end] }

// isMask reports whether r stands for a recognised span.
func isMask(r rune) bool { return r >= 0xE000 && r <= 0xF8FF }

// spoken counts the words that are not masks.
func (t *tokens) spoken() (n int) {
	for i := range t.words {
		if r, _ := utf8.DecodeRune(t.bytes(i)); !isMask(r) {
			n++
		}
	}
	return n
}
