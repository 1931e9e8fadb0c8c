// Package numbers reads numbers and ordinals: figures, and words by the classes of their language
// ([message.Language]).
package numbers

import (
	"slices"

	"github.com/slotway/slotway/classifier/message"
)

// YearOld reports whether the rest of "29-year-old" stands at token i.
func YearOld(s *message.Message, i int) bool {
	return s.SymbolAt(i, "-") && s.Glued(i) && s.In(i+1, "year_word") && s.SymbolAt(i+2, "-") && s.Low(i+3) == "old"
}

// Numeric are the built-in types that a plain number answers.
var Numeric = message.Words("number integer money percentage ordinal")

// Counts are the types of params whose values are plain numbers.
var Counts = message.Words("number integer")

// Read recognises a number at token i: 12, 1,234.5, -3, 1.5 million, 10k, twenty-one,
// one hundred and five, two and a half, half a dozen. It returns its value and length.
func Read(s *message.Message, i int) (value float64, n int) {
	if !MayCount(s, i) {
		return 0, 0
	}
	sign, n := minus(s, i)
	v, m := unsigned(s, i+n)
	if m == 0 {
		return 0, 0
	}
	return sign * v, n + m
}

// opening are the classes of words that a number may begin with.
var opening = message.Words("unit ten score hundreds scale multiple article half fraction fixed_number minus comma")

// MayCount reports whether a number may start at token i; most words rule it out.
func MayCount(s *message.Message, i int) bool {
	if s.Low(i) == "" {
		return false
	}
	if t := &s.Tokens[i]; t.Class == message.Digits || t.Class == message.Symbol && (vulgar[t.Low] > 0 || s.SymbolAt(i, "-−.+")) {
		return true
	}
	return s.Language.Compound || slices.ContainsFunc(s.Terms[i], func(t message.Term) bool { return opening[t.Class] })
}

// minus reads the sign of a number. One with a space behind it is a bullet, except where
// nothing but numbers is looked for.
func minus(s *message.Message, i int) (sign float64, n int) {
	if s.Only == "" && s.SymbolAt(i, "+") && (i == 0 || !s.Glued(i)) && s.Glued(i+1) && s.Digits(i+1, 1, LongestFigure) != "" {
		return 1, 1
	}
	if s.SymbolAt(i, "-−") && s.Low(i+1) != "" && s.Tokens[i+1].Class != message.Letters {
		open := !s.Glued(i) || s.OpenBefore(i)
		if s.Glued(i+1) && open || s.Only != "" && (i == 0 || open && s.Tokens[i-1].Class != message.Digits) {
			return -1, 1
		}
	}
	if _, k := s.TermAt(i, "minus"); k > 0 && s.Low(i+k) != "" {
		return -1, k
	}
	return 1, 0
}

func unsigned(s *message.Message, i int) (float64, int) {
	v, n := fraction(s, i)
	if t, k := s.TermAt(i, "fixed_number"); k > n {
		v, n = t.Num, k
	}
	w, m, whole := figures(s, i)
	if m == 0 {
		w, m = Count(s, i, 0, 0)
		whole = m > 0
	}
	if whole {
		w, m = spokenDecimals(s, i, w, m)
		w, m = scaled(s, i, w, m)
	} else if m == 0 && n == 0 {
		w, m = decimalsAlone(s, i)
	}
	if n > m || n == m && n > 0 {
		w, m = v, n
		if f := numeralAt(s, i+m); f.multiplies() { // two and a half million
			w, m = w*f.value, m+f.n
		}
	}
	if m == 0 {
		return 0, 0
	}
	if part, k := PartAfter(s, i+m); k > 0 {
		w, m = w+part, m+k
		if f := numeralAt(s, i+m); f.multiplies() { // one and a half million
			w, m = w*f.value, m+f.n
		}
	}
	return w, m
}

// scaled reads what multiplies a number of n tokens: 3 mio., 4 thousand 3 hundred.
func scaled(s *message.Message, i int, v float64, n int) (float64, int) {
	w, m := Count(s, i, v, n)
	short := m > n && len(s.Low(i+m-1)) <= 3 && s.Tokens[i+m-1].Class == message.Letters && numeralAt(s, i+m-1).multiplies()
	if short && s.GluedSymbol(i+m, ".") && s.WordAt(i+m+1) {
		m++ // 3 mio. euro
	}
	return w, m
}

// decimalsAlone reads "point five", but not "at this point two people".
func decimalsAlone(s *message.Message, i int) (float64, int) {
	if !s.IsTerm(i, "comma") || i > 0 && s.EndsTerm(i, "count_lead") == 0 && s.Tokens[i-1].Class != message.Symbol {
		return 0, 0
	}
	if v, n := spokenDecimals(s, i, 0, 0); n > 0 {
		return v, n
	}
	return 0, 0
}

// Plain reads a number that stands by itself at token i.
func Plain(s *message.Message, i int) (value float64, n int) {
	v, n := Read(s, i)
	if n == 0 || Joined(s, i, i+n) && !(Numeric[s.Asked] && YearOld(s, i+n)) {
		return 0, 0
	}
	return v, n
}

// Joined reports whether the span is a part of a longer word such as O-12 or 3pm. Where
// nothing but numbers is looked for only letters join: 1-222 is two of them.
func Joined(s *message.Message, from, to int) bool {
	if s.Only != "" {
		return s.LetterBefore(from) || s.LetterAfter(to)
	}
	return s.Inside(from, to)
}

// CountsNoun reports whether a word that is only sometimes a number stands where one counts: behind a
// word that leads to a number, or before a noun.
func CountsNoun(s *message.Message, i int) bool {
	led := s.EndsTerm(i, "count_lead") > 0
	switch {
	case s.EndsTerm(i, "noun_lead") > 0, s.IsTerm(i, "noun_too") && (s.IsTerm(i-1, "ordinal_word") || s.IsTerm(i-1, "ordinal_mark") && s.Glued(i-1)):
		return false
	case Numeric[s.Asked] || s.Only != "":
		return true
	case s.IsTerm(i, "article"):
		return led && s.PhraseEnds(i+1)
	case s.IsTerm(i, "noun_too"): // one: a number, unless it stands for a noun
		return led || i == 0 || s.Tokens[i-1].Class == message.Symbol || !s.Ends(i+1)
	}
	return led || (i == 0 || s.Tokens[i-1].Class == message.Symbol) && s.WordAt(i+1)
}

// NamesThing reports whether the number at token i is the name of a thing: "room 4", "no. 14", "#3".
func NamesThing(s *message.Message, i int) bool {
	if s.SymbolAt(i-1, "#") {
		return true
	}
	if s.SymbolAt(i-1, ".") {
		i--
		if s.IsTerm(i-1, "number_sign") {
			return true
		}
	}
	return s.EndsTerm(i, "number_noun") > 0
}
