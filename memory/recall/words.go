package recall

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// maxTerm is the length of the longest term in bytes; longer words are cut. Few words are longer,
// and those hardly occur twice.
const maxTerm = 40

// scanner makes terms of a text: stems of words without stop words, numbers, and pairs of letters of
// scripts without spaces. It reuses its buffers.
type scanner struct {
	cut     []message.Token
	buf     [maxTerm + 8]byte
	word    [maxTerm + 8]byte
	wordLen int
	last    rune // previous letter of a script without spaces
}

// terms calls visit with each term of text. The bytes are valid only during the call.
func (s *scanner) terms(text string, visit func(term []byte)) {
	s.cut = message.Tokenize(text, s.cut[:0])
	for i := 0; i < len(s.cut); {
		tok := &s.cut[i]
		if i == 0 || tok.Start > s.cut[i-1].End || !message.IsUnit(tok.Text) {
			s.last = 0
		}
		if message.IsUnit(tok.Text) {
			for _, r := range tok.Text {
				s.pair(r, visit)
			}
			i++
			continue
		}
		end := message.RunEnd(s.cut, i, func(k int) bool {
			next := &s.cut[min(k+1, len(s.cut)-1)]
			return tok.InWord() && (s.cut[k].InWord() && !message.IsUnit(s.cut[k].Text) || s.cut[k].IsApostrophe() && next.Class == message.Letters && next.Start == s.cut[k].End)
		})
		if tok.InWord() {
			s.whole(s.cut[i:end], visit)
		}
		i = end
	}
}

// surface returns the word, in lower case, of the term being visited.
func (s *scanner) surface() []byte { return s.word[:s.wordLen] }

// whole visits the term of a word, which has no apostrophes and no possessive s.
func (s *scanner) whole(run []message.Token, visit func([]byte)) {
	n, ascii := 0, true
	for k := range run {
		low := run[k].Low
		if k == len(run)-1 {
			low = strings.TrimSuffix(low, "'s")
		}
		for _, r := range low {
			if !message.IsApostrophe(r) && n < maxTerm {
				n += utf8.EncodeRune(s.buf[n:], r)
				ascii = ascii && r < utf8.RuneSelf
			}
		}
	}
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
