package extract

import (
	"strings"
	"unicode/utf8"
)

// found is a recognised span of tokens [from, to).
type found struct {
	kind       string // built-in type
	from, to   int
	value      any
	confidence float64
	date, time *found // parts of a datetime
	temporal
}

// "one" is a number only when it does not stand for a noun or open an idiom.
var (
	oneBefore = words("no any some every this that these which the another other first second third last next right wrong good new each only old big small same different a previous current")
	oneAfter  = words("of moment second sec minute more another by thing day time question who that which i is was")
	oneVerbs  = words("who that which i is was")
	// oneCues make a count of a "one" that ends a clause: "a table for one", but "find one".
	oneCues = words("for just only exactly of about around say to than with least most and or number option room gate minus negative")
	// thankful are the words after which "a million" counts nothing.
	thankful = words("thanks thank thx once")
)

// number recognises a number at token i: 12, 1,234.5, -3, 1.5 million, 10k, twenty-one,
// one hundred and five, two and a half, half a dozen. It returns its value and length.
func (s *scan) number(i int) (value float64, n int) {
	if s.tongue != nil {
		return s.numberHere(i)
	}
	if !s.mayCount(i) {
		return 0, 0
	}
	sign, n := s.minus(i)
	v, m := s.unsigned(i + n)
	if m == 0 {
		return 0, 0
	}
	return sign * v, n + m
}

// mayCount reports whether a number may start at token i; most words rule it out.
func (s *scan) mayCount(i int) bool {
	w := s.low(i)
	if w == "" {
		return false
	}
	if s.tokens[i].class != letters {
		return true
	}
	if wordValues[w].kind != noNumber {
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
func (s *scan) minus(i int) (sign float64, n int) {
	switch {
	case s.symbolAt(i, "-−") && s.low(i+1) != "" && s.tokens[i+1].class != letters:
		if s.glued(i+1) && !s.glued(i) || s.only != "" && (i == 0 || !s.glued(i) && s.tokens[i-1].class != digits) {
			return -1, 1
		}
	case (s.low(i) == "minus" || s.low(i) == "negative") && s.low(i+1) != "":
		return -1, 1
	}
	return 1, 0
}

func (s *scan) unsigned(i int) (float64, int) {
	v, n := s.fraction(i)
	w, m, whole := s.figures(i)
	if m == 0 {
		w, m = s.count(i, 0, 0)
		whole = true
	}
	if whole && m > 0 {
		w, m = s.point(i, w, m)
		w, m = s.count(i, w, m)
	} else if m == 0 && n == 0 {
		w, m = s.pointAlone(i)
	}
	if n > m || n == m && n > 0 {
		w, m = v, n
		if f, ok := scales[s.low(i+m)]; ok { // two and a half million
			w, m = w*f, m+1
		}
	}
	if m == 0 {
		return 0, 0
	}
	if part, k := s.partAfter(i + m); k > 0 {
		w, m = w+part, m+k
		if f, ok := scales[s.low(i+m)]; ok { // one and a half million
			w, m = w*f, m+1
		}
	}
	return w, m
}

// pointAlone reads "point five", but not "at this point two people".
func (s *scan) pointAlone(i int) (float64, int) {
	if s.low(i) != "point" || i > 0 && !s.is(i-1, pointBefore) && s.tokens[i-1].class != symbol {
		return 0, 0
	}
	if v, n := s.point(i, 0, 0); n > 0 {
		return v, n
	}
	return 0, 0
}

var pointBefore = words("is was by about around of to and minus negative only just be")

// plainNumber is a number that stands by itself.
func (s *scan) plainNumber(i int) *found {
	v, n := s.number(i)
	if n == 0 || s.joined(i, i+n) && !(numeric[s.asked] && s.yearOld(i+n)) {
		return nil
	}
	if s.low(i+n) == "over" && s.only != "" || s.low(i+n) == "over" && n == 1 {
		v, n = s.over(i, v, n)
	}
	if v, n = s.outOf(i, v, n); n == 1 && s.low(i) == "one" && !s.countsOne(i) {
		return nil
	}
	if s.low(i) == "a" && (s.is(i-1, thankful) || n == 2 && s.low(i-1) == "in" && s.low(i-2) == "one") {
		return nil // thanks a million, one in a million
	}
	if n == 1 && s.is(i-1, vagueCounts) && wordValues[s.low(i)].kind == scaleWord {
		return nil // a few hundred
	}
	return &found{kind: "number", from: i, to: i + n, value: v, confidence: 0.9}
}

// vagueCounts are the words before a scale that leave its number open.
var vagueCounts = words("a few several many some couple of")

// countsOne reports whether the word "one" at token i counts something.
func (s *scan) countsOne(i int) bool {
	switch {
	case numeric[s.asked] && (s.low(i-1) == "only" || s.low(i-1) == "the" && (s.low(i-2) == "just" || s.low(i-2) == "only")):
		return true // "only one", "just the one": an answer to how many
	case s.is(i-1, oneBefore):
		return false
	case s.only != "":
		return true
	case s.is(i+1, oneAfter):
		return s.is(i+1, oneVerbs) && s.low(i-1) == "for"
	}
	standsAlone := s.ends(i+1) && i > 0 && s.tokens[i-1].class == letters && !s.is(i-1, oneCues)
	return !standsAlone || numeric[s.asked]
}

// joined reports whether the span is a part of a longer word such as O-12 or 3pm. Where
// nothing but numbers is looked for only letters join: 1-222 is two of them.
func (s *scan) joined(from, to int) bool {
	if s.only != "" {
		return s.letterBefore(from) || s.letterAfter(to)
	}
	return s.glued(from) && !s.openBefore(from) || s.glued(to) && !s.closeAfter(to)
}

func (s *scan) letterBefore(i int) bool {
	return s.glued(i) && s.tokens[i].class != symbol && (s.tokens[i-1].class == letters || s.tokens[i-1].text == "_")
}

func (s *scan) letterAfter(i int) bool {
	return s.glued(i) && (s.tokens[i].class == letters || s.tokens[i].text == "_")
}

func (s *scan) openBefore(i int) bool {
	t := s.tokens[i-1]
	return t.class == symbol && strings.Contains("(\"'“‘,;:[=~?!…", t.text)
}

// closeAfter reports whether token i may follow a number without making a longer word
// of it: a point ends a sentence, but not in 1.2.3.
func (s *scan) closeAfter(i int) bool {
	t := s.tokens[i]
	if t.class != symbol {
		return false
	}
	if strings.Contains(".,:-", t.text) {
		return !s.glued(i+1) || s.tokens[i+1].class == symbol
	}
	return strings.Contains(")\"'”’;]?!…", t.text) || t.text >= "\u2000" && utf8.ValidString(t.text)
}
