package extract

import "strconv"

var ordinalUnits = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
	"fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
	"nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}

// Idioms in which an ordinal word counts nothing.
var (
	ordinalBefore = words("a one at just wait per each every split")
	ordinalAfter  = words("opinion opinions hand class name names aid thought thoughts glance off place party time thing")
)

// ordinal recognises 1st, 22nd, first, twenty-first at token i.
func (s *scan) ordinal(i int) (value float64, n int) {
	if d := s.digits(i, 1, 4); d != "" && s.glued(i+1) {
		switch s.low(i + 1) {
		case "st", "nd", "rd", "th":
			v, err := strconv.Atoi(d)
			if err != nil || v == 0 {
				return 0, 0
			}
			return float64(v), 2
		}
		return 0, 0
	}
	if v, ok := ordinalUnits[s.low(i)]; ok {
		return v, 1
	}
	if v, ok := tens[s.low(i)]; ok {
		n := 1
		if s.symbolAt(i+1, "-") {
			n = 2
		}
		if u, ok := ordinalUnits[s.low(i+n)]; ok && u < 10 {
			return v + u, n + 1
		}
	}
	return 0, 0
}

func (s *scan) plainOrdinal(i int) *found {
	v, n := s.ordinal(i)
	if n == 0 || s.glued(i) && !s.openBefore(i) {
		return nil
	}
	if s.tokens[i].class == letters && (s.is(i-1, ordinalBefore) || s.is(i+n, ordinalAfter)) {
		return nil
	}
	return &found{kind: "ordinal", from: i, to: i + n, value: v, confidence: 0.9}
}
