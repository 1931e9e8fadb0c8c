package extract

import (
	"strconv"
	"strings"
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

var (
	units = map[string]float64{
		"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
		"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
		"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	}
	tens = map[string]float64{
		"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
		"seventy": 70, "eighty": 80, "ninety": 90,
	}
	scales = map[string]float64{
		"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "lakh": 1e5, "crore": 1e7,
	}
	suffixes  = map[string]float64{"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "g": 1e9, "mln": 1e6}
	fractions = map[string]float64{"half": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10}
)

// "one" is a number only when it does not stand for a noun or open an idiom.
var (
	oneBefore = words("no any some every this that these which the another other first second third last next right wrong good new each only old big small same different a")
	oneAfter  = words("of moment second sec minute more another by thing day time question who that which i is was")
	oneVerbs  = words("who that which i is was")
	// oneCues make a count of a "one" that ends a clause: "a table for one", but "find one".
	oneCues = words("for just only exactly of about around say to than with least most and or number option room gate")
)

// number recognises a number at token i: 12, 1,234.5, -3, 1.5 million, 10k, twenty-one,
// one hundred and five, two and a half, half a dozen. It returns its value and length.
func (s *scan) number(i int) (value float64, n int) {
	sign := 1.0
	switch {
	case s.symbolAt(i, "-−") && s.glued(i+1) && s.digits(i+1, 1, 15) != "" && !s.glued(i):
		sign, n = -1, 1
	case (s.low(i) == "minus" || s.low(i) == "negative") && s.low(i+1) != "":
		sign, n = -1, 1
	}
	v, m := s.figures(i + n)
	if m == 0 {
		v, m = s.spelled(i + n)
	}
	if m == 0 {
		return 0, 0
	}
	v, m = s.scaled(i+n, v, m)
	return sign * v, n + m
}

// figures recognises digits with separators.
func (s *scan) figures(i int) (float64, int) {
	text, n := "", 0
	if s.symbolAt(i, ".") && !s.glued(i) && s.glued(i+1) && s.digits(i+1, 1, 15) != "" {
		text, n = "0."+s.low(i+1), 2
	} else if d := s.digits(i, 1, 15); d != "" {
		text, n = d, 1
		for len(d) <= 3 && s.symbolAt(i+n, ",") && s.glued(i+n) && s.glued(i+n+1) && s.digits(i+n+1, 3, 3) != "" {
			text += s.low(i + n + 1)
			n += 2
		}
		if s.symbolAt(i+n, ".") && s.glued(i+n) && s.glued(i+n+1) && s.digits(i+n+1, 1, 15) != "" {
			text += "." + s.low(i+n+1)
			n += 2
		}
	}
	if n == 0 {
		return 0, 0
	}
	if s.symbolAt(i+n, "/") && s.glued(i+n) && s.glued(i+n+1) && !strings.Contains(text, ".") {
		if d, err := strconv.ParseFloat(s.digits(i+n+1, 1, 3), 64); err == nil && d != 0 && !s.symbolAt(i+n+2, "/") {
			v, _ := strconv.ParseFloat(text, 64)
			return v / d, n + 2
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, 0 // not reached: the text is digits and one point
	}
	if f, ok := suffixes[s.low(i+n)]; ok && s.glued(i+n) && (!s.glued(i+n+1) || s.closeAfter(i+n+1)) {
		return v * f, n + 1
	}
	return v, n
}

// spelled recognises number words below a thousand and their sums with scales.
func (s *scan) spelled(i int) (float64, int) {
	total, n := 0.0, 0
	for {
		v, m := s.below1000(i + n)
		if m == 0 {
			break
		}
		f, ok := scales[s.low(i+n+m)]
		if !ok {
			return total + v, n + m
		}
		total, n = total+v*f, n+m+1
		if s.low(i+n) == "and" {
			if _, m := s.below1000(i + n + 1); m > 0 {
				n++
			}
		}
	}
	return total, n
}

func (s *scan) below1000(i int) (float64, int) {
	v, n := s.below100(i)
	if s.low(i) == "a" && (s.low(i+1) == "hundred" || s.low(i+1) == "thousand") {
		v, n = 1, 1
	}
	if n > 0 && s.low(i+n) == "hundred" {
		v, n = v*100, n+1
		skip := 0
		if s.low(i+n) == "and" {
			skip = 1
		}
		if w, m := s.below100(i + n + skip); m > 0 {
			return v + w, n + skip + m
		}
	}
	return v, n
}

func (s *scan) below100(i int) (float64, int) {
	if v, ok := tens[s.low(i)]; ok {
		n := 1
		if s.symbolAt(i+1, "-") {
			n = 2
		}
		if u, ok := units[s.low(i+n)]; ok && u > 0 && u < 10 {
			return v + u, n + 1
		}
		return v, 1
	}
	if v, ok := units[s.low(i)]; ok {
		return v, 1
	}
	return 0, 0
}

// scaled applies what may follow a number: million, dozen, "and a half".
func (s *scan) scaled(i int, v float64, n int) (float64, int) {
	for {
		f, ok := scales[s.low(i+n)]
		if w := s.low(i + n); w == "hundred" {
			f, ok = 100, true
		} else if w == "dozen" || w == "dozens" {
			f, ok = 12, true
		}
		if !ok {
			break
		}
		v, n = v*f, n+1
	}
	if s.low(i+n) == "and" && s.low(i+n+1) == "a" && s.low(i+n+2) == "half" {
		return v + 0.5, n + 3
	}
	if s.low(i+n) == "point" {
		if u, ok := units[s.low(i+n+1)]; ok && u < 10 {
			var text strings.Builder
			text.WriteString(strconv.FormatFloat(v, 'f', 0, 64) + ".")
			m := n + 1
			for ; ok && u < 10; u, ok = units[s.low(i+m)] {
				text.WriteString(strconv.Itoa(int(u)))
				m++
			}
			if w, err := strconv.ParseFloat(text.String(), 64); err == nil {
				return w, m
			}
		}
	}
	return v, n
}

// fraction recognises "half a dozen", "a dozen", "a half", "three quarters".
func (s *scan) fraction(i int) (float64, int) {
	switch w := s.low(i); {
	case w == "half" && s.low(i+1) == "a" && s.low(i+2) == "dozen":
		return 6, 3
	case w == "a" && s.low(i+1) == "dozen":
		return 12, 2
	case w == "a" && s.low(i+1) == "half":
		return 0.5, 2
	}
	if v, n := s.below100(i); n > 0 {
		if f, ok := fractions[s.low(i+n)]; ok && (v > 1) == strings.HasSuffix(s.low(i+n), "s") {
			return v / f, n + 1
		}
	}
	return 0, 0
}

// partAfter recognises the fraction of a mixed number: "and three quarters", "and a third".
func (s *scan) partAfter(i int) (float64, int) {
	if s.low(i) != "and" {
		return 0, 0
	}
	if f, ok := fractions[s.low(i+2)]; ok && s.low(i+1) == "a" && s.ends(i+3) {
		return 1 / f, 3
	}
	if v, n := s.fraction(i + 1); n > 0 && v < 1 {
		return v, n + 1
	}
	return 0, 0
}

// plainNumber is a number that stands by itself.
func (s *scan) plainNumber(i int) *found {
	v, n := s.fraction(i)
	if n == 0 {
		v, n = s.number(i)
		if part, m := s.partAfter(i + n); n > 0 && m > 0 {
			v, n = v+part, n+m
		}
	}
	if n == 0 || s.joined(i, i+n) {
		return nil
	}
	if n == 1 && s.low(i) == "one" && !s.countsOne(i) {
		return nil
	}
	return &found{kind: "number", from: i, to: i + n, value: v, confidence: 0.9}
}

// countsOne reports whether the word "one" at token i counts something.
func (s *scan) countsOne(i int) bool {
	switch {
	case s.is(i-1, oneBefore):
		return false
	case s.is(i+1, oneAfter):
		return s.is(i+1, oneVerbs) && s.low(i-1) == "for"
	}
	standsAlone := s.ends(i+1) && i > 0 && s.tokens[i-1].class == letters && !s.is(i-1, oneCues)
	return !standsAlone || numeric[s.asked]
}

// joined reports whether the span is a part of a longer word such as O-12 or 3pm.
func (s *scan) joined(from, to int) bool {
	return s.glued(from) && !s.openBefore(from) || s.glued(to) && !s.closeAfter(to)
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
	return strings.Contains(")\"'”’;]?!…", t.text) || t.text >= "\u2000"
}
