package when

import (
	"slices"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// dayNumber reads 21, 21st or twenty-first, a day of a month.
func dayNumber(s *Reader, i int) (day, n int, ordinal bool) {
	if v, n := numbers.Ordinal(s.Message, i); n > 0 && v <= 31 {
		return int(v), n, true
	}
	if d := s.Digits(i, 1, 2); d != "" && !(s.Glued(i+1) && s.Tokens[i+1].Class == scan.Letters) {
		return scan.Atoi(d), 1, false
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
	if s.Low(i+n) == "the" {
		n++
	}
	day, k, ordinal := dayNumber(s, i+n)
	if k == 0 || day < 1 || day > 31 {
		return calendar.Days{}, 0
	}
	n += k
	y, k := yearAfter(s, i+n)
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

// yearAfter reads ", 2026" or "of 2026".
func yearAfter(s *Reader, i int) (year, n int) {
	if s.SymbolAt(i, ",/-'") || s.Low(i) == "of" || s.Low(i) == "in" {
		n = 1
	}
	if d := s.Digits(i+n, 4, 4); d != "" && (d[0] == '1' || d[0] == '2') && !s.SymbolAt(i+n+1, ":") && !dayHalfFollows(s, i+n+1) {
		return scan.Atoi(d), n + 1
	}
	if d := s.Digits(i+1, 2, 2); d != "" && s.SymbolAt(i, "'’") && s.Glued(i+1) {
		_, y := calendar.ShortYears(scan.Atoi(d), 2)
		return y, 2
	}
	if y, k := spelledYear(s, i+n); k > 0 {
		return y, n + k
	}
	return 0, 0
}

// spelledYear reads nineteen ninety six, two thousand and fifteen.
func spelledYear(s *Reader, i int) (year, n int) {
	if s.Low(i) == "" || s.Tokens[i].Class != scan.Letters {
		return 0, 0
	}
	if s.Low(i) == "two" && s.Low(i+1) == "thousand" {
		n = 2
		if s.Low(i+n) == "and" {
			n++
		}
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
	n := 0
	if s.Low(i) == "the" {
		n = 1
	}
	day, k, ordinal := dayNumber(s, i+n)
	if k == 0 || day < 1 || day > 31 {
		return calendar.Days{}, 0
	}
	n += k
	if ordinal && s.Low(i+n) == "day" {
		n++
	}
	of := false
	switch {
	case s.Low(i+n) == "of":
		n, of = n+1, true
	case s.SymbolAt(i+n, "-/."):
		n++
	}
	m, ok := calendar.Months[s.Low(i+n)]
	if !ok {
		return calendar.Days{}, 0
	}
	if doubtfulMonths[s.Low(i+n)] && !s.Capital(i+n) && !ordinal && !of && !s.Ends(i+n+1) && s.YearDigits(i+n+1) == 0 {
		return calendar.Days{}, 0 // "the 2 may be late"
	}
	if s.Low(i+n) == "may" && ordinal && !of && !s.Capital(i+n) && !s.Ends(i+n+1) {
		return calendar.Days{}, 0 // "the second may be late"
	}
	n++
	y, k := yearAfter(s, i+n)
	if s.SymbolAt(i+n, ".") && s.Glued(i+n) && s.YearDigits(i+n+1) > 0 { // 12 oct. 2018
		y, k = s.YearDigits(i+n+1), 2
	}
	return monthAndDay(s, i, m, day, y, n, k)
}

// openTails behind a day open its end: "may 5 onwards".
var openTails = scan.Words("onwards onward")

// monthDay reads "the 21st" after a weekday or a cue, or when a date is asked for.
func monthDay(s *Reader, i int) (calendar.Days, int) {
	n := 0
	if s.Low(i) == "the" {
		n = 1
	}
	v, k := numbers.Ordinal(s.Message, i+n)
	if d := s.Digits(i+n, 1, 2); k == 0 && d != "" && (n == 1 || len(d) == 2) && s.Ranges && s.Low(i-1) == "on" && whenNext(s, i+n+1) {
		return s.Clock.Monthly(scan.Atoi(d)), n + 1
	}
	if k == 0 || v > 31 || n == 0 && s.Tokens[i].Class == scan.Letters && s.Phrase(i+k, ofThisMonth) == 0 {
		return calendar.Days{}, 0
	}
	after := i + n + k
	if s.Low(after) == "day" {
		after++
	}
	month := s.Phrase(after, ofSomeMonth)
	asked := s.Asked == "date" || s.Asked == "datetime"
	_, decorated := calendar.Weekdays[s.Low(i-1)]
	spelled := s.Ranges && s.Low(i-1) == "on" && v > 3 // "on the twenty-first", not "on the second"
	cue := s.Is(i-1, dayNumberCues) && (spelled || s.Tokens[i+n].Class == scan.Digits) && (s.Ends(after) || s.Is(after, dayNumberEnds))
	timed := false
	if n == 1 && s.Tokens[i+n].Class == scan.Digits {
		switch s.Low(after) {
		case "at": // "the 12th at 2pm"
			_, hour := writtenTime(s, after)
			timed = hour > 0
		case "from", "between":
			timed = s.Ranges && clockRange(s, after) != nil
		}
	}
	part := calendar.DayHalves[s.Low(i-2)].Half != "" && s.Low(i-1) == "of" && s.Ranges                                                // evening of the 15th
	ending := part || s.atRangeEnd && s.Ranges && s.Tokens[i+n].Class == scan.Digits && (s.Ends(after) || joiner(s, after, false) > 0) // 5th to 9th
	if !asked && !decorated && month == 0 && !cue && !timed && !ending {
		return calendar.Days{}, 0 // "the second", "the 21st customer"
	}
	n += k
	if s.Low(i+n) == "day" && month > 0 {
		n++
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

// ofOtherMonth reads which month a day is of, counted from this one.
func ofOtherMonth(s *Reader, i int) (n int, shift time.Month) {
	if n = s.Phrase(i, ofNextMonth); n > 0 {
		return n, 1
	}
	return s.Phrase(i, ofLastMonth), -1
}

// whenNext reports whether a time follows, or nothing.
func whenNext(s *Reader, i int) bool {
	return i >= len(s.Tokens) || s.Tokens[i].Class == scan.Symbol && !s.Glued(i+1) || s.Low(i) == "at" || s.Low(i) == "from" || s.Low(i) == "between"
}

// Around "the 21st", what makes a day of it and not a place in a row.
var (
	dayNumberCues = scan.Words("on by until till til from for since before after through to and between starting leaving arriving returning")
	dayNumberEnds = scan.Words("for with if from between instead but before after through then when as if i we because so can could would will")
)

var (
	ofNextMonth = []string{"of next month", "next month", "of the next month", "of the following month"}
	ofLastMonth = []string{"of last month", "last month", "of the last month", "of the previous month", "of previous month"}
	ofSomeMonth = slices.Concat(ofNextMonth, ofLastMonth, []string{"of this month", "of the month", "this month"})
	ofThisMonth = []string{"of this month", "of next month", "of the month"}
)
