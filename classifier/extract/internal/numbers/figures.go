package numbers

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// suffixes stand glued to figures: 10k, 1.2b, 5MM.
var suffixes = map[string]float64{"k": 1e3, "m": 1e6, "mm": 1e6, "mio": 1e6, "mln": 1e6, "b": 1e9, "bn": 1e9, "g": 1e9, "t": 1e12}

// vulgar are the fractions that are one character.
var vulgar = map[string]float64{
	"½": 1. / 2, "⅓": 1. / 3, "⅔": 2. / 3, "¼": 1. / 4, "¾": 3. / 4, "⅕": 1. / 5, "⅖": 2. / 5, "⅗": 3. / 5, "⅘": 4. / 5,
	"⅙": 1. / 6, "⅚": 5. / 6, "⅐": 1. / 7, "⅛": 1. / 8, "⅜": 3. / 8, "⅝": 5. / 8, "⅞": 7. / 8, "⅑": 1. / 9, "⅒": 1. / 10,
}

// LongestFigure is the most digits of a number; longer ones are ids.
const LongestFigure = 15

// figures recognises a number in digits at token i: 1,234.5, 40 000, .5, 3/4, 1 4/5,
// 12.32e+14, 1.1^23, ½, 10k. whole is false for one that a scale can not follow.
func figures(s *message.Message, i int) (v float64, n int, whole bool) {
	if f, ok := vulgar[s.Low(i)]; ok {
		return f, 1, false
	}
	text, n, plain := decimal(s, i)
	if n == 0 || s.Only == "" && (restOfFigures(s, i) || chained(s, i+n) || s.GluedSymbol(i+n, ":") && s.Glued(i+n+1)) {
		return 0, 0, false // 192.168.1.2, 9:30
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, 0, false // not reached: the text is digits and one point
	}
	if f, ok := vulgar[s.Low(i+n)]; ok && plain {
		return v + f, n + 1, false // 1½
	}
	if plain {
		if d, m := slashed(s, i); m > 0 {
			return d, m, false
		}
		if d, m := slashed(s, i+n); m > 0 && !s.Glued(i+n) && d < 1 {
			return v + d, n + m, false // 1 4/5
		}
	}
	if e, m := exponent(s, i+n); m > 0 {
		w, err := strconv.ParseFloat(text+e, 64)
		return w, n + m, err == nil
	}
	if e, m := power(s, i+n); m > 0 {
		return math.Pow(v, e), n + m, false
	}
	if k := priceDashes(s, i+n); k > 0 {
		return v, n + k, false
	}
	if f, ok := suffixes[s.Low(i+n)]; ok && suffixAt(s, i+n) && multiplies(s, i, i+n) {
		return v * f, n + 1, false
	}
	return v, n, true
}

// suffixAt reports whether the letters at token i are a multiplier of the figures before
// them: glued, or where only numbers are looked for in capitals or a k.
func suffixAt(s *message.Message, i int) bool {
	if s.Glued(i + 1) {
		if r, _ := utf8.DecodeRuneInString(s.Tokens[i+1].Text); r == '_' || message.IsLetter(r) || r >= '0' && r <= '9' || !s.CloseAfter(i+1) && s.Only == "" {
			return false
		}
	}
	w := s.Tokens[i].Text
	return s.Glued(i) || s.Only != "" && (w == "k" || w == "K" || w == "M" || w == "G" || w == "T" || w == "MM")
}

// multiplies reports whether letters glued to figures multiply them: 10k and 5M do, 5m, 5b
// and 5t only in money, since they are metres, classes and houses more often.
func multiplies(s *message.Message, from, at int) bool {
	if s.Only != "" || s.Asked == "money" || moneyAround(s, from, at+1) {
		return true
	}
	w := s.Tokens[at].Text
	return (sureSuffixes[w] || w == "M" || w == "MM") && !talk.ProperName(s, at+1)
}

// sureSuffixes multiply figures whatever they count.
var sureSuffixes = message.Words("k K mio Mio mln bn Bn BN")

// moneyAround reports whether a sign, a code or the name of a currency stands beside the
// tokens [from, to).
func moneyAround(s *message.Message, from, to int) bool {
	w := s.Low(from - 1)
	if c := currency.ByCode[w]; c != nil && (currency.LowerCase[w] || message.IsUpper(s.Tokens[from-1].Text)) {
		return true
	}
	if w != "" && currency.BySign[w] != nil || s.Low(to) != "" && s.Tokens[to].Class == message.Symbol && currency.BySign[s.Low(to)] != nil {
		return true
	}
	_, n := currency.Name(s, to)
	return n > 0
}

