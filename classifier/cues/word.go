package cues

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// word is a word of a message, or a sign that joins two of them.
type word struct {
	start, end int    // bytes
	from, to   int    // code points
	low        string // lower case, without apostrophes
	mark       rune   // punctuation before it: ',' for a pause, ':' or a sign that ends a sentence; 0: none
	value      int    // 1 + the index of the value that it is part of; 0: of none
}

// message is a text under reading.
type cutMessage struct {
	text  string
	words []word
	last  rune // punctuation behind the last word

	foreign bool // of another language than that of the tables
}

// signs are read as words of their own: they join values or announce one.
const signs = "-–—→>=+&/"

// read makes words of the tokens of a text. Apostrophes are dropped, so that "dont" is "don't".
func (m *cutMessage) read(text string, tokens []message.Token) {
	m.text, m.words, m.last = text, m.words[:0], 0
	var mark rune
	behind, points := 0, 0 // bytes and code points that are read
	for i := 0; i < len(tokens); {
		t := &tokens[i]
		end := message.RunEnd(tokens, i, func(k int) bool {
			return t.InWord() && (tokens[k].InWord() || tokens[k].IsApostrophe() && startsWord(tokens, k+1))
		})
		gap := text[behind:t.Start]
		if strings.Contains(gap, "\n") {
			mark = stronger(mark, '.')
		}
		points += utf8.RuneCountInString(gap)
		behind = tokens[end-1].End
		said := text[t.Start:behind]
		from := points
		points += utf8.RuneCountInString(said)
		switch {
		case t.InWord():
			m.words = append(m.words, word{start: t.Start, end: behind, from: from, to: points, low: lower(said), mark: mark})
			mark = 0
		case strings.Contains(signs, said):
			m.words = append(m.words, word{start: t.Start, end: behind, from: from, to: points, low: said, mark: mark})
			mark = 0
		default:
			mark = stronger(mark, markOf(text, t.Start, said))
		}
		i = end
	}
	if strings.Contains(text[behind:], "\n") {
		mark = stronger(mark, '.')
	}
	m.last = mark
}

// cut is read for a text whose tokens nobody has.
func (m *cutMessage) cut(text string) { m.read(text, message.Tokenize(text, nil)) }

// startsWord reports whether token i goes on the word before an apostrophe.
func startsWord(tokens []message.Token, i int) bool {
	return i < len(tokens) && tokens[i].Start == tokens[i-1].End && tokens[i].Class == message.Letters
}

// endings of a word behind an apostrophe that are dropped with it: "I'd rather".
var endings = []string{"'ll", "'d", "'ve"}

// lower is a word in lower case without apostrophes. What is short for two words keeps
// apart from what it would be spelled like: "we're" is not "were".
func lower(s string) string {
	if !strings.ContainsAny(s, "'’") {
		return strings.ToLower(s)
	}
	s = strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	if s == "we're" {
		return "weare"
	}
	for _, e := range endings {
		if rest, ok := strings.CutSuffix(s, e); ok {
			return rest
		}
	}
	return strings.ReplaceAll(s, "'", "")
}

// markOf is the punctuation that a rune is: a full stop inside of a figure is none.
func markOf(text string, i int, sign string) rune {
	r, n := utf8.DecodeRuneInString(sign)
	switch r {
	case ',', '…', '(', ')':
		return ','
	case ':':
		return ':'
	case '?', '!', ';', '。', '？', '！':
		return r
	case '.':
		if strings.HasPrefix(text[i+n:], ".") || i > 0 && text[i-1] == '.' {
			return ','
		}
		if next, _ := utf8.DecodeRuneInString(text[i+n:]); i+n < len(text) && message.InWord(next) {
			return 0
		}
		return '.'
	}
	return 0
}

// stronger keeps the mark that cuts deeper.
func stronger(a, b rune) rune {
	if depth(b) > depth(a) {
		return b
	}
	return a
}

func depth(mark rune) int {
	switch mark {
	case 0:
		return 0
	case ':':
		return 1
	case ',':
		return 2
	case '.', ';':
		return 3
	}
	return 4
}

// ends reports whether a mark ends a sentence.
func ends(mark rune) bool { return depth(mark) > 2 }

// low is the word at i in lower case; "" outside of the message.
func (m *cutMessage) low(i int) string {
	if i < 0 || i >= len(m.words) {
		return ""
	}
	return m.words[i].low
}

// mark is the punctuation before word i; behind the last one that of the end.
func (m *cutMessage) mark(i int) rune {
	if i >= len(m.words) {
		return m.last
	}
	return m.words[i].mark
}

// free reports whether there is a word at i that is no part of a value.
func (m *cutMessage) free(i int) bool { return i >= 0 && i < len(m.words) && m.words[i].value == 0 }

// span is a stretch of words, its end exclusive.
type span struct{ from, to int }

// locate gives the words of each value, and notes whose part a word is. Free text is the
// whole reply: words are not its part.
func (m *cutMessage) locate(values []message.Value, into []span) []span {
	for k, v := range values {
		if k > 0 && values[k-1].Start == v.Start && values[k-1].End == v.End {
			into = append(into, into[k-1])
			if !soft(v) {
				m.own(into[k], k)
			}
			continue
		}
		from, _ := slices.BinarySearchFunc(m.words, v.Start, func(w word, start int) int {
			if w.to <= start {
				return -1
			}
			return 1
		})
		to := from
		for to < len(m.words) && m.words[to].from < v.End {
			to++
		}
		into = append(into, span{from, to})
		if !soft(v) {
			m.own(into[k], k)
		}
	}
	return into
}

// forget takes the values off the words.
func (m *cutMessage) forget() {
	for i := range m.words {
		m.words[i].value = 0
	}
}

func (m *cutMessage) own(s span, k int) {
	for i := s.from; i < s.to; i++ {
		if m.words[i].value == 0 {
			m.words[i].value = k + 1
		}
	}
}

// soft reports whether a value is the whole reply, taken because nothing better was known.
func soft(v message.Value) bool { return v.Source == "text" }
