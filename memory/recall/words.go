package recall

import (
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// maxTerm is the length of the longest term in bytes; longer words are cut. Few words are longer,
// and those hardly occur twice.
const maxTerm = 40

// scanner splits a text into terms: stems of words without stop words, numbers, and pairs of
// letters of scripts without spaces. It reuses its buffers.
type scanner struct {
	buf     [maxTerm + 8]byte
	word    [maxTerm + 8]byte
	wordLen int
	last    rune // previous letter of a script without spaces
}

// terms calls visit with each term of text. The bytes are valid only during the call.
func (s *scanner) terms(text string, visit func(term []byte)) {
	n, ascii := 0, true
	s.last = 0
	flush := func() {
		if n > 0 {
			s.whole(n, ascii, visit)
		}
		n, ascii = 0, true
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			class := asciiClass[c]
			switch {
			case class != 0:
				s.last = 0
				if n < maxTerm {
					s.buf[n] = class
					n++
				}
			case c == '\'' && n > 0 && startsLetter(text[i:]):
				if possessive(text[i:]) {
					i++
				}
			default:
				s.last = 0
				flush()
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r == '’' && n > 0 && startsLetter(text[i:]):
			if possessive(text[i:]) {
				i++
			}
		case unspaced(r):
			flush()
			s.pair(r, visit)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			s.last = 0
			if n < maxTerm {
				n += utf8.EncodeRune(s.buf[n:], unicode.ToLower(r))
				ascii = false
			}
		default:
			s.last = 0
			flush()
		}
	}
	flush()
}

// asciiClass maps letters and digits to lower case, and the rest to 0.
var asciiClass = func() (t [utf8.RuneSelf]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return t
}()

func startsLetter(rest string) bool {
	return rest != "" && rest[0] < utf8.RuneSelf && asciiClass[rest[0]] >= 'a'
}

// possessive reports whether the rest is an s without a letter after it.
func possessive(rest string) bool {
	if rest == "" || rest[0] != 's' && rest[0] != 'S' {
		return false
	}
	return len(rest) == 1 || rest[1] < utf8.RuneSelf && asciiClass[rest[1]] == 0
}

// surface returns the word, in lower case, of the term being visited.
func (s *scanner) surface() []byte { return s.word[:s.wordLen] }

func (s *scanner) whole(n int, ascii bool, visit func([]byte)) {
	w := s.buf[:n]
	s.wordLen = copy(s.word[:], w)
	if !ascii {
		visit(w)
		return
	}
	if _, stop := stopWords[string(w)]; stop {
		return
	}
	if base, ok := irregular[string(w)]; ok {
		w = append(s.buf[:0], base...)
	}
	if w[0] >= 'a' {
		w = message.Stem(w)
	}
	visit(w)
}

// pair visits a letter of a script without spaces together with the one before it.
func (s *scanner) pair(r rune, visit func([]byte)) {
	if s.last != 0 {
		n := utf8.EncodeRune(s.buf[:], s.last)
		n += utf8.EncodeRune(s.buf[n:], r)
		s.wordLen = 0
		visit(s.buf[:n])
	}
	s.last = r
}

func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// dateTerms visits the terms of a day: month, day and year. So "in May 2023" finds what was said
// then.
func (s *scanner) dateTerms(t time.Time, visit func([]byte)) {
	if t.IsZero() {
		return
	}
	s.wordLen = 0
	year, month, day := t.Date()
	visit(append(s.buf[:0], monthTerms[month-1]...))
	visit(strconv.AppendInt(s.buf[:0], int64(day), 10))
	visit(strconv.AppendInt(s.buf[:0], int64(year), 10))
}

// monthTerms are the stems of the months' names.
var monthTerms = [12]string{
	"januari", "februari", "march", "april", "mai", "june", "juli", "august", "septemb", "octob", "novemb", "decemb",
}

// asks reports whether a text ends in a question mark.
func asks(text string) bool {
	for len(text) > 0 {
		r, size := utf8.DecodeLastRuneInString(text)
		if !unicode.IsSpace(r) && r != '"' && r != ')' {
			return r == '?' || r == '？'
		}
		text = text[:len(text)-size]
	}
	return false
}
