package cascade

import (
	"strings"
	"unicode"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config/language"
)

// piece is a word of a message, or a recognised span that counts as one.
type piece struct {
	start, end int     // bytes
	key        string  // lower case without apostrophes; one private-use rune for a span
	norm       *string // the normal form of the whole message: the keys with spaces between
	at         int     // where key begins in it
	mask       bool
	pause      bool // punctuation follows
}

// mask is a span that is replaced by its class.
type mask struct {
	start, end int // bytes
	class      rune
}

// cut makes pieces of the tokens of a text. masks are by start and do not overlap. The keys share one
// string, so that any run of pieces is joined already.
func cut(text string, tokens []message.Token, masks []mask) []piece {
	c := cutter{text: text, tokens: tokens, out: make([]piece, 0, len(tokens)+len(masks))}
	c.norm.Grow(len(text) + 4*len(masks))
	for _, m := range masks {
		c.words(m.start)
		c.begin(m.start, m.end, true)
		c.norm.WriteRune(m.class)
	}
	c.words(len(text))
	whole := c.norm.String()
	for i := range c.out {
		end := len(whole)
		if i+1 < len(c.out) {
			end = c.out[i+1].at - 1
		}
		c.out[i].key, c.out[i].norm = whole[c.out[i].at:end], &whole
	}
	return c.out
}

// cutter makes the pieces of one text.
type cutter struct {
	text   string
	tokens []message.Token // that are not in a piece yet
	out    []piece
	norm   strings.Builder
	end    int // of what was cut
}

// begin adds a piece whose key follows.
func (c *cutter) begin(start, end int, masked bool) {
	if len(c.out) > 0 {
		c.out[len(c.out)-1].pause = strings.ContainsAny(c.text[c.end:start], pauses)
		c.norm.WriteByte(' ')
	}
	c.out = append(c.out, piece{start: start, end: end, at: c.norm.Len(), mask: masked})
	c.end = max(c.end, end)
}

// words adds the words up to a byte. A span may begin or end within a token.
func (c *cutter) words(to int) {
	from := c.end
	for len(c.tokens) > 0 && c.tokens[0].End <= from {
		c.tokens = c.tokens[1:]
	}
	n := 0
	for n < len(c.tokens) && c.tokens[n].Start < to {
		n++
	}
	for first, last := range message.EachWord(c.tokens[:n]) {
		start, end := max(from, c.tokens[first].Start), min(to, c.tokens[last-1].End)
		c.begin(start, end, false)
		for _, r := range c.text[start:end] {
			if !message.IsApostrophe(r) {
				c.norm.WriteRune(unicode.ToLower(r))
			}
		}
	}
	if to == len(c.text) && len(c.out) > 0 {
		c.out[len(c.out)-1].pause = strings.ContainsAny(c.text[c.end:], pauses)
	}
}

// pauses are the marks between two pieces that part them.
const pauses = ",.;:!?-–—…()\n，。；：！？、（）"

// join is the normal form of neighbouring pieces: keys with spaces between.
func join(pieces []piece) string {
	if len(pieces) == 0 {
		return ""
	}
	last := &pieces[len(pieces)-1]
	return (*last.norm)[pieces[0].at : last.at+len(last.key)]
}

// Courtesy that changes nothing, in normal form. Greetings, thanks and a yes are not
// among the openings: they are leads, which may want an answer.
var (
	courtesyOpens  = phrases("courtesy opens")
	courtesyCloses = phrases("courtesy closes")
	connectors     = phrases("connector")
)

// lists are phrases of English in normal form by class.
var lists = language.Lists(language.English, "cascade.txt")

// phrases returns the phrases of a class.
func phrases(class string) map[string]bool { return setOf(lists.All(class)) }

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, p := range list {
		set[p] = true
	}
	return set
}

const longestCourtesy = 4 // words

// strip drops courtesy at both ends, but never everything.
func strip(pieces []piece, opens, closes map[string]bool) []piece {
	for again := true; again; {
		again = false
		for n := min(longestCourtesy, len(pieces)-1); n > 0; n-- {
			if opens[join(pieces[:n])] {
				pieces, again = pieces[n:], true
				break
			}
		}
		for n := min(longestCourtesy, len(pieces)-1); n > 0; n-- {
			if closes[join(pieces[len(pieces)-n:])] {
				pieces, again = pieces[:len(pieces)-n], true
				break
			}
		}
	}
	return pieces
}

// byteSpan is where a value stands, in bytes.
type byteSpan struct{ start, end int }

// byteSpans gives the byte offsets of values, whose own count code points.
func byteSpans(text string, values []message.Value) []byteSpan {
	if len(values) == 0 {
		return nil
	}
	at := message.PlacesOf(text)
	spans := make([]byteSpan, len(values))
	for i, v := range values {
		spans[i] = byteSpan{at.Byte(v.Start), at.Byte(v.End)}
	}
	return spans
}
