package extract

import "strconv"

// ordinalWords are the words that end an ordinal.
var ordinalWords = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eighth": 8, "eigth": 8, "ninth": 9, "nineth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "twelveth": 12, "thirteenth": 13,
	"fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
	"nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60,
	"seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100, "thousandth": 1e3, "millionth": 1e6,
	"billionth": 1e9, "trillionth": 1e12,
}

// Idioms in which an ordinal word counts nothing.
var (
	ordinalBefore = words("a one at just wait per each every split")
	ordinalAfter  = words("opinion opinions hand class name names aid thought thoughts glance off place party time thing")
	ofAll         = words("all course")
)

// fromEnd are positions counted from the end: the last is -1.
var fromEnd = []struct {
	phrases []string
	value   float64
}{
	{split("antepenultimate,third to last,third from last"), -3},
	{split("penultimate,next to last,the last but one,last but one,second to last,second from last,one before last"), -2},
	{split("last"), -1},
}

// ordinal recognises 1st, 22nd, 1,000th, first, twenty-first, one hundred twenty-fifth at
// token i.
func (s *scan) ordinal(i int) (value float64, n int) {
	if d := s.digits(i, 1, 9); d != "" {
		if len(d) <= 3 {
			d, n = s.groupedFigures(i, d)
		} else {
			n = 1
		}
		return s.ordinalFigures(i, d, n)
	}
	w := s.low(i)
	if v, ok := ordinalWords[w]; ok {
		return v, 1
	}
	kind := wordValues[w].kind
	if kind == tenWord {
		n := 1
		if s.symbolAt(i+1, "-‐‑") {
			n = 2
		}
		if u, ok := ordinalWords[s.low(i+n)]; ok && u < 10 {
			return wordValues[w].value + u, n + 1
		}
	}
	if kind == noNumber && w != "a" {
		return 0, 0
	}
	return s.longOrdinal(i)
}

func (s *scan) ordinalFigures(i int, d string, n int) (float64, int) {
	if !s.glued(i + n) {
		return 0, 0
	}
	switch s.low(i + n) {
	case "st", "nd", "rd", "th":
		v, err := strconv.Atoi(d)
		if err != nil || v == 0 {
			return 0, 0
		}
		return float64(v), n + 1
	}
	return 0, 0
}

// longOrdinal reads number words that end in an ordinal: "one hundred twenty-fifth",
// "three trillionth". "A trillionth" is a fraction.
func (s *scan) longOrdinal(i int) (float64, int) {
	v, n := s.count(i, 0, 0)
	if n == 0 {
		return 0, 0
	}
	last := wordValues[s.low(i+n-1)]
	at := i + n
	switch {
	case last.kind == tenWord && s.symbolAt(at, "-‐‑"), last.kind == scaleWord && s.low(at) == "and":
		at++
	}
	u := ordinalWords[s.low(at)]
	switch {
	case u == 0:
		return 0, 0
	case u >= 100 && at == i+n && last.value < u && v < 1e13:
		return v * u, at + 1 - i
	case last.kind == scaleWord && u < 100, last.kind == tenWord && u < 10:
		return v + u, at + 1 - i
	}
	return 0, 0
}

func (s *scan) plainOrdinal(i int) *found {
	if f := s.positionFromEnd(i); f != nil {
		return f
	}
	v, n := s.ordinal(i)
	if n == 0 || s.glued(i) && !s.openBefore(i) || s.glued(i+n) && s.tokens[i+n].class != symbol {
		return nil
	}
	if s.tokens[i].class == letters && (s.is(i-1, ordinalBefore) || s.is(i+n, ordinalAfter) || s.low(i+n) == "of" && s.is(i+n+1, ofAll)) {
		return nil
	}
	return &found{kind: "ordinal", from: i, to: i + n, value: v, confidence: 0.9}
}

// positionFromEnd reads "the penultimate one" and, as an answer alone, "the last".
func (s *scan) positionFromEnd(i int) *found {
	if w := s.low(i); w == "" || s.tokens[i].class != letters || !fromEndStarts[w] {
		return nil
	}
	for _, p := range fromEnd {
		n := s.phrase(i, p.phrases)
		if n == 0 || p.value == -1 && s.asked != "ordinal" && s.only == "" {
			continue
		}
		return &found{kind: "ordinal", from: i, to: i + n, value: p.value, confidence: 0.85}
	}
	return nil
}

var fromEndStarts = words("the antepenultimate penultimate last next second third one")
