package numbers

import (
	"strconv"

	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// OrdinalWords are the words that end an ordinal.
var OrdinalWords = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eighth": 8, "eigth": 8, "ninth": 9, "nineth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "twelveth": 12, "thirteenth": 13,
	"fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
	"nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40, "fiftieth": 50, "sixtieth": 60,
	"seventieth": 70, "eightieth": 80, "ninetieth": 90, "hundredth": 100, "thousandth": 1e3, "millionth": 1e6,
	"billionth": 1e9, "trillionth": 1e12,
}

// Idioms in which an ordinal word counts nothing.
var (
	ordinalBefore = message.Words("a one at just wait per each every split")
	OrdinalAfter  = message.Words("opinion opinions hand class name names aid thought thoughts glance off place party time thing")
	ofAll         = message.Words("all course")
)

// fromEnd are positions counted from the end: the last is -1.
var fromEnd = []struct {
	phrases []string
	value   float64
}{
	{message.Split("antepenultimate,third to last,third from last"), -3},
	{message.Split("penultimate,next to last,the last but one,last but one,second to last,second from last,one before last"), -2},
	{message.Split("last"), -1},
}

// Ordinal recognises 1st, 22nd, 1,000th, first, twenty-first, one hundred twenty-fifth at
// token i.
func Ordinal(s *message.Message, i int) (value float64, n int) {
	if d := s.Digits(i, 1, 9); d != "" {
		if len(d) <= 3 {
			d, n = groupedFigures(s, i, d)
		} else {
			n = 1
		}
		return ordinalFigures(s, i, d, n)
	}
	w := s.Low(i)
	if v, ok := OrdinalWords[w]; ok {
		return v, 1
	}
	kind := WordValues[w].Kind
	if kind == TenWord {
		n := 1
		if s.SymbolAt(i+1, "-‐‑") {
			n = 2
		}
		if u, ok := OrdinalWords[s.Low(i+n)]; ok && u < 10 {
			return WordValues[w].value + u, n + 1
		}
	}
	if kind == NoNumber && w != "a" {
		return 0, 0
	}
	return longOrdinal(s, i)
}

func ordinalFigures(s *message.Message, i int, d string, n int) (float64, int) {
	if !s.Glued(i + n) {
		return 0, 0
	}
	switch s.Low(i + n) {
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
func longOrdinal(s *message.Message, i int) (float64, int) {
	v, n := Count(s, i, 0, 0)
	if n == 0 {
		return 0, 0
	}
	last := WordValues[s.Low(i+n-1)]
	at := i + n
	switch {
	case last.Kind == TenWord && s.SymbolAt(at, "-‐‑"), last.Kind == ScaleWord && s.Low(at) == "and":
		at++
	}
	u := OrdinalWords[s.Low(at)]
	switch {
	case u == 0:
		return 0, 0
	case u >= 100 && at == i+n && last.value < u && v < 1e13:
		return v * u, at + 1 - i
	case last.Kind == ScaleWord && u < 100, last.Kind == TenWord && u < 10:
		return v + u, at + 1 - i
	}
	return 0, 0
}

// PlainOrdinal is an ordinal that stands by itself.
func PlainOrdinal(s *message.Message, i int) *find.Find {
	if f := positionFromEnd(s, i); f != nil {
		return f
	}
	v, n := Ordinal(s, i)
	if n == 0 || s.Glued(i) && !s.OpenBefore(i) || s.Glued(i+n) && s.Tokens[i+n].Class != message.Symbol {
		return nil
	}
	if s.Tokens[i].Class == message.Letters && (s.Is(i-1, ordinalBefore) || s.Is(i+n, OrdinalAfter) || s.Low(i+n) == "of" && s.Is(i+n+1, ofAll)) {
		return nil
	}
	return &find.Find{Kind: "ordinal", From: i, To: i + n, Value: v, Confidence: 0.9}
}

// positionFromEnd reads "the penultimate one" and, as an answer alone, "the last".
func positionFromEnd(s *message.Message, i int) *find.Find {
	if w := s.Low(i); w == "" || s.Tokens[i].Class != message.Letters || !fromEndStarts[w] {
		return nil
	}
	for _, p := range fromEnd {
		n := s.Phrase(i, p.phrases)
		if n == 0 || p.value == -1 && s.Asked != "ordinal" && s.Only == "" {
			continue
		}
		return &find.Find{Kind: "ordinal", From: i, To: i + n, Value: p.value, Confidence: 0.85}
	}
	return nil
}

var fromEndStarts = message.Words("the antepenultimate penultimate last next second third one")
