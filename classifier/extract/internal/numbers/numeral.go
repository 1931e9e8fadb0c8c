package numbers

import (
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/message"
)

// wordKind is the role of a number word in a number.
type wordKind uint8

// What a word does in a number.
const (
	NoNumber  wordKind = iota
	UnitWord           // zero to nineteen
	TenWord            // twenty to ninety
	ScaleWord          // multiplies what stands before it
)

type numberWord struct {
	value float64
	Kind  wordKind
}

var (
	// Units are the number words below twenty.
	Units = map[string]float64{
		"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
		"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
		"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	}
	// Tens are those from twenty to ninety.
	Tens = map[string]float64{
		"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
		"seventy": 70, "eighty": 80, "ninety": 90,
	}
	// scales multiply what stands before them.
	scales = map[string]float64{
		"dozen": 12, "dozens": 12, "hundred": 100, "hundreds": 100, "thousand": 1e3, "thousands": 1e3,
		"lakh": 1e5, "lakhs": 1e5, "million": 1e6, "millions": 1e6, "mil": 1e6, "mln": 1e6, "crore": 1e7, "crores": 1e7,
		"billion": 1e9, "billions": 1e9, "bn": 1e9, "trillion": 1e12, "trillions": 1e12,
	}
	// WordValues joins the three tables.
	WordValues = numberWords()
)

func numberWords() map[string]numberWord {
	out := map[string]numberWord{}
	for kind, table := range map[wordKind]map[string]float64{UnitWord: Units, TenWord: Tens, ScaleWord: scales} {
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

// Count reads number words and what figures stand among them at token i: "one hundred
// and five", "4 thousand 3 hundred and 21". A first value of n tokens has been read when
// n is not 0; then only a scale may follow. It returns the value and the length.
func Count(s *message.Message, i int, first float64, n int) (float64, int) {
	var c composer
	kind := NoNumber
	if n > 0 {
		c.push(first, 1, n)
		kind = UnitWord
	} else if w := s.Low(i); w == "a" || w == "an" {
		if WordValues[s.Low(i+1)].Kind != ScaleWord {
			return 0, 0
		}
		n, kind = 1, UnitWord
		c.push(1, 1, 1)
	}
	for {
		skip := linkedNumber(s, i+n, kind)
		w := WordValues[s.Low(i+n+skip)]
		if w.Kind == NoNumber && kind == ScaleWord {
			w = figureWord(s, i+n+skip)
		}
		if !follows(kind, w, s.Low(i+n), c.parts[max(c.depth-1, 0)].value) || n == 0 && strings.HasSuffix(s.Low(i), "s") {
			break
		}
		end := n + skip + 1
		if w.Kind == ScaleWord && !c.times(w.value, end) || w.Kind != ScaleWord && !c.push(w.value, 1, end) {
			break
		}
		n, kind = end, w.Kind
	}
	return c.sum()
}

// linkedNumber counts the "and" or hyphen between two words of a number.
func linkedNumber(s *message.Message, i int, before wordKind) int {
	switch {
	case before == NoNumber:
	case before == ScaleWord && s.Low(i) == "and":
		return 1
	case s.SymbolAt(i, "-‐‑") && (before == TenWord || s.Glued(i) && s.Glued(i+1)):
		return 1
	}
	return 0
}

// follows reports whether a word may follow one of a kind; link is the word between them, if any.
func follows(before wordKind, w numberWord, link string, last float64) bool {
	switch w.Kind {
	case UnitWord:
		return before == NoNumber || before == ScaleWord && w.value > 0 || before == TenWord && w.value >= 1 && w.value <= 9 && last >= 20
	case TenWord:
		return before == NoNumber || before == ScaleWord
	case ScaleWord:
		return link != "and" && (before != NoNumber || w.value != 12)
	}
	return false
}

// figureWord reads figures inside a number in words: the 21 of "3 hundred and 21".
func figureWord(s *message.Message, i int) numberWord {
	d := s.Digits(i, 1, 3)
	if d == "" || s.Glued(i) || s.Glued(i+1) && !s.CloseAfter(i+1) {
		return numberWord{}
	}
	return numberWord{float64(message.Atoi(d)), UnitWord}
}

// Below100 reads "seven", "twenty", "twenty-one".
func Below100(s *message.Message, i int) (float64, int) {
	if !s.Language.Coded {
		return spokenBelow100(s, i)
	}
	w := WordValues[s.Low(i)]
	switch w.Kind {
	case UnitWord:
		return w.value, 1
	case TenWord:
		n := 1
		if s.SymbolAt(i+1, "-‐‑") {
			n = 2
		}
		if u, ok := Units[s.Low(i+n)]; ok && u > 0 && u < 10 {
			return w.value + u, n + 1
		}
		return w.value, 1
	}
	return 0, 0
}

// point reads the decimals behind a number of n tokens: "point zero three", "point
// seventy-one", "point 5".
func point(s *message.Message, i int, v float64, n int) (float64, int) {
	if s.Low(i+n) != "point" {
		return v, n
	}
	var text strings.Builder
	text.WriteString(strconv.FormatFloat(v, 'f', 0, 64))
	text.WriteByte('.')
	m := n + 1
	if d := s.Digits(i+m, 1, 15); d != "" {
		text.WriteString(d)
		m++
	} else if t, k := Below100(s, i+m); k > 0 && t >= 10 {
		text.WriteString(strconv.Itoa(int(t)))
		m += k
	} else {
		for w := WordValues[s.Low(i+m)]; w.Kind == UnitWord && w.value < 10; w = WordValues[s.Low(i+m)] {
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
