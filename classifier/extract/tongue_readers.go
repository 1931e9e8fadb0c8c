package extract

import (
	"maps"
	"slices"
	"time"
)

// readers are the names in <> that stand for neither words nor rows.
var readers map[string]func(s *scan, i int) (meaning, int)

// readerNames are their names, in order.
var readerNames []string

func init() { // they read grammars, and grammars read them
	readers = map[string]func(s *scan, i int) (meaning, int){
		"number":     (*scan).readNumber,
		"amount":     (*scan).readAmount,
		"count":      (*scan).readCount,
		"dom":        figuresWithin(1, 31, 2),
		"mon":        figuresWithin(1, 12, 2),
		"hh":         figuresWithin(0, 24, 2),
		"mm":         (*scan).readMinuteFigures,
		"yyyy":       (*scan).readYear,
		"yy":         (*scan).readShortYear,
		"hour":       countWithin(0, 24),
		"hour12":     countWithin(1, 12),
		"minute":     countWithin(1, 59),
		"iso":        (*scan).readISO,
		"money_unit": (*scan).readCurrency,
		"sign":       (*scan).readSign,
		"ordinal":    (*scan).readOrdinal,
		"day_word":   (*scan).readDayWord,
	}
	readerNames = slices.Sorted(maps.Keys(readers))
}

// readNumber reads a number that no article is.
func (s *scan) readNumber(i int) (meaning, int) {
	v, n := s.numberHere(i)
	return meaning{num: v}, n
}

// readAmount reads what counts a unit: a number, or an article for one.
func (s *scan) readAmount(i int) (meaning, int) {
	if s.isTerm(i, "vague") {
		return meaning{}, 0
	}
	v, n := s.numberHere(i)
	for _, class := range [...]string{"half", "pair", "article"} {
		if t, k := s.termAt(i, class); k > n {
			v, n = t.num, k
		}
	}
	return meaning{num: v}, n
}

// readCount reads a whole number that is not negative.
func (s *scan) readCount(i int) (meaning, int) {
	v, n := s.numberHere(i)
	if v < 0 || v != float64(int64(v)) {
		return meaning{}, 0
	}
	return meaning{num: v}, n
}

func countWithin(least, most float64) func(s *scan, i int) (meaning, int) {
	return func(s *scan, i int) (meaning, int) {
		if d := s.digits(i, 1, 2); d != "" {
			v := float64(atoi(d))
			return meaning{num: v, word: d}, btoi(v >= least && v <= most)
		}
		v, n := s.wordNumber(i)
		if t, k := s.termAt(i, "article"); n == 0 && k > 0 {
			v, n = t.num, k // ein uhr, la una
		}
		if n == 0 || v < least || v > most || v != float64(int(v)) {
			return meaning{}, 0
		}
		return meaning{num: v}, n
	}
}

func figuresWithin(least, most, length int) func(s *scan, i int) (meaning, int) {
	return func(s *scan, i int) (meaning, int) {
		d := s.digits(i, 1, length)
		v := atoi(d)
		return meaning{num: float64(v), word: d}, btoi(d != "" && v >= least && v <= most)
	}
}

func (s *scan) readMinuteFigures(i int) (meaning, int) {
	d := s.digits(i, 2, 2)
	return meaning{num: float64(atoi(d)), word: d}, btoi(d != "" && d[0] < '6')
}

func (s *scan) readYear(i int) (meaning, int) {
	y := s.yearDigits(i)
	return meaning{num: float64(y), word: s.low(i)}, btoi(y > 0)
}

func (s *scan) readShortYear(i int) (meaning, int) {
	d := s.digits(i, 2, 2)
	return meaning{num: float64(atoi(d)), word: d}, btoi(d != "")
}

func (s *scan) readISO(i int) (meaning, int) {
	d, n := s.isoDate(i)
	return meaning{day: d}, n
}

