package message

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Term is a word or a phrase of a class.
type Term struct {
	Class string
	Value string
	Num   float64
	Words []string
}

// phraseAt returns the longest term of a class at token i, and its length.
func (s *Message) TermAt(i int, class string) (t Term, n int) {
	w := s.Low(i)
	if w == "" {
		return t, 0
	}
	for _, e := range s.Terms[i] {
		if e.Class != class {
			continue
		}
		if k := s.SpellsTerm(i, e.Words); k > n {
			t, n = e, k
		}
	}
	if n == 0 && Mendable[class] && !s.Language.Coded && len(s.Terms[i]) == 0 {
		return s.mended(i, w, class)
	}
	return t, n
}

// SpellsTerm counts the tokens at i that spell the words, which hyphens may join.
func (s *Message) SpellsTerm(i int, words []string) int {
	n := 0
	for k, w := range words {
		if k > 0 && s.SymbolAt(i+n, "-‐‑") && s.Glued(i+n) {
			n++
		}
		if s.Low(i+n) != w {
			return 0
		}
		n++
	}
	return n
}

// IsTerm reports whether a term of a class stands at token i.
func (s *Message) IsTerm(i int, class string) bool {
	_, n := s.TermAt(i, class)
	return n > 0
}

// EndsTerm counts the tokens of the longest term of a class that ends before token i.
func (s *Message) EndsTerm(i int, class string) int {
	for n := min(longestTerm, i); n > 0; n-- {
		if _, k := s.TermAt(i-n, class); k == n {
			return n
		}
	}
	return 0
}

const longestTerm = 4

// TurnedRound returns where the words begin that take what stands at token i away from all, "all but
// the red one", or i where there are none.
func (s *Message) TurnedRound(i int) int {
	at := i - s.EndsTerm(i, "the")
	if n := s.EndsTerm(at, "except"); n > 0 {
		return at - n
	}
	return i
}

// PhraseEnds reports whether the word before token i neither counts nor names the word there.
func (s *Message) PhraseEnds(i int) bool {
	return i >= len(s.Tokens) || s.Tokens[i].Class == Symbol && !(s.Glued(i) && s.SymbolAt(i, "-/%$€")) || s.IsTerm(i, "phrase_end")
}

// cutElided divides the tokens whose article is cut short, "d'avril", where what follows is
// a word of the tables; other words stay whole.
func (s *Message) cutElided() {
	if len(s.Language.Elided) == 0 || !strings.ContainsAny(s.Text, "'’") {
		return
	}
	for i := 0; i < len(s.Tokens); i++ {
		t := s.Tokens[i]
		at := strings.IndexByte(t.Low, '\'')
		if t.Class != Letters || at <= 0 || !s.Language.Elided[t.Low[:at+1]] || !s.Language.known[t.Low[at+1:]] {
			continue
		}
		cut := strings.IndexAny(t.Text, "'’")
		_, width := utf8.DecodeRuneInString(t.Text[cut:])
		cut += width
		article, rest := t, t
		article.End, article.Text, article.Low = t.Start+cut, t.Text[:cut], t.Low[:at+1]
		rest.Start, rest.Text, rest.Low = t.Start+cut, t.Text[cut:], t.Low[at+1:]
		s.Tokens[i] = article
		s.Tokens = slices.Insert(s.Tokens, i+1, rest)
		s.Taken, s.Exact = append(s.Taken, false), append(s.Exact, false)
	}
}
