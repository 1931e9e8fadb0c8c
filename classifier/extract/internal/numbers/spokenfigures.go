package numbers

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slotway/slotway/classifier/message"
)

// figuresIn reads figures as they are written with a decimal comma: 1.234,56 and 1 234,56 and
// 1'234.50. A point before three figures parts thousands; before one or two it is decimal,
// as it is to those who type it so.
func figuresIn(s *message.Message, i int) (v float64, n int) {
	if f, ok := vulgar[s.Low(i)]; ok {
		return f, 1
	}
	d := s.Digits(i, 1, LongestFigure)
	if d == "" || restOfFigures(s, i) {
		return 0, 0
	}
	text, n := thousands(s, i, d)
	marks := ",."
	if n > 1 {
		marks = strings.ReplaceAll(marks, s.Tokens[i+1].Text, "")
	}
	if s.GluedSymbol(i+n, marks) && s.Glued(i+n+1) && decimals(s, i+n) {
		text, n = text+"."+s.Low(i+n+1), n+2
	}
	if chained(s, i+n) || s.GluedSymbol(i+n, ":") && s.Glued(i+n+1) {
		return 0, 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, 0 // not reached: the text is figures and one point
	}
	if n == 1 {
		if w, m := mixedFigures(s, i, v); m > 0 {
			return w, m
		}
	}
	if k := priceDashes(s, i+n); k > 0 {
		return v, n + k
	}
	if f, ok := suffixes[s.Low(i+n)]; ok && s.Glued(i+n) && sureSuffixes[s.Tokens[i+n].Text] && (!s.Glued(i+n+1) || s.CloseAfter(i+n+1)) {
		return v * f, n + 1
	}
	return v, n
}

// restOfFigures reports whether token i goes on with figures that were not read as one number:
// the 4 of 12:4.
func restOfFigures(s *message.Message, i int) bool {
	return s.Glued(i) && s.GluedSymbol(i-1, ".,:/") && s.Digits(i-2, 1, 99) != ""
}

// mixedFigures reads 5 1/2, 5½ and 3/4, whose whole part is the one token at i.
func mixedFigures(s *message.Message, i int, v float64) (float64, int) {
	if part, m := slashed(s, i+1); m > 0 && !s.Glued(i+1) && part < 1 {
		return v + part, 1 + m
	}
	if f, ok := vulgar[s.Low(i+1)]; ok {
		return v + f, 2
	}
	return slashed(s, i)
}

// priceDashes counts the tokens of the dash that stands for no cents: 500,- and 500,--.
func priceDashes(s *message.Message, i int) int {
	if !s.GluedSymbol(i, ",") || !s.GluedSymbol(i+1, "-–—") {
		return 0
	}
	n := 2
	for s.GluedSymbol(i+n, "-–—") {
		n++
	}
	return n
}

// decimals reports whether the figures behind the mark at token i are decimals.
func decimals(s *message.Message, i int) bool {
	d := s.Digits(i+1, 1, 20)
	return d != "" && (s.Low(i) == "," || len(d) != 3) && !(s.SymbolAt(i+2, ".,") && s.Glued(i+2) && s.Glued(i+3) && s.Digits(i+3, 1, 99) != "")
}

// thousands reads groups of three figures.
func thousands(s *message.Message, i int, d string) (text string, n int) {
	if len(d) > 3 || d[0] == '0' {
		return d, 1
	}
	for _, mark := range [...]string{".", "'", "’"} {
		text, n = d, 1
		for s.Marked(i+n, mark, 3, 3) != "" && len(text) < LongestFigure-2 {
			text += s.Low(i + n + 1)
			n += 2
		}
		if n > 1 && !(s.Marked(i+n, mark, 1, 99) != "") {
			return text, n
		}
	}
	if text, n = commaThousands(s, i, d); n > 1 {
		return text, n
	}
	for spacedThousand(s, i+n) && len(text) < LongestFigure-2 {
		text += s.Low(i + n)
		n++
	}
	return text, n
}

