package extract

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// suffixes stand glued to figures: 10k, 1.2b, 5MM.
var suffixes = map[string]float64{"k": 1e3, "m": 1e6, "mm": 1e6, "mio": 1e6, "mln": 1e6, "b": 1e9, "bn": 1e9, "g": 1e9, "t": 1e12}

// vulgar are the fractions that are one character.
var vulgar = map[string]float64{
	"½": 1. / 2, "⅓": 1. / 3, "⅔": 2. / 3, "¼": 1. / 4, "¾": 3. / 4, "⅕": 1. / 5, "⅖": 2. / 5, "⅗": 3. / 5, "⅘": 4. / 5,
	"⅙": 1. / 6, "⅚": 5. / 6, "⅐": 1. / 7, "⅛": 1. / 8, "⅜": 3. / 8, "⅝": 5. / 8, "⅞": 7. / 8, "⅑": 1. / 9, "⅒": 1. / 10,
}

// longestFigure is the most digits of a number; longer ones are ids.
const longestFigure = 15

// figures recognises a number in digits at token i: 1,234.5, 40 000, .5, 3/4, 1 4/5,
// 12.32e+14, 1.1^23, ½, 10k. whole is false for one that a scale can not follow.
func (s *scan) figures(i int) (v float64, n int, whole bool) {
	if f, ok := vulgar[s.low(i)]; ok {
		return f, 1, false
	}
	text, n, plain := s.decimal(i)
	if n == 0 {
		return 0, 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, 0, false // not reached: the text is digits and one point
	}
	if f, ok := vulgar[s.low(i+n)]; ok && plain {
		return v + f, n + 1, false // 1½
	}
	if plain {
		if d, m := s.slashed(i); m > 0 {
			return d, m, false
		}
		if d, m := s.slashed(i + n); m > 0 && !s.glued(i+n) && d < 1 {
			return v + d, n + m, false // 1 4/5
		}
	}
	if e, m := s.exponent(i + n); m > 0 {
		w, err := strconv.ParseFloat(text+e, 64)
		return w, n + m, err == nil
	}
	if e, m := s.power(i + n); m > 0 {
		return math.Pow(v, e), n + m, false
	}
	if f, ok := suffixes[s.low(i+n)]; ok && s.suffixAt(i+n) && s.multiplies(i, i+n) {
		return v * f, n + 1, false
	}
	return v, n, true
}

// suffixAt reports whether the letters at token i are a multiplier of the figures before
// them: glued, or where only numbers are looked for in capitals or a k.
func (s *scan) suffixAt(i int) bool {
	if s.glued(i + 1) {
		if r, _ := utf8.DecodeRuneInString(s.tokens[i+1].text); r == '_' || isLetter(r) || r >= '0' && r <= '9' || !s.closeAfter(i+1) && s.only == "" {
			return false
		}
	}
	w := s.tokens[i].text
	return s.glued(i) || s.only != "" && (w == "k" || w == "K" || w == "M" || w == "G" || w == "T" || w == "MM")
}

// multiplies reports whether letters glued to figures multiply them: 10k and 5M do, 5m, 5b
// and 5t only in money, since they are metres, classes and houses more often.
func (s *scan) multiplies(from, at int) bool {
	if s.only != "" || s.asked == "money" || s.moneyAround(from, at+1) {
		return true
	}
	w := s.tokens[at].text
	return (sureSuffixes[w] || w == "M" || w == "MM") && !s.properName(at+1)
}

// sureSuffixes multiply figures whatever they count.
var sureSuffixes = words("k K mio Mio mln bn Bn BN")

// moneyAround reports whether a sign, a code or the name of a currency stands beside the
// tokens [from, to).
func (s *scan) moneyAround(from, to int) bool {
	w := s.low(from - 1)
	if c := currencyByCode[w]; c != nil && (lowerCodes[w] || isUpper(s.tokens[from-1].text)) {
		return true
	}
	if w != "" && currencyBySign[w] != nil || s.low(to) != "" && s.tokens[to].class == symbol && currencyBySign[s.low(to)] != nil {
		return true
	}
	_, n := s.unitName(to)
	return n > 0
}

