package rows

import (
	"maps"
	"slices"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// readers are the names in <> that stand for neither words nor rows.
var readers map[string]func(s reader, i int) (meaning, int)

// readerNames are their names, in order.
var readerNames []string

func init() { // they read grammars, and grammars read them
	readers = map[string]func(s reader, i int) (meaning, int){
		"number":       reader.readNumber,
		"amount":       reader.readAmount,
		"count":        reader.readCount,
		"day_number":   reader.readDayNumber,
		"behind_year":  reader.readBehindYear,
		"spelled_year": reader.readSpelledYear,
		"week_number":  figuresWithin(1, 53, 2),
		"part_of_one":  reader.readFraction,
		"dom":          figuresWithin(1, 31, 2),
		"mon":          figuresWithin(1, 12, 2),
		"hh":           figuresWithin(0, 24, 2),
		"mm":           reader.readMinuteFigures,
		"yyyy":         reader.readYear,
		"yy":           reader.readShortYear,
		"hour":         countWithin(0, 24),
		"hour12":       countWithin(1, 12),
		"minute":       countWithin(1, 59),
		"twelve":       reader.readTwelve,
		"minute_word":  reader.readMinuteWord,
		"hhmm":         reader.readHoursMinutes,
		"money_unit":   reader.readCurrency,
		"sign":         reader.readSign,
		"mixed_part":   reader.readPart,
		"unit_word":    reader.readUnit,
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

func countWithin(least, most float64) func(s reader, i int) (meaning, int) {
	return func(s reader, i int) (meaning, int) {
		if d := s.Digits(i, 1, 2); d != "" {
			v := float64(message.Atoi(d))
			return meaning{num: v, word: d}, message.Btoi(v >= least && v <= most)
		}
		v, n := numbers.Count(s.Message, i, 0, 0)
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

// readTwelve reads an hour of 1 to 12, in figures or words.
func (s reader) readTwelve(i int) (meaning, int) {
	t, n := s.TermAt(i, "unit")
	v := t.Num
	d := s.Digits(i, 1, 2)
	if d != "" {
		v, n = float64(message.Atoi(d)), 1
	}
	return meaning{num: v, word: d}, n * message.Btoi(v >= 1 && v <= 12)
}

// readMinuteWord reads the minutes behind an hour in words: five thirty.
func (s reader) readMinuteWord(i int) (meaning, int) {
	if !s.WordAt(i) {
		return meaning{}, 0
	}
	v, n := numbers.Below100(s.Message, i)
	return meaning{num: v}, n * message.Btoi(v >= 10 && v < 60)
}

// readHoursMinutes reads an hour with its minutes in one figure: 930, 0930.
func (s reader) readHoursMinutes(i int) (meaning, int) {
	d := s.Digits(i, 3, 4)
	v := message.Atoi(d)
	return meaning{num: float64(v), word: d}, message.Btoi(d != "" && v%100 < 60 && v < 2400)
}

func (s reader) readYear(i int) (meaning, int) {
	y := s.YearDigits(i)
	return meaning{num: float64(y), word: s.Low(i)}, message.Btoi(y > 0)
}

func (s reader) readShortYear(i int) (meaning, int) {
	d := s.Digits(i, 2, 2)
	return meaning{num: float64(message.Atoi(d)), word: d}, message.Btoi(d != "")
}

// readOrdinal reads "dritte", "21.", "3º", "1er".
func (s reader) readOrdinal(i int) (meaning, int) {
	v, n := numbers.Ordinal(s.Message, i)
	return meaning{num: v}, n
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