// commaThousands reads the groups of those who write a decimal point, where nothing else can
// be meant: 1,234.56 and 1,234,567.
func commaThousands(s *message.Message, i int, d string) (text string, n int) {
	text, n = d, 1
	for s.Marked(i+n, ",", 3, 3) != "" && len(text) < LongestFigure-2 {
		text += s.Low(i + n + 1)
		n += 2
	}
	if n > 3 || n == 3 && s.Marked(i+n, ".", 1, 2) != "" {
		return text, n
	}
	return d, 1
}

// spacedThousand reports whether token i is a group of three figures behind one space.
func spacedThousand(s *message.Message, i int) bool {
	if s.Digits(i, 3, 3) == "" || s.Glued(i) {
		return false
	}
	gap := s.Text[s.Tokens[i-1].End:s.Tokens[i].Start]
	return utf8.RuneCountInString(gap) == 1 && (gap != " " || s.IsTerm(0, "spaced_thousands") || len(s.Language.Classes["spaced_thousands"]) > 0)
}

// numberIn reads a number at token i: figures or words, with a sign, decimals and a part.
func Spoken(s *message.Message, i int) (v float64, n int) {
	sign, k := minusHere(s, i)
	v, n = figuresIn(s, i+k)
	worded := n == 0
	if worded {
		v, n = WordNumber(s, i+k)
	}
	if a, m := s.TermAt(i+k, "article"); m > 0 {
		if t, j := s.TermAt(i+k+m, "fraction"); j > 0 && m+j > n {
			return sign * a.Num / t.Num, k + m + j
		}
	}
	if t, m := s.TermAt(i+k, "fixed_number"); m > n {
		return sign * t.Num, k + m
	}
	if n == 0 {
		return 0, 0
	}
	if t, m := s.TermAt(i+k+n, "fraction"); m > 0 && v > 0 && v == float64(int64(v)) {
		return sign * v / t.Num, k + n + m // zwei drittel
	}
	if worded {
		v, n = spokenDecimals(s, i+k, v, n)
	} else if t, m := s.TermAt(i+k+n, "scale"); m > 0 && !s.Glued(i+k+n) {
		v, n = v*t.Num, n+m
		if s.SymbolAt(i+k+n, ".") && s.Glued(i+k+n) && len(t.Words[0]) <= 3 && s.WordAt(i+k+n+1) {
			n++ // 3 mio. euro
		}
	}
	if t, m := s.TermAt(i+k+n, "and_part"); m > 0 {
		v, n = v+t.Num, n+m
		if t, m := s.TermAt(i+k+n, "scale"); m > 0 { // zweieinhalb millionen
			v, n = v*t.Num, n+m
		}
	}
	return sign * v, k + n
}

func minusHere(s *message.Message, i int) (sign float64, n int) {
	if s.SymbolAt(i, "-−") && s.Glued(i+1) && (!s.Glued(i) || s.OpenBefore(i)) && s.Digits(i+1, 1, 99) != "" {
		return -1, 1
	}
	if _, k := s.TermAt(i, "minus"); k > 0 {
		return -1, k
	}
	return 1, 0
}

// spokenDecimals reads the figures behind a spoken comma: "zwei komma fünf".
func spokenDecimals(s *message.Message, i int, v float64, n int) (float64, int) {
	_, k := s.TermAt(i+n, "comma")
	if k == 0 {
		return v, n
	}
	var text strings.Builder
	m := n + k
	for {
		t, j := s.TermAt(i+m, "unit")
		if j == 0 || t.Num > 9 {
			break
		}
		text.WriteString(strconv.Itoa(int(t.Num)))
		m += j
	}
	if text.Len() == 0 {
		w, j := WordNumber(s, i+m)
		if j == 0 || w != float64(int(w)) || w > 999 {
			return v, n
		}
		text.WriteString(strconv.Itoa(int(w)))
		m += j
	}
	f, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 0, 64)+"."+text.String(), 64)
	if err != nil || v != float64(int64(v)) {
		return v, n
	}
	return f, m
}
