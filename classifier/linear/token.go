package linear

import (
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
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
	cut     []message.Token
	buf     []byte
	words   []word
	folding *folding // nil: letters stay as they are written
}

// split fills t with the words of text: letters and figures that touch, a run of figures shortened
// to one class character, apostrophes left out ("don't" is "dont"). A rune for private use is a word of
// its own, and so is every unit of a script without spaces.
func (t *tokens) split(text string) {
	t.buf, t.words, t.cut = t.buf[:0], t.words[:0], message.Tokenize(text, t.cut[:0])
	for i := 0; i < len(t.cut); {
		tok := &t.cut[i]
		switch r, _ := utf8.DecodeRuneInString(tok.Text); {
		case script.Unspaced(r):
			t.put(tok, min(len(tok.Text), maxWordBytes), true)
		case isMask(r):
			t.put(tok, len(tok.Text), false)
		case tok.InWord():
			end := message.RunEnd(t.cut, i, func(k int) bool {
				return t.cut[k].IsApostrophe() || t.cut[k].InWord() && !message.IsUnit(t.cut[k].Text)
			})
			t.join(t.cut[i:end])
			i = end
			continue
		}
		i++
	}
}

// put adds a token as a word.
func (t *tokens) put(tok *message.Token, most int, unit bool) {
	start := len(t.buf)
	t.buf = append(t.buf, tok.Text[:most]...)
	t.words = append(t.words, word{start: start, end: len(t.buf), from: tok.Start, to: tok.End, unit: unit})
}

// join adds tokens as one word.
func (t *tokens) join(run []message.Token) {
	start, digit := len(t.buf), false
	for k := range run {
		for _, r := range run[k].Text {
			switch {
			case message.IsApostrophe(r):
			case unicode.IsDigit(r):
				if !digit {
					t.buf = append(t.buf, digitClass)
				}
				digit = true
			default:
				digit = false
				if len(t.buf)-start < maxWordBytes {
					t.letter(start, unicode.ToLower(r))
				}
			}
		}
	}
	if len(t.buf) > start {
		t.words = append(t.words, word{start: start, end: len(t.buf), from: run[0].Start, to: run[len(run)-1].End})
	}
}

// letter appends a letter to the word that begins at start.
func (t *tokens) letter(start int, r rune) {
	if t.folding == nil {
		t.buf = utf8.AppendRune(t.buf, r)
		return
	}
	t.buf = t.folding.append(t.buf, start, r)
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
