package rows

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/currency"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// readers are the names in <> that stand for neither words nor rows.
var readers map[string]func(s reader, i int) (meaning, int)

// wordReaders may begin with any word.
var wordReaders = message.Words("any_day day_end clock_at part_said money_unit sign")

// readerNames are their names, in order.
var readerNames []string

func init() { // they read grammars, and grammars read them
	readers = map[string]func(s reader, i int) (meaning, int){
		"number":       reader.readNumber,
		"amount":       reader.readAmount,
		"count":        reader.readCount,
		"any_day":      reader.readAnyDay,
		"clock_at":     reader.readClockAt,
		"part_said":    reader.readPartSaid,
		"figures":      reader.readFigures,
		"day_number":   reader.readDayNumber,
		"day_end":      reader.readDayEnd,
		"behind_year":  reader.readBehindYear,
		"spelled_year": reader.readSpelledYear,
		"week_number":  figuresWithin(1, 53, 2),
		"fraction":     reader.readFraction,
		"dom":          figuresWithin(1, 31, 2),
		"mon":          figuresWithin(1, 12, 2),
		"hh":           figuresWithin(0, 24, 2),
		"mm":           reader.readMinuteFigures,
		"yyyy":         reader.readYear,
		"yy":           reader.readShortYear,
		"hour":         countWithin(0, 24),
		"hour12":       countWithin(1, 12),
		"minute":       countWithin(1, 59),
		"iso":          reader.readISO,
		"money_unit":   reader.readCurrency,
		"sign":         reader.readSign,
		"ordinal":      reader.readOrdinal,
		"day_word":     reader.readDayWord,
	}
	readerNames = slices.Sorted(maps.Keys(readers))
}

// readNumber reads a number that no article is.
func (s reader) readNumber(i int) (meaning, int) {
	v, n := numbers.Read(s.Message, i)
	return meaning{num: v}, n
}

// readAmount reads what counts a unit: a number, a part, or an article for one. Behind figures a
// comma is that of a decimal, since what it counts follows: 1,5 hours.
func (s reader) readAmount(i int) (meaning, int) {
	if s.IsTerm(i, "vague") {
		return meaning{}, 0
	}
	v, n := numbers.Read(s.Message, i)
	if d := s.Marked(i+1, ",", 1, 2); d != "" && n <= 3 && s.Digits(i, 1, 9) != "" {
		v, n = float64(message.Atoi(s.Low(i)))+float64(message.Atoi(d))/math.Pow10(len(d)), 3
	}
	for _, class := range [...]string{"half", "pair", "article"} {
		if t, k := s.TermAt(i, class); k > n {
			v, n = t.Num, k
		}
	}
	if t, k := s.TermAt(i, "few"); k > n && s.Ranges {
		return meaning{num: t.Num, vague: true}, k
	}
	return meaning{num: v}, n
}

// readFraction reads a part of one: "two thirds".
func (s reader) readFraction(i int) (meaning, int) {
	v, n := numbers.FractionWords(s.Message, i)
	if v <= 0 || v >= 1 {
		return meaning{}, 0
	}
	return meaning{num: v}, n
}

// readCount reads a whole number that is not negative.
func (s reader) readCount(i int) (meaning, int) {
	v, n := numbers.Read(s.Message, i)
	if v < 0 || v != float64(int64(v)) {
		return meaning{}, 0
	}
	return meaning{num: v}, n
}

func countWithin(least, most float64) func(s reader, i int) (meaning, int) {
	return func(s reader, i int) (meaning, int) {
		if d := s.Digits(i, 1, 2); d != "" {
			v := float64(message.Atoi(d))
			return meaning{num: v, word: d}, message.Btoi(v >= least && v <= most)
		}
		v, n := numbers.WordNumber(s.Message, i)
		if t, k := s.TermAt(i, "article"); n == 0 && k > 0 {
			v, n = t.Num, k // ein uhr, la una
		}
		if n == 0 || v < least || v > most || v != float64(int(v)) {
			return meaning{}, 0
		}
		return meaning{num: v}, n
	}
}