// decimal reads digits with their separators; plain are those without any.
func (s *scan) decimal(i int) (text string, n int, plain bool) {
	if s.symbolAt(i, ".") && (!s.glued(i) || s.signed(i)) && s.glued(i+1) && s.digits(i+1, 1, longestFigure) != "" {
		if s.symbolAt(i+2, ".") && s.glued(i+2) && s.glued(i+3) && s.digits(i+3, 1, 99) != "" {
			return "", 0, false
		}
		return "0." + s.low(i+1), 2, false
	}
	d := s.digits(i, 1, longestFigure)
	if d == "" {
		return "", 0, false
	}
	if k := s.singleFigures(i); k > 0 {
		return s.run(i, k), k, true
	}
	text, n = s.groupedFigures(i, d)
	point := "."
	if n > 1 && (s.low(i+1) == "." || s.low(i+1) != "," && s.commaDecimals(i+n)) {
		point = "," // 1.111,11 and 10 455,50
	}
	if n == 1 && numeric[s.asked] && s.commaDecimals(i+1) && s.ends(i+3) && !s.symbolAt(i-1, ",") {
		point = "," // 3482,7 as an answer is one number
	}
	inChain := s.glued(i) && s.symbolAt(i-1, ".") && i > 1 && s.glued(i-1) && s.tokens[i-2].class == digits
	if !inChain && s.symbolAt(i+n, point) && s.glued(i+n) && s.glued(i+n+1) && s.digits(i+n+1, 1, 20) != "" && !s.chained(i+n+2) {
		return text + "." + s.low(i+n+1), n + 2, false
	}
	if n > 1 && point == "," {
		return d, 1, true // 1.234 of 1.234.567
	}
	return text, n, n == 1
}

// signed reports whether a sign of its own stands glued before token i: -.5, $.50.
func (s *scan) signed(i int) bool {
	return s.symbolAt(i-1, "-−$€£") && !s.glued(i-1)
}

// chained reports whether a point and more digits follow: 192.168.1.2 is no number.
func (s *scan) chained(i int) bool {
	return s.symbolAt(i, ".") && s.glued(i) && s.glued(i+1) && s.digits(i+1, 1, 99) != ""
}

// singleFigures counts the digits at token i that are told one by one, "4 8 2 1 0", where one number
// is asked for; 0 if they are none.
func (s *scan) singleFigures(i int) int {
	if !numeric[s.asked] || s.several || s.digits(i-1, 1, 99) != "" {
		return 0
	}
	n := 0
	for s.digits(i+n, 1, 1) != "" && !s.glued(i+n) && n < longestFigure {
		n++
	}
	if n < 3 || !s.ends(i+n) {
		return 0
	}
	return n
}

// run is the text of n tokens at i without the spaces between them.
func (s *scan) run(i, n int) string {
	var b strings.Builder
	for _, t := range s.tokens[i : i+n] {
		b.WriteString(t.low)
	}
	return b.String()
}

// groupedFigures reads groups of three: 1,234,567, 1'234'567 and 1.234.567 (before a decimal
// comma) and 40 000.
func (s *scan) groupedFigures(i int, d string) (text string, n int) {
	if len(d) > 3 || d == "0" {
		return d, 1
	}
	for _, separator := range []string{",", "'", "’", "."} {
		text, n = d, 1
		for s.symbolAt(i+n, separator) && s.glued(i+n) && s.glued(i+n+1) && s.digits(i+n+1, 3, 3) != "" && len(text) < longestFigure-2 {
			text += s.low(i + n + 1)
			n += 2
		}
		if n > 1 && (separator != "." || s.symbolAt(i+n, ",") && s.glued(i+n+1) && s.digits(i+n+1, 1, 20) != "") {
			return text, n
		}
	}
	text, n = d, 1
	for s.spaceGroup(i+n) && len(text) < longestFigure-2 {
		text += s.low(i + n)
		n++
	}
	if n > 1 && !s.spacedNumber(i, n) {
		return d, 1
	}
	return text, n
}