// decimal reads digits with their separators; plain are those without any. The language says which
// mark parts the decimals; the other one does so where it cannot part thousands.
func decimal(s *message.Message, i int) (text string, n int, plain bool) {
	if s.SymbolAt(i, ".") {
		if s.Glued(i) && !signed(s, i) || !s.Glued(i+1) || s.Digits(i+1, 1, LongestFigure) == "" || chained(s, i+2) {
			return "", 0, false
		}
		return "0." + s.Low(i+1), 2, false
	}
	d := s.Digits(i, 1, LongestFigure)
	if d == "" {
		return "", 0, false
	}
	if k := singleFigures(s, i); k > 0 {
		return s.Run(i, k), k, true
	}
	text, n, parted := groupedFigures(s, i, d)
	tail := decimalsAt(s, i, i+n, parted)
	inChain := s.Glued(i) && s.SymbolAt(i-1, ".") && i > 1 && s.Glued(i-1) && s.Tokens[i-2].Class == message.Digits
	if tail != "" && !inChain && !chained(s, i+n+2) {
		return text + "." + tail, n + 2, false
	}
	if parted == "." && tail == "" && DecimalMark(s) == "." {
		return d, 1, true // 1.234 of 1.234.567
	}
	return text, n, n == 1
}

// DecimalMark is the mark that parts decimals in the language of the message.
func DecimalMark(s *message.Message) string {
	if len(s.Language.Classes["decimal_point"]) > 0 {
		return "."
	}
	return ","
}

// decimalsAt returns the decimals at token at, behind the figures from token i on whose groups of
// three are parted by a mark.
func decimalsAt(s *message.Message, i, at int, parted string) string {
	own := DecimalMark(s)
	spaced := parted != "" && parted != "." && parted != ","
	if own == parted || spaced && own == "." && commaDecimals(s, at) {
		own = otherMark(own) // 1.111,11 and 10 455,50
	}
	if tail := s.Marked(at, own, 1, 20); tail != "" {
		return tail
	}
	switch tail := s.Marked(at, otherMark(own), 1, 20); {
	case tail == "" || parted != "" || len(tail) == 3:
		return ""
	case own == ",":
		return tail // 1.5 is told so everywhere
	case !s.SymbolAt(i-1, ",") && !(s.Marked(at+2, ",", 1, 99) != "") && (Numeric[s.Asked] && s.Ends(at+2) || unitBeside(s, i, at+2)):
		return tail // 3482,7 as an answer and 1,75 metres are one number
	}
	return ""
}

func otherMark(mark string) string {
	if mark == "." {
		return ","
	}
	return "."
}

// unitBeside reports whether the figures [from, to) have a unit: the sign of a currency before them,
// or a sign or the word of a unit behind them.
func unitBeside(s *message.Message, from, to int) bool {
	if s.Low(from-1) != "" && s.Glued(from) && currency.BySign[s.Low(from-1)] != nil {
		return true
	}
	_, n := currency.Name(s, to)
	return n > 0 || s.SymbolAt(to, "€$£¥") || slices.ContainsFunc(unitClasses[:], func(class string) bool { return s.IsTerm(to, class) })
}

// unitClasses are the words that count what is not only whole.
var unitClasses = [...]string{"percent", "measure", "date_unit", "clock_unit", "hour_letter"}

// restOfFigures reports whether token i goes on with figures that were not read as one number:
// the 4 of 12:4.
func restOfFigures(s *message.Message, i int) bool {
	return s.Glued(i) && s.GluedSymbol(i-1, ".,:/") && s.Digits(i-2, 1, 99) != ""
}

// signed reports whether a sign of its own stands glued before token i: -.5, $.50.
func signed(s *message.Message, i int) bool {
	return s.SymbolAt(i-1, "-−$€£") && !s.Glued(i-1)
}

// chained reports whether a point and more digits follow: 192.168.1.2 is no number.
func chained(s *message.Message, i int) bool {
	return s.Marked(i, ".", 1, 99) != ""
}

// singleFigures counts the digits at token i that are told one by one, "4 8 2 1 0", where one number
// is asked for; 0 if they are none.
func singleFigures(s *message.Message, i int) int {
	if !Numeric[s.Asked] || s.Several || s.Digits(i-1, 1, 99) != "" {
		return 0
	}
	n := 0
	for s.Digits(i+n, 1, 1) != "" && !s.Glued(i+n) && n < LongestFigure {
		n++
	}
	if n < 3 || !s.Ends(i+n) {
		return 0
	}
	return n
}

