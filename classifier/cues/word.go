package cues

import (
	"slices"
	"strings"
	"unicode"
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

// read cuts a text into words. Apostrophes are dropped, so that "dont" is "don't".
func (m *cutMessage) read(text string) {
	m.text, m.words, m.last = text, m.words[:0], 0
	var mark rune
	at := 0 // code points
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case isWord(r):
			end, count, plain := wordEnd(text, i)
			low := text[i:end]
			if !plain {
				low = lower(low)
			}
			m.words = append(m.words, word{start: i, end: end, from: at, to: at + count, low: low, mark: mark})
			mark = 0
			at += count
			i = end
			continue
		case strings.ContainsRune(signs, r):
			m.words = append(m.words, word{start: i, end: i + n, from: at, to: at + 1, low: text[i : i+n], mark: mark})
			mark = 0
		default:
			mark = stronger(mark, markOf(text, i, r, n))
		}
		i += n
		at++
	}
	m.last = mark
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// wordEnd is where the word that begins at i ends, and how many code points it has. plain
// says that it is in lower case already.
func wordEnd(text string, i int) (end, count int, plain bool) {
	plain = true
	for i < len(text) {
		if c := text[i]; 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
			i++
			count++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\'' || r == '’' {
			if next, _ := utf8.DecodeRuneInString(text[i+n:]); !unicode.IsLetter(next) {
				break
			}
		} else if !isWord(r) {
			break
		}
		plain = false
		i += n
		count++
	}
	return i, count, plain
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
func markOf(text string, i int, r rune, n int) rune {
	switch r {
	case ',', '…', '(', ')':
		return ','
	case ':':
		return ':'
	case '\n':
		return '.'
	case '?', '!', ';', '。', '？', '！':
		return r
	case '.':
		if strings.HasPrefix(text[i+n:], ".") || i > 0 && text[i-1] == '.' {
			return ','
		}
		if next, _ := utf8.DecodeRuneInString(text[i+n:]); i+n < len(text) && isWord(next) {
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
