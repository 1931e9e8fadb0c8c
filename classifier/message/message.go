// Package message cuts a message into tokens and answers what stands at each of them. Every room
// of the extractor reads a message through [Message]; the words of its language are its
// [Language].
package message

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slotway/slotway/config/language"
)

// Message is a message under recognition, with what was asked before it. Rooms read it by token;
// what lies outside of it, or belongs to something that was found already, reads as "".
type Message struct {
	Text   string
	Tokens []Token
	Taken  []bool // tokens inside a pattern, an address or the like
	Exact  []bool // tokens of what a built-in type found
	Bytes  ByteSet

	Asked    string                 // built-in type of the open question, "" for none
	Only     string                 // the one built-in type that is looked for, "" for all
	Several  bool                   // the asked param takes many values
	Currency string                 // ISO 4217 code that a bare "dollar" means where it may
	Knows    func(word string) bool // common words of the language; nil: nobody says

	Language *Language
	Terms    [][]Term // by token, what may begin with it
}

// New returns a message in a language; nil is English.
func New(text, asked string, in *Language) *Message {
	s := &Message{}
	s.Reset(text, asked, in)
	return s
}

// Reset makes s another message; what it allocated is used again.
func (s *Message) Reset(text, asked string, in *Language) {
	s.ResetTo(text, Tokenize(text, s.Tokens[:0]), asked, in)
}

// ResetTo is Reset for a text whose tokens are known; they become those of the message.
func (s *Message) ResetTo(text string, tokens []Token, asked string, in *Language) {
	if in == nil {
		in = LanguageOf(language.English)
	}
	taken, exact := s.Taken[:0], s.Exact[:0]
	for range tokens {
		taken, exact = append(taken, false), append(exact, false)
	}
	*s = Message{Text: text, Asked: asked, Tokens: tokens, Taken: taken, Exact: exact, Bytes: BytesOf(text), Language: in, Terms: s.Terms[:0]}
	s.cutElided()
	for k := range s.Tokens {
		s.Terms = append(s.Terms, in.Words[s.Tokens[k].Low])
	}
}

// TokenAt returns the token that holds a byte, or -1.
func (s *Message) TokenAt(offset int) int {
	if i := s.Behind(offset); i < len(s.Tokens) && s.Tokens[i].Start <= offset {
		return i
	}
	return -1
}

// Run is the text of n tokens at i without the spaces between them.
func (s *Message) Run(i, n int) string {
	var b strings.Builder
	for _, t := range s.Tokens[i : i+n] {
		b.WriteString(t.Low)
	}
	return b.String()
}

// Ends reports whether the clause ends before token i.
func (s *Message) Ends(i int) bool {
	return i >= len(s.Tokens) || s.Tokens[i].Class == Symbol || s.In(i, "clause_end")
}

// Shouts reports whether the message is all capitals, so that these mean nothing.
func (s *Message) Shouts() bool {
	return len(s.Tokens) > 2 && !strings.ContainsFunc(s.Text, unicode.IsLower)
}

// LetterBefore reports whether a letter touches token i, which is no symbol, from before.
func (s *Message) LetterBefore(i int) bool {
	return s.Glued(i) && s.Tokens[i].Class != Symbol && (s.Tokens[i-1].Class == Letters || s.Tokens[i-1].Text == "_")
}

// LetterAfter reports whether token i is a letter that touches what stands before it.
func (s *Message) LetterAfter(i int) bool {
	return s.Glued(i) && (s.Tokens[i].Class == Letters || s.Tokens[i].Text == "_")
}

// OpenBefore reports whether the token before i is a mark that opens.
func (s *Message) OpenBefore(i int) bool {
	t := s.Tokens[i-1]
	return t.Class == Symbol && strings.Contains("(\"'“‘,;:[=~?!…", t.Text)
}

// CloseAfter reports whether token i may follow a number without making a longer word
// of it: a point ends a sentence, but not in 1.2.3.
func (s *Message) CloseAfter(i int) bool {
	t := s.Tokens[i]
	if t.Class != Symbol {
		return false
	}
	if strings.Contains(".,:-", t.Text) {
		return !s.Glued(i+1) || s.Tokens[i+1].Class == Symbol
	}
	return strings.Contains(")\"'”’;]?!…", t.Text) || t.Text >= "\u2000" && utf8.ValidString(t.Text) && !IsFigureSign(t.Text)
}

// IsFigureSign reports whether a sign belongs to the figures that it touches: ½, ², ⁶, ⁄.
func IsFigureSign(sign string) bool {
	r, _ := utf8.DecodeRuneInString(sign)
	return r >= utf8.RuneSelf && (unicode.IsNumber(r) || r == '⁄')
}

// Take marks the tokens that touch the bytes [start, end).
func (s *Message) Take(start, end int) {
	for i := s.Behind(start); i < len(s.Tokens) && s.Tokens[i].Start < end; i++ {
		s.Taken[i] = true
	}
}

// Behind returns the first token that ends behind a byte.
func (s *Message) Behind(offset int) int {
	return sort.Search(len(s.Tokens), func(i int) bool { return s.Tokens[i].End > offset })
}

// AnyTaken reports whether one of the tokens [from, to) belongs to something else.
func (s *Message) AnyTaken(from, to int) bool { return slices.Contains(s.Taken[from:to], true) }

// WordAt reports whether token i is a word.
func (s *Message) WordAt(i int) bool { return s.Low(i) != "" && s.Tokens[i].Class == Letters }

// GluedSymbol reports whether token i is one of the characters and touches what stands before.
func (s *Message) GluedSymbol(i int, chars string) bool { return s.SymbolAt(i, chars) && s.Glued(i) }

// Marked returns the digits behind a mark at token i where all three touch: the 30 of 9:30.
// It is "" for none of that length.
func (s *Message) Marked(i int, marks string, least, most int) string {
	if s.SymbolAt(i, marks) && s.Glued(i) && s.Glued(i+1) {
		return s.Digits(i+1, least, most)
	}
	return ""
}

// Inside reports whether the tokens [from, to) are a part of a longer word.
func (s *Message) Inside(from, to int) bool {
	return s.Glued(from) && !s.OpenBefore(from) || s.Glued(to) && !s.CloseAfter(to)
}
