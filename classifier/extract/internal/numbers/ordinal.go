package numbers

import (
	"strconv"

	"github.com/slotway/slotway/classifier/message"
)

// Ordinal recognises 1st, 22nd, 1,000th, first, twenty-first, one hundred twenty-fifth, 3º, "vingt et
// unième" at token i.
func Ordinal(s *message.Message, i int) (value float64, n int) {
	if d := s.Digits(i, 1, 9); d != "" {
		return ordinalFigures(s, i, d)
	}
	if v, n := tenAndOrdinal(s, i); n > 0 {
		return v, n
	}
	if t, n := s.TermAt(i, "ordinal_word"); n > 0 {
		return t.Num, n
	}
	if !s.WordAt(i) {
		return 0, 0
	}
	if s.Language.Compound {
		if v, ok := s.Language.CompoundOrdinal(s.Low(i)); ok {
			return v, 1
		}
	}
	return longOrdinal(s, i)
}

// ordinalFigures reads figures with the mark of an ordinal: 22nd, 1,000th, 21. and 1er.
func ordinalFigures(s *message.Message, i int, d string) (float64, int) {
	text, n, _ := groupedFigures(s, i, d)
	_, k := s.TermAt(i+n, "ordinal_mark")
	if k == 0 || !s.Glued(i+n) || s.Marked(i+n, ".", 1, 99) != "" {
		return 0, 0
	}
	v, err := strconv.Atoi(text)
	if err != nil || v == 0 {
		return 0, 0
	}
	return float64(v), n + k
}

// tenAndOrdinal reads a ten with an ordinal behind it: twenty-first, "vigésimo primero".
func tenAndOrdinal(s *message.Message, i int) (float64, int) {
	ten, class := numeralAt(s, i), "ordinal_word"
	if t, n := s.TermAt(i, "ordinal_ten"); n > 0 {
		ten, class = numeral{t.Num, tenRole, n}, "ordinal_unit"
	}
	if ten.role != tenRole {
		return 0, 0
	}
	skip, _ := link(s, i+ten.n, tenRole)
	if u, k := s.TermAt(i+ten.n+skip, class); k > 0 && (u.Num < 10 || class == "ordinal_unit") {
		return ten.value + u.Num, ten.n + skip + k
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
	last := numeralAt(s, i+n-1)
	skip, _ := link(s, i+n, last.role)
	u, k := s.TermAt(i+n+skip, "ordinal_word")
	switch {
	case k == 0:
	case u.Num >= 100 && skip == 0 && last.value < u.Num && v < 1e13:
		return v * u.Num, n + k
	case last.multiplies() && u.Num < 100, last.role == tenRole && u.Num < 10:
		return v + u.Num, n + skip + k
	}
	return 0, 0
}
