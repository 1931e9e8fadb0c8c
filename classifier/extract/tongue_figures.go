package extract

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// figuresIn reads figures as they are written with a decimal comma: 1.234,56 and 1 234,56 and
// 1'234.50. A point before three figures parts thousands; before one or two it is decimal,
// as it is to those who type it so.
func (s *scan) figuresIn(i int) (v float64, n int) {
	if f, ok := vulgar[s.low(i)]; ok {
		return f, 1
	}
	d := s.digits(i, 1, longestFigure)
	if d == "" || s.restOfFigures(i) {
		return 0, 0
	}
	text, n := s.thousands(i, d)
	marks := ",."
	if n > 1 {
		marks = strings.ReplaceAll(marks, s.tokens[i+1].text, "")
	}
	if s.gluedSymbol(i+n, marks) && s.glued(i+n+1) && s.decimals(i+n) {
		text, n = text+"."+s.low(i+n+1), n+2
	}
	if s.chained(i+n) || s.gluedSymbol(i+n, ":") && s.glued(i+n+1) {
		return 0, 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, 0 // not reached: the text is figures and one point
	}
	if n == 1 {
		if w, m := s.mixedFigures(i, v); m > 0 {
			return w, m
		}
	}
	if k := s.priceDashes(i + n); k > 0 {
		return v, n + k
	}
	if f, ok := suffixes[s.low(i+n)]; ok && s.glued(i+n) && sureSuffixes[s.tokens[i+n].text] && (!s.glued(i+n+1) || s.closeAfter(i+n+1)) {
		return v * f, n + 1
	}
	return v, n
}

// gluedSymbol reports whether token i is one of the characters and touches what stands before.
func (s *scan) gluedSymbol(i int, chars string) bool { return s.symbolAt(i, chars) && s.glued(i) }

// restOfFigures reports whether token i goes on with figures that were not read as one number:
// the 4 of 12:4.
func (s *scan) restOfFigures(i int) bool {
	return s.glued(i) && s.gluedSymbol(i-1, ".,:/") && s.digits(i-2, 1, 99) != ""
}

// mixedFigures reads 5 1/2, 5½ and 3/4, whose whole part is the one token at i.
func (s *scan) mixedFigures(i int, v float64) (float64, int) {
	if part, m := s.slashed(i + 1); m > 0 && !s.glued(i+1) && part < 1 {
		return v + part, 1 + m
	}
	if f, ok := vulgar[s.low(i+1)]; ok {
		return v + f, 2
	}
	return s.slashed(i)
}

// priceDashes counts the tokens of the dash that stands for no cents: 500,- and 500,--.
func (s *scan) priceDashes(i int) int {
	if !s.gluedSymbol(i, ",") || !s.gluedSymbol(i+1, "-–—") {
		return 0
	}
	n := 2
	for s.gluedSymbol(i+n, "-–—") {
		n++
	}
	return n
}

// decimals reports whether the figures behind the mark at token i are decimals.
func (s *scan) decimals(i int) bool {
	d := s.digits(i+1, 1, 20)
	return d != "" && (s.low(i) == "," || len(d) != 3) && !(s.symbolAt(i+2, ".,") && s.glued(i+2) && s.glued(i+3) && s.digits(i+3, 1, 99) != "")
}

// thousands reads groups of three figures.
func (s *scan) thousands(i int, d string) (text string, n int) {
	if len(d) > 3 || d[0] == '0' {
		return d, 1
	}
	for _, mark := range [...]string{".", "'", "’"} {
		text, n = d, 1
		for s.symbolAt(i+n, mark) && s.glued(i+n) && s.glued(i+n+1) && s.digits(i+n+1, 3, 3) != "" && len(text) < longestFigure-2 {
			text += s.low(i + n + 1)
			n += 2
		}
		if n > 1 && !(s.symbolAt(i+n, mark) && s.glued(i+n) && s.glued(i+n+1) && s.digits(i+n+1, 1, 99) != "") {
			return text, n
		}
	}
	if text, n = s.commaThousands(i, d); n > 1 {
		return text, n
	}
	for s.spacedThousand(i+n) && len(text) < longestFigure-2 {
		text += s.low(i + n)
		n++
	}
	return text, n
}

