package feature

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// Word is a word of a clause in its folded form.
type Word struct {
	Hash    uint64 // of the folded letters
	start   int    // in Clause.letters
	end     int
	kind    kind
	capital bool
}

type kind uint8

const (
	letters kind = iota
	number       // 12, 3.50
	ordinal      // 2nd
	code         // O-12, 4b
	address      // ana@example.com
	sign         // 👍, $
)

// Clause is a clause cut into words. It is reused between clauses.
type Clause struct {
	Words   []Word
	letters []byte
	cut     []message.Token
	upper   bool // a capital other than I
	lower   bool // a letter that is none
	shout   bool // all in capitals
	title   bool // every word begins with a capital
}

const (
	maxWords     = 40 // of a clause; what it does shows in its first words
	maxWordBytes = 48
)

// Read makes words of the tokens of text, folded: lower case, no apostrophes, no more than two equal
// letters in a row.
func (c *Clause) Read(text string) { c.read(text, maxWords) }

func (c *Clause) read(text string, most int) {
	c.Words, c.letters, c.cut = c.Words[:0], c.letters[:0], message.Tokenize(text, c.cut[:0])
	c.upper, c.lower = false, false
	for i := 0; i < len(c.cut) && len(c.Words) < most; {
		switch r, _ := utf8.DecodeRuneInString(c.cut[i].Text); {
		case c.cut[i].InWord():
			i = c.word(text, i)
			continue
		case unicode.IsSymbol(r) && !modifier(r) || r == '%' || r == '&' || r == '@' || r == '#':
			c.sign(r)
		}
		i++
	}
	c.shout = c.upper && !c.lower
	c.title = len(c.Words) > 1 && !c.shout
	for _, w := range c.Words {
		c.title = c.title && (w.capital || w.kind != letters)
	}
}

func (c *Clause) sign(r rune) {
	start := len(c.letters)
	c.letters = utf8.AppendRune(c.letters, r)
	c.Words = append(c.Words, Word{Hash: hash(seedWord, c.letters[start:]), start: start, end: len(c.letters), kind: sign})
}

// modifier reports whether r colours the sign before it: a skin tone.
func modifier(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

// word reads the word that begins with token i and returns its end.
func (c *Clause) word(text string, i int) (end int) {
	w := Word{start: len(c.letters)}
	var last rune
	run, digits, alphas, inner := 0, 0, 0, false
	goesOn := func(k int) bool {
		t := &c.cut[k]
		r, n := utf8.DecodeRuneInString(t.Text)
		switch {
		case t.InWord() || isApostrophe(r):
			return true
		case !inside(text, t.Start, n, r) || alphas > 0 && digits == 0 && r == '-': // "wake-up" is two words, "O-12" one
			return false
		}
		inner = inner || r == '@'
		return true
	}
	for end = i; end == i || end < len(c.cut) && c.cut[end].Start == c.cut[end-1].End && goesOn(end); end++ {
		for _, r := range c.cut[end].Text {
			switch {
			case !message.InWord(r):
				continue
			case unicode.IsDigit(r):
				digits++
			case unicode.IsUpper(r):
				w.capital = w.capital || digits+alphas == 0
				c.upper = c.upper || r != 'I'
				alphas++
			default:
				c.lower = true
				alphas++
			}
			r = unicode.ToLower(r)
			if run++; r != last {
				run = 1
			}
			last = r
			if run <= 2 && len(c.letters)-w.start < maxWordBytes {
				c.letters = utf8.AppendRune(c.letters, r)
			}
		}
	}
	w.end = len(c.letters)
	b := c.letters[w.start:w.end]
	w.kind = kindOf(b, digits, alphas, inner)
	w.Hash = hash(seedWord, b)
	c.Words = append(c.Words, w)
	c.settle()
	return end
}

func kindOf(b []byte, digits, alphas int, inner bool) kind {
	switch {
	case inner:
		return address
	case digits == 0:
		return letters
	case alphas == 0:
		return number
	case len(b) > 3 && isTail(string(b[len(b)-2:])) && alphas == 2:
		return number // the 31st is a day
	case len(b) > 2 && b[0] >= '0' && b[0] <= '9' && isTail(string(b[len(b)-2:])):
		return ordinal
	}
	return code
}

func isTail(s string) bool { return s == "st" || s == "nd" || s == "rd" || s == "th" }

func isApostrophe(r rune) bool {
	return r == '\'' || r == '’' || r == '‘' || r == '´' || r == '`'
}

// inside reports whether a mark stands between two letters or figures and joins them.
func inside(text string, i, n int, r rune) bool {
	switch r {
	case '.', '-', '@', '_', ',', ':', '‐', '‑':
	default:
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	if r == ',' || r == ':' {
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	return message.InWord(before) && message.InWord(after)
}

// Signs returns the phrases of a comma-separated list that hold neither a letter nor a figure.
func Signs(list string) []string {
	var out []string
	for line := range strings.Lines(list) {
		for phrase := range strings.SplitSeq(strings.TrimSpace(line), ", ") {
			if phrase != "" && !strings.ContainsFunc(phrase, message.InWord) {
				out = append(out, phrase)
			}
		}
	}
	return out
}