// spaceGroup reports whether token i is a group of three digits behind one space.
func (s *scan) spaceGroup(i int) bool {
	if s.digits(i, 3, 3) == "" || s.glued(i) || s.glued(i+1) && !s.closeAfter(i+1) && !s.symbolAt(i+1, ".%") && !s.commaDecimals(i+1) {
		return false
	}
	return utf8.RuneCountInString(s.text[s.tokens[i-1].end:s.tokens[i].start]) == 1
}

// commaDecimals reports whether a comma and one or two digits stand at token i.
func (s *scan) commaDecimals(i int) bool {
	return s.symbolAt(i, ",") && s.glued(i) && s.glued(i+1) && s.digits(i+1, 1, 2) != ""
}

// spacedNumber reports whether groups behind spaces are one number and not two: a
// no-break space, a group of noughts, three groups, a unit behind them, an answer to a
// question for a number, or nothing but numbers looked for.
func (s *scan) spacedNumber(i, n int) bool {
	if s.only != "" || n > 2 || s.low(i+1) == "000" {
		return true
	}
	return s.text[s.tokens[i].end] >= utf8.RuneSelf || s.countsInGroups(i, i+n)
}

// countsInGroups reports whether the groups in [from, to) are one count: 10 455 kWh, and
// 10 455 where a number is asked for. "2 500 ml bottles" are two.
func (s *scan) countsInGroups(from, to int) bool {
	if s.is(from-1, numberNouns) || s.digits(from-1, 1, 99) != "" {
		return false
	}
	if s.commaDecimals(to) {
		to += 2
	}
	return s.is(to, measures) && s.ends(to+1) || numeric[s.asked] && s.ends(to)
}

// measures are units that many are counted of, and that no packs are named by.
var measures = words("kwh mwh wh km kms kilometers kilometres mi miles meters metres sqm sqft kg kilos kilograms euro euros eur dollar dollars usd pounds gbp francs chf kronor kroner")

// slashed reads 3/4 at token i.
func (s *scan) slashed(i int) (float64, int) {
	d := s.digits(i, 1, 9)
	if d == "" || !s.symbolAt(i+1, "/⁄") || !s.glued(i+1) || !s.glued(i+2) {
		return 0, 0
	}
	if s.symbolAt(i+3, "/⁄") && s.glued(i+3) || s.glued(i) && (s.symbolAt(i-1, "/") || s.symbolAt(i-1, "-") && s.glued(i-1)) {
		return 0, 0 // a date
	}
	below := s.digits(i+2, 1, 4)
	if below == "" || strings.Trim(below, "0") == "" || d == "24" && below == "7" && s.only == "" {
		return 0, 0 // around the clock
	}
	return float64(atoi(d)) / float64(atoi(below)), 3
}

// exponent reads e13, e+14, E-5 glued to figures.
func (s *scan) exponent(i int) (string, int) {
	if s.low(i) != "e" || !s.glued(i) || !s.glued(i+1) {
		return "", 0
	}
	sign, n := "", 1
	if s.symbolAt(i+1, "+-") {
		sign, n = s.low(i+1), 2
	}
	if d := s.digits(i+n, 1, 3); d != "" && s.glued(i+n) {
		return "e" + sign + d, n + 1
	}
	return "", 0
}

// power reads ^2, ^+23 and ^--23, whose two signs cancel each other.
func (s *scan) power(i int) (float64, int) {
	if !s.symbolAt(i, "^") || !s.glued(i) {
		return 0, 0
	}
	sign, n := 1.0, 1
	for s.symbolAt(i+n, "+-") && n < 4 {
		if s.low(i+n) == "-" {
			sign = -sign
		}
		n++
	}
	if d := s.digits(i+n, 1, 3); d != "" {
		return sign * float64(atoi(d)), n + 1
	}
	return 0, 0
}
