// Package numbers reads numbers, ordinals and percentages, in English by code and in other
// languages by the words of [message.Language].
package numbers

import (
	"maps"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// YearOld reports whether the rest of "29-year-old" stands at token i.
func YearOld(s *message.Message, i int) bool {
	return s.SymbolAt(i, "-") && s.Glued(i) && s.Is(i+1, YearWords) && s.SymbolAt(i+2, "-") && s.Low(i+3) == "old"
}

// YearWords count years.
var YearWords = message.Words("year years yr yrs")

// Numeric are the built-in types that a plain number answers.
var Numeric = message.Words("number integer money percentage ordinal")

// "one" is a number only when it does not stand for a noun or open an idiom.
var (
	oneBefore = message.Words("no any some every this that these which the another other first second third last next right wrong good new each only old big small same different a previous current")
	oneAfter  = message.Words("of moment second sec minute more another by thing day time question who that which i is was")
	oneVerbs  = message.Words("who that which i is was")
	// oneCues make a count of a "one" that ends a clause: "a table for one", but "find one".
	oneCues = message.Words("for just only exactly of about around say to than with least most and or number option room gate minus negative")
	// thankful are the words after which "a million" counts nothing.
	thankful = message.Words("thanks thank thx once")
)

// Read recognises a number at token i: 12, 1,234.5, -3, 1.5 million, 10k, twenty-one,
// one hundred and five, two and a half, half a dozen. It returns its value and length.
func Read(s *message.Message, i int) (value float64, n int) {
	if !s.Language.Coded {
		return Spoken(s, i)
	}
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

// MayCount reports whether a number may start at token i; most words rule it out.
func MayCount(s *message.Message, i int) bool {
	w := s.Low(i)
	if w == "" {
		return false
	}
	if s.Tokens[i].Class != message.Letters {
		return true
	}
	if WordValues[w].Kind != NoNumber {
		return true
	}
	switch w {
	case "a", "an", "half", "quarter", "minus", "negative", "point":
		return true
	}
	return false
}

// minus reads the sign of a number. One with a space behind it is a bullet, except where
// nothing but numbers is looked for.
func minus(s *message.Message, i int) (sign float64, n int) {
	switch {
	case s.SymbolAt(i, "-−") && s.Low(i+1) != "" && s.Tokens[i+1].Class != message.Letters:
		if s.Glued(i+1) && !s.Glued(i) || s.Only != "" && (i == 0 || !s.Glued(i) && s.Tokens[i-1].Class != message.Digits) {
			return -1, 1
		}
	case s.Says(i, "minus", "negative") && s.Low(i+1) != "":
		return -1, 1
	}
	return 1, 0
}

func unsigned(s *message.Message, i int) (float64, int) {
	v, n := fraction(s, i)
	w, m, whole := figures(s, i)
	if m == 0 {
		w, m = Count(s, i, 0, 0)
		whole = true
	}
	if whole && m > 0 {
		w, m = point(s, i, w, m)
		w, m = Count(s, i, w, m)
	} else if m == 0 && n == 0 {
		w, m = pointAlone(s, i)
	}
	if n > m || n == m && n > 0 {
		w, m = v, n
		if f, ok := scales[s.Low(i+m)]; ok { // two and a half million
			w, m = w*f, m+1
		}
	}
	if m == 0 {
		return 0, 0
	}
	if part, k := PartAfter(s, i+m); k > 0 {
		w, m = w+part, m+k
		if f, ok := scales[s.Low(i+m)]; ok { // one and a half million
			w, m = w*f, m+1
		}
	}
	return w, m
}

// pointAlone reads "point five", but not "at this point two people".
func pointAlone(s *message.Message, i int) (float64, int) {
	if s.Low(i) != "point" || i > 0 && !s.Is(i-1, pointBefore) && s.Tokens[i-1].Class != message.Symbol {
		return 0, 0
	}
	if v, n := point(s, i, 0, 0); n > 0 {
		return v, n
	}
	return 0, 0
}

var pointBefore = message.Words("is was by about around of to and minus negative only just be")

// Plain is a number that stands by itself.
func Plain(s *message.Message, i int) *find.Find {
	v, n := Read(s, i)
	if n == 0 || Joined(s, i, i+n) && !(Numeric[s.Asked] && YearOld(s, i+n)) {
		return nil
	}
	if s.Low(i+n) == "over" && s.Only != "" || s.Low(i+n) == "over" && n == 1 {
		v, n = over(s, i, v, n)
	}
	if v, n = outOf(s, i, v, n); n == 1 && s.Low(i) == "one" && !countsOne(s, i) {
		return nil
	}
	if s.Low(i) == "a" && (s.Is(i-1, thankful) || n == 2 && s.Low(i-1) == "in" && s.Low(i-2) == "one") {
		return nil // thanks a million, one in a million
	}
	if n == 1 && s.Is(i-1, vagueCounts) && WordValues[s.Low(i)].Kind == ScaleWord {
		return nil // a few hundred
	}
	return &find.Find{Kind: "number", From: i, To: i + n, Value: v, Confidence: 0.9}
}

// vagueCounts are the words before a scale that leave its number open.
var vagueCounts = message.Words("a few several many some couple of")

// countsOne reports whether the word "one" at token i counts something.
func countsOne(s *message.Message, i int) bool {
	switch {
	case Numeric[s.Asked] && (s.Low(i-1) == "only" || s.Low(i-1) == "the" && s.Says(i-2, "just", "only")):
		return true // "only one", "just the one": an answer to how many
	case s.Is(i-1, oneBefore):
		return false
	case s.Only != "":
		return true
	case s.Is(i+1, oneAfter):
		return s.Is(i+1, oneVerbs) && s.Low(i-1) == "for"
	}
	standsAlone := s.Ends(i+1) && i > 0 && s.Tokens[i-1].Class == message.Letters && !s.Is(i-1, oneCues)
	return !standsAlone || Numeric[s.Asked]
}

// Joined reports whether the span is a part of a longer word such as O-12 or 3pm. Where
// nothing but numbers is looked for only letters join: 1-222 is two of them.
func Joined(s *message.Message, from, to int) bool {
	if s.Only != "" {
		return s.LetterBefore(from) || s.LetterAfter(to)
	}
	return s.Inside(from, to)
}

// Counts are the types of params whose values are plain numbers.
var Counts = message.Words("number integer")

// NumberNouns stand before a number that names a thing and counts none: "room 4".
var NumberNouns = message.Words("apt apartment unit suite ste number no nr num floor room rm flat house building bldg gate box door version step page chapter row seat line track platform bus train flight route highway exit terminal level class grade type model part section article bay desk lot zone sector building channel")

// Percentage recognises 20%, 20 percent, twenty per cent at token i.
func Percentage(s *message.Message, i int) *find.Find {
	v, n := Read(s, i)
	if n == 0 {
		return percentOf(s, i)
	}
	if s.Glued(i) && !s.OpenBefore(i) {
		return nil
	}
	m := percentSign(s, i+n)
	if m == 0 {
		return nil
	}
	return &find.Find{Kind: "percentage", From: i, To: i + n + m, Value: v, Confidence: 0.95}
}

func percentSign(s *message.Message, i int) int {
	switch s.Low(i) {
	case "%", "٪", "％", "percent", "percents", "percentage", "percentages", "pct":
		return 1
	case "per":
		if w := s.Low(i + 1); w == "cent" || w == "cents" {
			return 2
		}
	}
	return 0
}

// percentOf reads "percent of twenty" where nothing but percentages is looked for;
// elsewhere it asks for a calculation.
func percentOf(s *message.Message, i int) *find.Find {
	n := percentSign(s, i)
	if s.Only == "" || n == 0 || s.Tokens[i].Class != message.Letters || s.Low(i+n) != "of" {
		return nil
	}
	v, m := Read(s, i+n+1)
	if m == 0 {
		return nil
	}
	return &find.Find{Kind: "percentage", From: i, To: i + n + 1 + m, Value: v, Confidence: 0.6}
}

// Starters are the words at which a number or an ordinal may start.
var Starters = message.Union(maps.Keys(WordValues), maps.Keys(OrdinalWords), maps.Keys(message.Words("a an the minus negative half quarter point penultimate antepenultimate")))
