package when

import (
	"slices"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// dayNumber reads 21, 21st or twenty-first, a day of a month.
func dayNumber(s *Reader, i int) (day, n int, ordinal bool) {
	if v, n := numbers.Ordinal(s.Message, i); n > 0 && v <= 31 {
		return int(v), n, true
	}
	if d := s.Digits(i, 1, 2); d != "" && !(s.Glued(i+1) && s.Tokens[i+1].Class == message.Letters) {
		return message.Atoi(d), 1, false
	}
	if v, n := numbers.Below100(s.Message, i); n > 0 && v >= 1 && v <= 31 {
		return int(v), n, false
	}
	return 0, 0, false
}

// monthDate reads Nov 21, November the 21st, 2026.
func monthDate(s *Reader, i int) (calendar.Days, int) {
	m, ok := calendar.Months[s.Low(i)]
	if !ok {
		return calendar.Days{}, 0
	}
	n := 1
	if s.SymbolAt(i+n, ".") && s.Glued(i+n) || s.SymbolAt(i+n, "/-,") {
		n++
	}
	n += s.Skip(i+n, "the")
	day, k, ordinal := dayNumber(s, i+n)
	if k == 0 || day < 1 || day > 31 {
		return calendar.Days{}, 0
	}
	n += k
	y, k := s.YearAfter(i + n)
	doubtful := doubtfulMonths[s.Low(i)] && !s.Capital(i) && !ordinal && k == 0
	if doubtful && !s.Is(i-1, monthCues) && (!s.Ends(i+n) && !s.Is(i+n, openTails) || s.Is(i-1, pronouns)) {
		return calendar.Days{}, 0 // "may 5 people come", "it may 4 or 5 times"
	}
	return monthAndDay(s, i, m, day, y, n, k)
}

// monthAndDay builds a date of n tokens at i that k more with a year follow.
func monthAndDay(s *Reader, i int, m time.Month, day, year, n, k int) (calendar.Days, int) {
	if k > 0 {
		if t, ok := s.Clock.Day(year, m, day); ok {
			return calendar.OneDay(t), n + k
		}
		return calendar.Days{Unreal: true}, n + k
	}
	if shift, k := relativeYear(s, i+n); k > 0 {
		if t, ok := s.Clock.Day(s.Clock.Now.Year()+shift, m, day); ok {
			return calendar.OneDay(t), n + k
		}
	}
	return s.Clock.Yearly(m, day), n
}

// YearAfter reads ", 2026" or "of 2026".
func (s *Reader) YearAfter(i int) (year, n int) {
	if s.SymbolAt(i, ",/-'") || s.Says(i, "of", "in") {
		n = 1
	}
	if d := s.Digits(i+n, 4, 4); d != "" && (d[0] == '1' || d[0] == '2') && !s.SymbolAt(i+n+1, ":") && !dayHalfFollows(s, i+n+1) {
		return message.Atoi(d), n + 1
	}
	if d := s.Digits(i+1, 2, 2); d != "" && s.SymbolAt(i, "'’") && s.Glued(i+1) {
		_, y := calendar.ShortYears(message.Atoi(d), 2)
		return y, 2
	}
	if y, k := s.SpelledYear(i + n); k > 0 {
		return y, n + k
	}
	return 0, 0
}

// SpelledYear reads nineteen ninety six, two thousand and fifteen.
func (s *Reader) SpelledYear(i int) (year, n int) {
	if s.Low(i) == "" || s.Tokens[i].Class != message.Letters {
		return 0, 0
	}
	if s.Low(i) == "two" && s.Low(i+1) == "thousand" {
		n = 2
		n += s.Skip(i+n, "and")
		if v, k := numbers.Below100(s.Message, i+n); k > 0 {
			return 2000 + int(v), n + k
		}
		return 0, 0
	}
	switch century := numbers.Units[s.Low(i)]; {
	case century >= 15:
		year = int(century) * 100
	case s.Low(i) == "twenty":
		year = 2000
	default:
		return 0, 0
	}
	n = 1
	if s.Low(i+1) == "hundred" && year < 2000 {
		if n++; s.Low(i+n) == "and" {
			n++
		}
		if v, k := numbers.Below100(s.Message, i+n); k > 0 {
			return year + int(v), n + k
		}
		return year, 2
	}
	if w := s.Low(i + 1); w == "oh" || w == "o" { // nineteen oh five
		if u := numbers.Units[s.Low(i+2)]; u > 0 && u < 10 {
			return year + int(u), 3
		}
	}
	if v, k := numbers.Below100(s.Message, i+1); k > 0 && v >= 10 {
		return year + int(v), 1 + k
	}
	return 0, 0
}

// dayMonthDate reads 21 November, the 21st of Nov, 2026.
func dayMonthDate(s *Reader, i int) (calendar.Days, int) {
	n := s.Skip(i, "the")
	day, k, ordinal := dayNumber(s, i+n)
	if k == 0 || day < 1 || day > 31 {
		return calendar.Days{}, 0
	}
	n += k
	if ordinal {
		n += s.Skip(i+n, "day")
	}
	of := s.Low(i+n) == "of"
	n += message.Btoi(of || s.SymbolAt(i+n, "-/."))
	m, ok := calendar.Months[s.Low(i+n)]
	if !ok || !of && isVerb(s, i+n, ordinal) {
		return calendar.Days{}, 0
	}
	n++
	y, k := s.YearAfter(i + n)
	if s.SymbolAt(i+n, ".") && s.Glued(i+n) && s.YearDigits(i+n+1) > 0 { // 12 oct. 2018
		y, k = s.YearDigits(i+n+1), 2
	}
	return monthAndDay(s, i, m, day, y, n, k)
}

// isVerb reports whether the month at token i, behind a number, is rather a verb: "the 2 may be
// late", "the second may be late".
func isVerb(s *Reader, i int, ordinal bool) bool {
	if s.Capital(i) || s.Ends(i+1) {
		return false
	}
	if ordinal {
		return s.Low(i) == "may"
	}
	return doubtfulMonths[s.Low(i)] && s.YearDigits(i+1) == 0
}

// openTails behind a day open its end: "may 5 onwards".
var openTails = message.Words("onwards onward")

// monthDay reads "the 21st" after a weekday or a cue, or when a date is asked for.
func monthDay(s *Reader, i int) (calendar.Days, int) {
	n := s.Skip(i, "the")
	v, k := numbers.Ordinal(s.Message, i+n)
	if k == 0 {
		d := s.Digits(i+n, 1, 2)
		if s.Ranges && s.Low(i-1) == "on" && d != "" && (n == 1 || len(d) == 2) && whenNext(s, i+n+1) {
			return s.Clock.Monthly(message.Atoi(d)), n + 1
		}
		return calendar.Days{}, 0
	}
	if v > 31 || n == 0 && s.Tokens[i].Class == message.Letters && s.Phrase(i+k, ofThisMonth) == 0 {
		return calendar.Days{}, 0
	}
	after := i + n + k
	after += s.Skip(after, "day")
	month := s.Phrase(after, ofSomeMonth)
	if month == 0 && !dayNumberStands(s, i, i+n, after, v) {
		return calendar.Days{}, 0 // "the second", "the 21st customer"
	}
	n += k
	if month > 0 {
		n += s.Skip(i+n, "day")
	}
	if k, shift := ofOtherMonth(s, i+n); k > 0 {
		y, m, _ := s.Clock.Now.Date()
		first := time.Date(y, m+shift, 1, 0, 0, 0, 0, time.UTC)
		if t, ok := s.Clock.Day(first.Year(), first.Month(), int(v)); ok {
			return calendar.OneDay(t), n + k
		}
		return calendar.Days{}, 0
	}
	if s.Ranges && month > 0 {
		y, m, _ := s.Clock.Now.Date()
		t, ok := s.Clock.Day(y, m, int(v))
		return calendar.Days{Past: t, Next: t, Unreal: !ok}, n + month
	}
	return s.Clock.Monthly(int(v)), n + month
}

// dayNumberStands reports whether the question or the words around "the 21st" make a day of it.
// It starts at token i, its number at token at, and what stands behind it at token after.
func dayNumberStands(s *Reader, i, at, after int, v float64) bool {
	before, typed := s.Low(i-1), s.Tokens[at].Class == message.Digits
	spelled := s.Ranges && before == "on" && v > 3 // "on the twenty-first", not "on the second"
	_, decorated := calendar.Weekdays[before]
	switch {
	case decorated, s.Asked == "date", s.Asked == "datetime":
		return true
	case dayNumberCues[before] && (spelled || typed) && (s.Ends(after) || s.Is(after, dayNumberEnds)):
		return true
	case s.Ranges && before == "of" && calendar.DayHalves[s.Low(i-2)].Half != "": // evening of the 15th
		return true
	case !typed:
		return false
	case s.Ranges && s.atRangeEnd && (s.Ends(after) || joiner(s, after, false) > 0): // 5th to 9th
		return true
	}
	return at > i && timeBehind(s, after)
}

// timeBehind reports whether a time follows at token i: "at 2pm" and, of ranges, "from 2 to 4".
func timeBehind(s *Reader, i int) bool {
	switch s.Low(i) {
	case "at":
		_, n := writtenTime(s, i)
		return n > 0
	case "from", "between":
		return s.Ranges && clockRange(s, i) != nil
	}
	return false
}

// ofOtherMonth reads which month a day is of, counted from this one.
func ofOtherMonth(s *Reader, i int) (n int, shift time.Month) {
	if n = s.Phrase(i, ofNextMonth); n > 0 {
		return n, 1
	}
	return s.Phrase(i, ofLastMonth), -1
}

// whenNext reports whether a time follows, or nothing.
func whenNext(s *Reader, i int) bool {
	return i >= len(s.Tokens) || s.Tokens[i].Class == message.Symbol && !s.Glued(i+1) || s.Says(i, "at", "from", "between")
}

// Around "the 21st", what makes a day of it and not a place in a row.
var (
	dayNumberCues = message.Words("on by until till til from for since before after through to and between starting leaving arriving returning")
	dayNumberEnds = message.Words("for with if from between instead but before after through then when as if i we because so can could would will")
)

var (
	ofNextMonth = []string{"of next month", "next month", "of the next month", "of the following month"}
	ofLastMonth = []string{"of last month", "last month", "of the last month", "of the previous month", "of previous month"}
	ofSomeMonth = slices.Concat(ofNextMonth, ofLastMonth, []string{"of this month", "of the month", "this month"})
	ofThisMonth = []string{"of this month", "of next month", "of the month"}
)
