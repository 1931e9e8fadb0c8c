package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/script"
)

// class is what a token is made of.
type class uint8

const (
	letters class = iota // letters and marks, apostrophes inside
	digits               // ASCII digits
	symbol               // one other character
)

// token is a piece of a message. Offsets are bytes.
type token struct {
	start, end int
	text       string // as typed
	low        string // lower case, straight apostrophes
	class      class
}

// tokenize appends the tokens of text to into. White space separates and is dropped. A unit of
// a script without spaces is a token: a value is found wherever it stands in a run.
func tokenize(text string, into []token) []token {
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
			into = append(into, token{i, end, text[i:end], text[i:end], digits})
			i = end
		case script.Unspaced(r):
			end := i + script.Unit(text[i:])
			into = append(into, token{i, end, text[i:end], text[i:end], letters})
			i = end
		case isLetter(r):
			end := wordEnd(text, i)
			into = append(into, token{i, end, text[i:end], fold(text[i:end]), letters})
			i = end
		default:
			into = append(into, token{i, i + n, text[i : i+n], text[i : i+n], symbol})
			i += n
		}
	}
	return into
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// wordEnd returns where the word that starts at i ends. An apostrophe belongs to it
// when a letter follows.
func wordEnd(text string, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\'' || r == '’' {
			if next, _ := utf8.DecodeRuneInString(text[i+n:]); !isLetter(next) || next == utf8.RuneError {
				break
			}
		} else if !isLetter(r) || script.Unspaced(r) {
			break
		}
		i += n
	}
	return i
}

func fold(s string) string {
	if strings.Contains(s, "’") {
		s = strings.ReplaceAll(s, "’", "'")
	}
	return strings.ToLower(s)
}

// scan is a message under recognition.
type scan struct {
	text   string
	tokens []token
	taken  []bool // tokens inside a pattern, an address or the like
	exact  []bool // tokens of what a built-in type found
	bytes  byteSet

	knows    func(word string) bool // common words of the language; nil: nobody says
	several  bool                   // the asked param takes many values
	currency string                 // ISO 4217 code that a bare "dollar" means where it may
	only     string                 // the one built-in type that is looked for, "" for all

	clock clock
	asked string // built-in type of the open question, "" for none

	peopled    bool // some param counts people
	ranges     bool // ranges and recurrences are looked for, not only days and times
	joins      int  // the last token that may join the ends of a range; 0: none does
	opens      bool // a word that may open an end of what stands before it is there
	atRangeEnd bool // an end of a range is being read
	vague      bool // what was read last counts "a few"
	beside     bool // the day is being read that another one is beside

	tongue  *tongue // the language where it is not English
	*speech         // what is known of the message in it; nil in English
}

// low is the lower-case form of token i; "" outside of the message or when taken.
func (s *scan) low(i int) string {
	if i < 0 || i >= len(s.tokens) || s.taken[i] {
		return ""
	}
	return s.tokens[i].low
}

// is reports whether token i is one of words.
func (s *scan) is(i int, words set) bool { return words[s.low(i)] }

// digits returns the text of token i if it is a run of digits of a length in [min, max].
func (s *scan) digits(i, least, most int) string {
	if w := s.low(i); w != "" && s.tokens[i].class == digits && len(w) >= least && len(w) <= most {
		return w
	}
	return ""
}

// glued reports whether token i touches the one before it.
func (s *scan) glued(i int) bool {
	return i > 0 && i < len(s.tokens) && s.tokens[i].start == s.tokens[i-1].end
}

// symbolAt reports whether token i is one of the characters of chars.
func (s *scan) symbolAt(i int, chars string) bool {
	w := s.low(i)
	return w != "" && s.tokens[i].class == symbol && strings.Contains(chars, w)
}

// capital reports whether token i starts with an upper-case letter.
func (s *scan) capital(i int) bool {
	if s.low(i) == "" {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.tokens[i].text)
	return unicode.IsUpper(r)
}

// phrase returns how many tokens at i spell one of the phrases (words joined by single
// spaces), the longest that does, or 0.
func (s *scan) phrase(i int, phrases []string) int {
	best := 0
	for _, p := range phrases {
		n := 0
		for rest, more := p, true; more; n++ {
			var w string
			w, rest, more = strings.Cut(rest, " ")
			if s.low(i+n) != w {
				n = -1
				break
			}
		}
		best = max(best, n)
	}
	return best
}

// set is a set of words.
type set map[string]bool

func words(list string) set {
	s := set{}
	for w := range strings.FieldsSeq(list) {
		s[w] = true
	}
	return s
}
