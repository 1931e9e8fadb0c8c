package web

import (
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// surest are the domains that may follow the end of a sentence, too.
var surest = message.Words("com org net edu gov io")

// SpokenLocal is where the local part before the "at" at token i starts, -1 for none.
func SpokenLocal(s *message.Message, i int) int {
	k := i - 1
	for s.SymbolAt(k, "([") {
		k--
	}
	if k < 0 || s.IsTerm(k, "no_local") {
		return -1
	}
	from := -1
	for word := false; k >= 0; k-- {
		w := s.Low(k)
		switch {
		case w == "" || s.SymbolAt(k, "@"):
			return -1
		case MarkOf(s, w) != "" && MarkOf(s, w) != "@" && from > k:
			word = false
			continue
		case s.Tokens[k].Class == message.Symbol, word && !spelledOn(s, k):
			return from
		}
		from, word = k, true
	}
	return from
}

// spelledOn reports whether token i and the one behind it are of one word: single letters,
// figures, or what touches.
func spelledOn(s *message.Message, i int) bool {
	one := func(k int) bool { return utf8.RuneCountInString(s.Low(k)) == 1 || s.Tokens[k].Class == message.Digits }
	return s.Glued(i+1) || one(i) && one(i+1) && s.Low(i) != "i" && s.Low(i) != "a" || s.Tokens[i+1].Class == message.Digits && !leadsAddress(s, i)
}

// SpokenDomain is where the domain that starts at token i ends; 0 for none. It has a dot and
// a top-level domain.
func SpokenDomain(s *message.Message, i int) int {
	for s.SymbolAt(i, ")]") {
		i++
	}
	end, dot := 0, false
	for k := i; s.Low(k) != "" && s.Tokens[k].Class != message.Symbol; {
		label := k
		for k++; s.Low(k) != "" && s.Tokens[k].Class != message.Symbol && MarkOf(s, s.Low(k)) == "" && spelledOn(s, k-1); k++ {
			continue // g m a i l
		}
		if dot && k == label+1 && endsDomain(s, label) {
			end = k
		}
		for s.SymbolAt(k, "([") {
			k++
		}
		m := MarkOf(s, s.Low(k))
		if m != "." && m != "-" {
			break
		}
		dot = dot || m == "."
		for k++; s.SymbolAt(k, ")]"); k++ {
			continue
		}
	}
	return end
}

// endsDomain reports whether token i is a top-level domain behind its dot, and no word of the
// next sentence.
func endsDomain(s *message.Message, i int) bool {
	return knownTop(s.Low(i)) && (s.Low(i-1) != "." || s.Glued(i) || surest[s.Low(i)] || !s.Glued(i-1))
}

// Marked joins tokens, with the marks that their words stand for.
func Marked(s *message.Message, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if m := MarkOf(s, s.Low(i)); m != "" {
			b.WriteString(m)
		} else if s.Tokens[i].Class != message.Symbol {
			b.WriteString(s.Tokens[i].Text)
		}
	}
	return b.String()
}

// OnlyLeads reports whether what stands before token i carries no value of its own.
func OnlyLeads(s *message.Message, i int) bool {
	for k := range i {
		if s.Tokens[k].Class != message.Symbol && !leadsAddress(s, k) && !s.Language.Has("filler", s.Tokens[k].Low) {
			return s.SymbolAt(i-1, ",:;.!?-") || leadsAddress(s, i-1) && s.Tokens[i-1].Low != "at"
		}
	}
	return true
}

// OnlyClosing reports whether the sentence ends at token i, but for courtesy.
func OnlyClosing(s *message.Message, i int) bool {
	return i >= len(s.Tokens) || s.Tokens[i].Class == message.Symbol || s.In(i, "filler") || s.In(i, "cue_stop")
}

// MarkOf is the mark of an address that a word says, or that it is; "" for none.
func MarkOf(s *message.Message, w string) string {
	for _, e := range s.Language.Words[w] {
		if e.Class == "address_mark" {
			return e.Value
		}
	}
	if len(w) == 1 && strings.Contains("@._-+", w) {
		return w
	}
	return ""
}

// leadsAddress reports whether token i may stand before a dictated address.
func leadsAddress(s *message.Message, i int) bool { return s.IsTerm(i, "address_lead") }