// groupedFigures reads groups of three: 1,234,567 and 1'234'567 and 40 000, and those that the mark
// of decimals parts where it can be nothing else. parted is what parts them, "" for one group.
func groupedFigures(s *message.Message, i int, d string) (text string, n int, parted string) {
	if len(d) > 3 || d == "0" {
		return d, 1, ""
	}
	own := DecimalMark(s)
	for _, mark := range [...]string{otherMark(own), "'", "’", own} {
		text, n = d, 1
		for s.Marked(i+n, mark, 3, 3) != "" && len(text) < LongestFigure-2 {
			text += s.Low(i + n + 1)
			n += 2
		}
		if n > 1 && (mark != own || own == "," && n > 3 || s.Marked(i+n, otherMark(own), 1, 20) != "") {
			return text, n, mark
		}
	}
	text, n = d, 1
	for spaceGroup(s, i+n) && len(text) < LongestFigure-2 {
		text += s.Low(i + n)
		n++
	}
	if n > 1 && !spacedNumber(s, i, n) {
		return d, 1, ""
	}
	return text, n, strings.Repeat(" ", min(n-1, 1))
}

// spaceGroup reports whether token i is a group of three digits behind one space.
func spaceGroup(s *message.Message, i int) bool {
	if s.Digits(i, 3, 3) == "" || s.Glued(i) || s.Glued(i+1) && !s.CloseAfter(i+1) && !s.SymbolAt(i+1, ".%") && !commaDecimals(s, i+1) {
		return false
	}
	return utf8.RuneCountInString(s.Text[s.Tokens[i-1].End:s.Tokens[i].Start]) == 1
}

// commaDecimals reports whether a comma and one or two digits stand at token i.
func commaDecimals(s *message.Message, i int) bool {
	return s.Marked(i, ",", 1, 2) != ""
}

// spacedNumber reports whether groups behind spaces are one number and not two: a
// no-break space, a group of noughts, three groups, a unit behind them, an answer to a
// question for a number, or nothing but numbers looked for.
func spacedNumber(s *message.Message, i, n int) bool {
	if s.Only != "" || n > 2 || s.Low(i+1) == "000" || len(s.Language.Classes["spaced_thousands"]) > 0 {
		return true
	}
	return s.Text[s.Tokens[i].End] >= utf8.RuneSelf || countsInGroups(s, i, i+n)
}

// countsInGroups reports whether the groups in [from, to) are one count: 10 455 kWh, and
// 10 455 where a number is asked for. "2 500 ml bottles" are two.
func countsInGroups(s *message.Message, from, to int) bool {
	if s.EndsTerm(from, "number_noun") > 0 || s.Digits(from-1, 1, 99) != "" {
		return false
	}
	if commaDecimals(s, to) {
		to += 2
	}
	return s.IsTerm(to, "measure") && s.Ends(to+1) || Numeric[s.Asked] && s.Ends(to)
}

// slashed reads 3/4 at token i.
func slashed(s *message.Message, i int) (float64, int) {
	d := s.Digits(i, 1, 9)
	if d == "" || !s.SymbolAt(i+1, "/⁄") || !s.Glued(i+1) || !s.Glued(i+2) {
		return 0, 0
	}
	if s.SymbolAt(i+3, "/⁄") && s.Glued(i+3) || s.Glued(i) && (s.SymbolAt(i-1, "/") || s.SymbolAt(i-1, "-") && s.Glued(i-1)) {
		return 0, 0 // a date
	}
	below := s.Digits(i+2, 1, 4)
	if below == "" || strings.Trim(below, "0") == "" || d == "24" && below == "7" && s.Only == "" {
		return 0, 0 // around the clock
	}
	return float64(message.Atoi(d)) / float64(message.Atoi(below)), 3
}

// exponent reads e13, e+14, E-5 glued to figures.
func exponent(s *message.Message, i int) (string, int) {
	if s.Low(i) != "e" || !s.Glued(i) || !s.Glued(i+1) {
		return "", 0
	}
	sign, n := "", 1
	if s.SymbolAt(i+1, "+-") {
		sign, n = s.Low(i+1), 2
	}
	if d := s.Digits(i+n, 1, 3); d != "" && s.Glued(i+n) {
		return "e" + sign + d, n + 1
	}
	return "", 0
}

// power reads ^2, ^+23 and ^--23, whose two signs cancel each other.
func power(s *message.Message, i int) (float64, int) {
	if !s.SymbolAt(i, "^") || !s.Glued(i) {
		return 0, 0
	}
	sign, n := 1.0, 1
	for s.SymbolAt(i+n, "+-") && n < 4 {
		if s.Low(i+n) == "-" {
			sign = -sign
		}
		n++
	}
	if d := s.Digits(i+n, 1, 3); d != "" {
		return sign * float64(message.Atoi(d)), n + 1
	}
	return 0, 0
}

// priceDashes counts the tokens of the dash that stands for no cents: 500,- and 20.-.
func priceDashes(s *message.Message, i int) int {
	if !s.GluedSymbol(i, ",.") || !s.GluedSymbol(i+1, "-–—") {
		return 0
	}
	n := 2
	for s.GluedSymbol(i+n, "-–—") {
		n++
	}
	return n
}