// readCurrency reads the unit behind an amount: a name of the language, a sign or a code.
func (s *scan) readCurrency(i int) (meaning, int) {
	if t, n := s.termAt(i, "currency"); n > 0 {
		return meaning{word: t.value}, n
	}
	w := s.low(i)
	if w == "" {
		return meaning{}, 0
	}
	known := currencyBySign[w] != nil && s.tokens[i].class == symbol
	known = known || currencyByCode[w] != nil && (isUpper(s.tokens[i].text) || lowerCodes[w] && len(s.tongue.words[w]) == 0)
	return meaning{word: w}, btoi(known)
}

// readSign reads the sign or the code before an amount.
func (s *scan) readSign(i int) (meaning, int) {
	if s.isTerm(i, "currency") {
		return meaning{}, 0
	}
	return s.readCurrency(i)
}

// currencyNamed is the unit of a sign, a code or an English name.
func currencyNamed(name string) *currency {
	for _, table := range [...]map[string]*currency{currencyBySign, currencyByCode, currencyByName} {
		if c := table[name]; c != nil {
			return c
		}
	}
	return nil
}

// readOrdinal reads "dritte", "21.", "3º", "1er".
func (s *scan) readOrdinal(i int) (meaning, int) {
	if m, n := s.longOrdinalHere(i); n > 0 {
		return m, n
	}
	if t, n := s.termAt(i, "ordinal_word"); n > 0 {
		return meaning{num: t.num}, n
	}
	if d := s.digits(i, 1, 4); d != "" {
		if _, n := s.termAt(i+1, "ordinal_mark"); n > 0 && s.glued(i+1) && atoi(d) > 0 {
			if s.symbolAt(i+n, ".") && s.glued(i+1+n) && s.digits(i+1+n, 1, 99) != "" {
				return meaning{}, 0
			}
			return meaning{num: float64(atoi(d)), word: d}, 1 + n
		}
		return meaning{}, 0
	}
	if w := s.low(i); s.tongue.compound && w != "" {
		if v, ok := s.tongue.compoundOrdinal(w); ok {
			return meaning{num: v}, 1
		}
	}
	return meaning{}, 0
}

// compoundOrdinal reads an ordinal that is one word: "einundzwanzigste", "dreizehnten".
func (t *tongueWords) compoundOrdinal(w string) (float64, bool) {
	for _, end := range t.classes["ordinal_ending"] {
		base := len(w) - len(end.words[0])
		if base <= 0 || w[base:] != end.words[0] {
			continue
		}
		if v, ok := t.below(w[:base], 1e6); ok && v == float64(int(v)) && (v >= 20) == (end.num >= 20) && v > 3 {
			return v, true
		}
	}
	return 0, false
}

// longOrdinalHere reads a ten or more with an ordinal behind it: "vigésimo primero",
// "vingt et unième".
func (s *scan) longOrdinalHere(i int) (meaning, int) {
	t, n := s.termAt(i, "ordinal_ten")
	if n == 0 {
		return meaning{}, 0
	}
	_, link := s.termAt(i+n, "link")
	if s.symbolAt(i+n, "-") && s.glued(i+n) {
		link = 1
	}
	if u, k := s.termAt(i+n+link, "ordinal_unit"); k > 0 {
		return meaning{num: t.num + u.num}, n + link + k
	}
	return meaning{}, 0
}

// readDayWord reads a day of the month in words: "dritten", "tres", "premier".
func (s *scan) readDayWord(i int) (meaning, int) {
	if s.digits(i, 1, 99) != "" {
		return meaning{}, 0
	}
	m, n := s.readOrdinal(i)
	if n == 0 {
		m, n = s.readCount(i)
	}
	if m.num < 1 || m.num > 31 {
		return meaning{}, 0
	}
	return m, n
}

// weekdayOf is a day of the week by its number; Sunday is 0.
func weekdayOf(m *meaning) time.Weekday { return time.Weekday(int(m.num)) }
