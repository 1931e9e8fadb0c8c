package message

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message/script"
)

// Class is the kind of characters of a token.
type Class uint8

const (
	Letters Class = iota // letters and marks, apostrophes inside
	Digits               // ASCII digits
	Symbol               // one other character, a mark without its letter among them
)

// Token is a piece of a message. Offsets are bytes.
type Token struct {
	Start, End int
	Text       string // as typed
	Low        string // lower case, straight apostrophes
	Class      Class
}

// Tokenize appends the tokens of text to into. White space separates and is dropped. A unit of
// a script without spaces is a token: a value is found wherever it stands in a run.
func Tokenize(text string, into []Token) []Token {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
		case r >= '0' && r <= '9':
			end := i + 1
			for end < len(text) && text[end] >= '0' && text[end] <= '9' {
				end++
			}
			into = append(into, Token{i, end, text[i:end], text[i:end], Digits})
			i = end
		case script.Unspaced(r):
			end := i + script.Unit(text[i:])
			into = append(into, Token{i, end, text[i:end], text[i:end], Letters})
			i = end
		case unicode.IsLetter(r):
			end := wordEnd(text, i)
			into = append(into, Token{i, end, text[i:end], Fold(text[i:end]), Letters})
			i = end
		default:
			into = append(into, Token{i, i + n, text[i : i+n], text[i : i+n], Symbol})
			i += n
		}
	}
	return into
}

// IsLetter reports whether a character is a letter or a mark of one.
func IsLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// wordEnd returns where the word that starts at i ends. An apostrophe belongs to it
// when a letter follows.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\'' || r == '’' {
			if next, _ := utf8.DecodeRuneInString(text[i+n:]); !IsLetter(next) || next == utf8.RuneError {
				break
			}
		} else if !IsLetter(r) || script.Unspaced(r) {
			break
		}
		i += n
	}
	return i
}

// Low is the lower-case form of token i; "" outside of the message or when taken.
func (s *Message) Low(i int) string {
	if i < 0 || i >= len(s.Tokens) || s.Taken[i] {
		return ""
	}
	return s.Tokens[i].Low
}

// Says reports whether token i is one of a few words.
func (s *Message) Says(i int, words ...string) bool {
	return slices.Contains(words, s.Low(i))
}

// Skip counts 1 where token i is one of a few words.
func (s *Message) Skip(i int, words ...string) int { return Btoi(s.Says(i, words...)) }

// Is reports whether token i is one of words.
func (s *Message) Is(i int, words Set) bool { return words[s.Low(i)] }

// Digits returns the text of token i if it is a run of digits of a length in [min, max].
func (s *Message) Digits(i, least, most int) string {
	if w := s.Low(i); w != "" && s.Tokens[i].Class == Digits && len(w) >= least && len(w) <= most {
		return w
	}
	return ""
}

// Glued reports whether token i touches the one before it.
func (s *Message) Glued(i int) bool {
	return i > 0 && i < len(s.Tokens) && s.Tokens[i].Start == s.Tokens[i-1].End
}

// SymbolAt reports whether token i is one of the characters of chars.
func (s *Message) SymbolAt(i int, chars string) bool {
	w := s.Low(i)
	return w != "" && s.Tokens[i].Class == Symbol && strings.Contains(chars, w)
}

// Capital reports whether token i starts with an upper-case letter.
func (s *Message) Capital(i int) bool {
	if s.Low(i) == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.Tokens[i].Text)
	return unicode.IsUpper(r)
}

// Phrase returns how many tokens at i spell one of the phrases (words joined by single
// spaces), the longest that does, or 0.
func (s *Message) Phrase(i int, phrases []string) int {
	best := 0
	for _, p := range phrases {
		n := 0
		for rest, more := p, true; more; n++ {
			var w string
			w, rest, more = strings.Cut(rest, " ")
			if s.Low(i+n) != w {
				n = -1
				break
			}
		}
		best = max(best, n)
	}
	return best
}

// Set is a set of words.
type Set map[string]bool

// Words makes a set of words parted by white space.
func Words(list string) Set {
	s := Set{}
	for w := range strings.FieldsSeq(list) {
		s[w] = true
	}
	return s
}

// IsUnit reports whether a word is a unit of a script without spaces, and so perhaps only a part
// of a word.
func IsUnit(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return script.Unspaced(r)
}

// InRun reports whether token i goes on a run of units.
func (s *Message) InRun(i int) bool {
	return s.Glued(i) && IsUnit(s.Tokens[i].Text) && IsUnit(s.Tokens[i-1].Text)
}

// RunsOf are the runs of at least two units that text has.
func RunsOf(text string) (runs []string) {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !script.Unspaced(r) {
			i += n
			continue
		}
		end, units := i, 0
		for end < len(text) {
			if r, _ := utf8.DecodeRuneInString(text[end:]); !script.Unspaced(r) {
				break
			}
			end += script.Unit(text[end:])
			units++
		}
		if units > 1 {
			runs = append(runs, text[i:end])
		}
		i = end
	}
	return runs
}

// Union makes one set of the words of several tables.
func Union(tables ...iter.Seq[string]) Set {
	s := Set{}
	for _, t := range tables {
		for w := range t {
			s[w] = true
		}
	}
	return s
}