func figuresWithin(least, most, length int) func(s reader, i int) (meaning, int) {
	return func(s reader, i int) (meaning, int) {
		d := s.Digits(i, 1, length)
		v := message.Atoi(d)
		return meaning{num: float64(v), word: d}, message.Btoi(d != "" && v >= least && v <= most)
	}
}

func (s reader) readMinuteFigures(i int) (meaning, int) {
	d := s.Digits(i, 2, 2)
	return meaning{num: float64(message.Atoi(d)), word: d}, message.Btoi(d != "" && d[0] < '6')
}

func (s reader) readYear(i int) (meaning, int) {
	y := s.YearDigits(i)
	return meaning{num: float64(y), word: s.Low(i)}, message.Btoi(y > 0)
}

func (s reader) readShortYear(i int) (meaning, int) {
	d := s.Digits(i, 2, 2)
	return meaning{num: float64(message.Atoi(d)), word: d}, message.Btoi(d != "")
}

func (s reader) readISO(i int) (meaning, int) {
	d, n := s.ISODate(i)
	return meaning{day: d}, n
}

// readCurrency reads the unit behind an amount: a name of the language, a sign or a code.
func (s reader) readCurrency(i int) (meaning, int) {
	if t, n := s.TermAt(i, "currency"); n > 0 {
		return meaning{word: t.Value}, n
	}
	w := s.Low(i)
	if w == "" {
		return meaning{}, 0
	}
	known := currency.BySign[w] != nil && s.Tokens[i].Class == message.Symbol
	known = known || currency.ByCode[w] != nil && (message.IsUpper(s.Tokens[i].Text) || currency.LowerCase[w] && len(s.Language.Words[w]) == 0)
	return meaning{word: w}, message.Btoi(known)
}

// readSign reads the sign or the code before an amount.
func (s reader) readSign(i int) (meaning, int) {
	if s.IsTerm(i, "currency") {
		return meaning{}, 0
	}
	return s.readCurrency(i)
}

// readOrdinal reads "dritte", "21.", "3º", "1er".
func (s reader) readOrdinal(i int) (meaning, int) {
	if s.language.Coded {
		v, n := numbers.Ordinal(s.Message, i)
		return meaning{num: v}, n
	}
	if m, n := s.longOrdinalHere(i); n > 0 {
		return m, n
	}
	if t, n := s.TermAt(i, "ordinal_word"); n > 0 {
		return meaning{num: t.Num}, n
	}
	if d := s.Digits(i, 1, 4); d != "" {
		if _, n := s.TermAt(i+1, "ordinal_mark"); n > 0 && s.Glued(i+1) && message.Atoi(d) > 0 {
			if s.SymbolAt(i+n, ".") && s.Glued(i+1+n) && s.Digits(i+1+n, 1, 99) != "" {
				return meaning{}, 0
			}
			return meaning{num: float64(message.Atoi(d)), word: d}, 1 + n
		}
		return meaning{}, 0
	}
	if w := s.Low(i); s.Language.Compound && w != "" {
		if v, ok := s.Language.CompoundOrdinal(w); ok {
			return meaning{num: v}, 1
		}
	}
	return meaning{}, 0
}

// longOrdinalHere reads a ten or more with an ordinal behind it: "vigésimo primero",
// "vingt et unième".
func (s reader) longOrdinalHere(i int) (meaning, int) {
	t, n := s.TermAt(i, "ordinal_ten")
	if n == 0 {
		return meaning{}, 0
	}
	_, link := s.TermAt(i+n, "link")
	if s.SymbolAt(i+n, "-") && s.Glued(i+n) {
		link = 1
	}
	if u, k := s.TermAt(i+n+link, "ordinal_unit"); k > 0 {
		return meaning{num: t.Num + u.Num}, n + link + k
	}
	return meaning{}, 0
}

// readDayWord reads a day of the month in words: "dritten", "tres", "premier".
func (s reader) readDayWord(i int) (meaning, int) {
	if s.Digits(i, 1, 99) != "" {
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
