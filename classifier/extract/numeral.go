package extract

import (
	"strconv"
	"strings"
)

// wordKind is what a number word does in a number.
type wordKind uint8

const (
	noNumber  wordKind = iota
	unitWord           // zero to nineteen
	tenWord            // twenty to ninety
	scaleWord          // multiplies what stands before it
)

type numberWord struct {
	value float64
	kind  wordKind
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
		"dozen": 12, "dozens": 12, "hundred": 100, "hundreds": 100, "thousand": 1e3, "thousands": 1e3,
		"lakh": 1e5, "lakhs": 1e5, "million": 1e6, "millions": 1e6, "mil": 1e6, "mln": 1e6, "crore": 1e7, "crores": 1e7,
		"billion": 1e9, "billions": 1e9, "bn": 1e9, "trillion": 1e12, "trillions": 1e12,
	}
	// wordValues joins the three tables.
	wordValues = numberWords()
)

func numberWords() map[string]numberWord {
	out := map[string]numberWord{}
	for kind, table := range map[wordKind]map[string]float64{unitWord: units, tenWord: tens, scaleWord: scales} {
		for w, v := range table {
			out[w] = numberWord{v, kind}
		}
	}
	return out
}

// composer adds up a number from its words. A scale multiplies what stands before it as
// far as that is smaller: 300, two, dozen is 324.
type composer struct {
	parts [12]part
	depth int
}

// part is a summand with the scale that made it and the token behind it.
type part struct {
	value, scale float64
	end          int
}

func (c *composer) push(value, scale float64, end int) bool {
	if c.depth == len(c.parts) {
		return false
	}
	c.parts[c.depth] = part{value, scale, end}
	c.depth++
	return true
}

// times multiplies by a scale. It is refused where an equal or smaller scale stands
// before, as in "two hundred three hundred"; the words of the second number are dropped.
func (c *composer) times(scale float64, end int) bool {
	sum, k := 0.0, c.depth
	for k > 0 && c.parts[k-1].scale < scale {
		k--
		sum += c.parts[k].value
	}
	switch {
	case k == c.depth && k > 0: // hundred dozen
		c.parts[k-1].value *= scale
		c.parts[k-1].end = end
		return true
	case k > 0 && c.parts[k-1].scale <= scale:
		c.depth = k
		return false
	case k == c.depth:
		sum = 1
	}
	c.depth = k
	return c.push(sum*scale, scale, end)
}

func (c *composer) sum() (value float64, end int) {
	for _, p := range c.parts[:c.depth] {
		value, end = value+p.value, p.end
	}
	return value, end
}

// count reads number words and what figures stand among them at token i: "one hundred
// and five", "4 thousand 3 hundred and 21". A first value of n tokens has been read when
// n is not 0; then only a scale may follow. It returns the value and the length.
func (s *scan) count(i int, first float64, n int) (float64, int) {
	var c composer
	kind := noNumber
	if n > 0 {
		c.push(first, 1, n)
		kind = unitWord
	} else if w := s.low(i); w == "a" || w == "an" {
		if wordValues[s.low(i+1)].kind != scaleWord {
			return 0, 0
		}
		n, kind = 1, unitWord
		c.push(1, 1, 1)
	}
	for {
		skip := s.linkedNumber(i+n, kind)
		w := wordValues[s.low(i+n+skip)]
		if w.kind == noNumber && kind == scaleWord {
			w = s.figureWord(i + n + skip)
		}
		if !follows(kind, w, s.low(i+n), c.parts[max(c.depth-1, 0)].value) || n == 0 && strings.HasSuffix(s.low(i), "s") {
			break
		}
		end := n + skip + 1
		if w.kind == scaleWord && !c.times(w.value, end) || w.kind != scaleWord && !c.push(w.value, 1, end) {
			break
		}
		n, kind = end, w.kind
	}
	return c.sum()
}

// linkedNumber counts the "and" or hyphen between two words of a number.
func (s *scan) linkedNumber(i int, before wordKind) int {
	switch {
	case before == noNumber:
	case before == scaleWord && s.low(i) == "and":
		return 1
	case s.symbolAt(i, "-‐‑") && (before == tenWord || s.glued(i) && s.glued(i+1)):
		return 1
	}
	return 0
}

// follows reports whether a word may stand behind one of a kind; link is what stands
// between them, if anything.
func follows(before wordKind, w numberWord, link string, last float64) bool {
	switch w.kind {
	case unitWord:
		return before == noNumber || before == scaleWord && w.value > 0 || before == tenWord && w.value >= 1 && w.value <= 9 && last >= 20
	case tenWord:
		return before == noNumber || before == scaleWord
	case scaleWord:
		return link != "and" && (before != noNumber || w.value != 12)
	}
	return false
}

// figureWord reads figures inside a number in words: the 21 of "3 hundred and 21".
func (s *scan) figureWord(i int) numberWord {
	d := s.digits(i, 1, 3)
	if d == "" || s.glued(i) || s.glued(i+1) && !s.closeAfter(i+1) {
		return numberWord{}
	}
	return numberWord{float64(atoi(d)), unitWord}
}

// below100 reads "seven", "twenty", "twenty-one".
func (s *scan) below100(i int) (float64, int) {
	if s.tongue != nil {
		return s.spokenBelow100(i)
	}
	w := wordValues[s.low(i)]
	switch w.kind {
	case unitWord:
		return w.value, 1
	case tenWord:
		n := 1
		if s.symbolAt(i+1, "-‐‑") {
			n = 2
		}
		if u, ok := units[s.low(i+n)]; ok && u > 0 && u < 10 {
			return w.value + u, n + 1
		}
		return w.value, 1
	}
	return 0, 0
}

// point reads the decimals behind a number of n tokens: "point zero three", "point
// seventy-one", "point 5".
func (s *scan) point(i int, v float64, n int) (float64, int) {
	if s.low(i+n) != "point" {
		return v, n
	}
	var text strings.Builder
	text.WriteString(strconv.FormatFloat(v, 'f', 0, 64))
	text.WriteByte('.')
	m := n + 1
	if d := s.digits(i+m, 1, 15); d != "" {
		text.WriteString(d)
		m++
	} else if t, k := s.below100(i + m); k > 0 && t >= 10 {
		text.WriteString(strconv.Itoa(int(t)))
		m += k
	} else {
		for w := wordValues[s.low(i+m)]; w.kind == unitWord && w.value < 10; w = wordValues[s.low(i+m)] {
			text.WriteString(strconv.Itoa(int(w.value)))
			m++
		}
	}
	w, err := strconv.ParseFloat(text.String(), 64)
	if err != nil || m == n+1 {
		return v, n
	}
	return w, m
}