// commaThousands reads the groups of those who write a decimal point, where nothing else can
// be meant: 1,234.56 and 1,234,567.
func (s *scan) commaThousands(i int, d string) (text string, n int) {
	text, n = d, 1
	for s.symbolAt(i+n, ",") && s.glued(i+n) && s.glued(i+n+1) && s.digits(i+n+1, 3, 3) != "" && len(text) < longestFigure-2 {
		text += s.low(i + n + 1)
		n += 2
	}
	if n > 3 || n == 3 && s.symbolAt(i+n, ".") && s.glued(i+n) && s.glued(i+n+1) && s.digits(i+n+1, 1, 2) != "" {
		return text, n
	}
	return d, 1
}

// spacedThousand reports whether token i is a group of three figures behind one space.
func (s *scan) spacedThousand(i int) bool {
	if s.digits(i, 3, 3) == "" || s.glued(i) {
		return false
	}
	gap := s.text[s.tokens[i-1].end:s.tokens[i].start]
	return utf8.RuneCountInString(gap) == 1 && (gap != " " || s.isTerm(0, "spaced_thousands") || len(s.tongue.classes["spaced_thousands"]) > 0)
}

// numberIn reads a number at token i: figures or words, with a sign, decimals and a part.
func (s *scan) numberHere(i int) (v float64, n int) {
	sign, k := s.minusHere(i)
	v, n = s.figuresIn(i + k)
	worded := n == 0
	if worded {
		v, n = s.wordNumber(i + k)
	}
	if a, m := s.termAt(i+k, "article"); m > 0 {
		if t, j := s.termAt(i+k+m, "fraction"); j > 0 && m+j > n {
			return sign * a.num / t.num, k + m + j
		}
	}
	if t, m := s.termAt(i+k, "fixed_number"); m > n {
		return sign * t.num, k + m
	}
	if n == 0 {
		return 0, 0
	}
	if t, m := s.termAt(i+k+n, "fraction"); m > 0 && v > 0 && v == float64(int64(v)) {
		return sign * v / t.num, k + n + m // zwei drittel
	}
	if worded {
		v, n = s.spokenDecimals(i+k, v, n)
	} else if t, m := s.termAt(i+k+n, "scale"); m > 0 && !s.glued(i+k+n) {
		v, n = v*t.num, n+m
		if s.symbolAt(i+k+n, ".") && s.glued(i+k+n) && len(t.words[0]) <= 3 && s.wordAt(i+k+n+1) {
			n++ // 3 mio. euro
		}
	}
	if t, m := s.termAt(i+k+n, "and_part"); m > 0 {
		v, n = v+t.num, n+m
		if t, m := s.termAt(i+k+n, "scale"); m > 0 { // zweieinhalb millionen
			v, n = v*t.num, n+m
		}
	}
	return sign * v, k + n
}

func (s *scan) minusHere(i int) (sign float64, n int) {
	if s.symbolAt(i, "-−") && s.glued(i+1) && (!s.glued(i) || s.openBefore(i)) && s.digits(i+1, 1, 99) != "" {
		return -1, 1
	}
	if _, k := s.termAt(i, "minus"); k > 0 {
		return -1, k
	}
	return 1, 0
}

// spokenDecimals reads the figures behind a spoken comma: "zwei komma fünf".
func (s *scan) spokenDecimals(i int, v float64, n int) (float64, int) {
	_, k := s.termAt(i+n, "comma")
	if k == 0 {
		return v, n
	}
	var text strings.Builder
	m := n + k
	for {
		t, j := s.termAt(i+m, "unit")
		if j == 0 || t.num > 9 {
			break
		}
		text.WriteString(strconv.Itoa(int(t.num)))
		m += j
	}
	if text.Len() == 0 {
		w, j := s.wordNumber(i + m)
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
