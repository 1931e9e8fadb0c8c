package extract

import (
	"slices"
	"time"
)

// dayNumber reads 21, 21st or twenty-first, a day of a month.
func (s *scan) dayNumber(i int) (day, n int, ordinal bool) {
	if v, n := s.ordinal(i); n > 0 && v <= 31 {
		return int(v), n, true
	}
	if d := s.digits(i, 1, 2); d != "" && !(s.glued(i+1) && s.tokens[i+1].class == letters) {
		return atoi(d), 1, false
	}
	if v, n := s.below100(i); n > 0 && v >= 1 && v <= 31 {
		return int(v), n, false
	}
	return 0, 0, false
}

// monthDate reads Nov 21, November the 21st, 2026.
func (s *scan) monthDate(i int) (days, int) {
	m, ok := months[s.low(i)]
	if !ok {
		return days{}, 0
	}
	n := 1
	if s.symbolAt(i+n, ".") && s.glued(i+n) || s.symbolAt(i+n, "/-,") {
		n++
	}
	if s.low(i+n) == "the" {
		n++
	}
	day, k, ordinal := s.dayNumber(i + n)
	if k == 0 || day < 1 || day > 31 {
		return days{}, 0
	}
	n += k
	y, k := s.yearAfter(i + n)
	doubtful := doubtfulMonths[s.low(i)] && !s.capital(i) && !ordinal && k == 0
	if doubtful && !s.is(i-1, monthCues) && (!s.ends(i+n) && !s.is(i+n, openTails) || s.is(i-1, pronouns)) {
		return days{}, 0 // "may 5 people come", "it may 4 or 5 times"
	}
	return s.monthAndDay(i, m, day, y, n, k)
}

// monthAndDay builds a date of n tokens at i that k more with a year follow.
func (s *scan) monthAndDay(i int, m time.Month, day, year, n, k int) (days, int) {
	if k > 0 {
		if t, ok := s.clock.day(year, m, day); ok {
			return oneDay(t), n + k
		}
		return days{unreal: true}, n + k
	}
	if shift, k := s.relativeYear(i + n); k > 0 {
		if t, ok := s.clock.day(s.clock.now.Year()+shift, m, day); ok {
			return oneDay(t), n + k
		}
	}
	return s.clock.yearly(m, day), n
}

// yearAfter reads ", 2026" or "of 2026".
func (s *scan) yearAfter(i int) (year, n int) {
	if s.symbolAt(i, ",/-'") || s.low(i) == "of" || s.low(i) == "in" {
		n = 1
	}
	if d := s.digits(i+n, 4, 4); d != "" && (d[0] == '1' || d[0] == '2') && !s.symbolAt(i+n+1, ":") && !s.dayHalfFollows(i+n+1) {
		return atoi(d), n + 1
	}
	if d := s.digits(i+1, 2, 2); d != "" && s.symbolAt(i, "'’") && s.glued(i+1) {
		_, y := shortYears(atoi(d), 2)
		return y, 2
	}
	if y, k := s.spelledYear(i + n); k > 0 {
		return y, n + k
	}
	return 0, 0
}

// spelledYear reads nineteen ninety six, two thousand and fifteen.
func (s *scan) spelledYear(i int) (year, n int) {
	if s.low(i) == "" || s.tokens[i].class != letters {
		return 0, 0
	}
	if s.low(i) == "two" && s.low(i+1) == "thousand" {
		n = 2
		if s.low(i+n) == "and" {
			n++
		}
		if v, k := s.below100(i + n); k > 0 {
			return 2000 + int(v), n + k
		}
		return 0, 0
	}
	switch century := units[s.low(i)]; {
	case century >= 15:
		year = int(century) * 100
	case s.low(i) == "twenty":
		year = 2000
	default:
		return 0, 0
	}
	n = 1
	if s.low(i+1) == "hundred" && year < 2000 {
		if n++; s.low(i+n) == "and" {
			n++
		}
		if v, k := s.below100(i + n); k > 0 {
			return year + int(v), n + k
		}
		return year, 2
	}
	if w := s.low(i + 1); w == "oh" || w == "o" { // nineteen oh five
		if u := units[s.low(i+2)]; u > 0 && u < 10 {
			return year + int(u), 3
		}
	}
	if v, k := s.below100(i + 1); k > 0 && v >= 10 {
		return year + int(v), 1 + k
	}
	return 0, 0
}

// dayMonthDate reads 21 November, the 21st of Nov, 2026.
func (s *scan) dayMonthDate(i int) (days, int) {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	day, k, ordinal := s.dayNumber(i + n)
	if k == 0 || day < 1 || day > 31 {
		return days{}, 0
	}
	n += k
	if ordinal && s.low(i+n) == "day" {
		n++
	}
	of := false
	switch {
	case s.low(i+n) == "of":
		n, of = n+1, true
	case s.symbolAt(i+n, "-/."):
		n++
	}
	m, ok := months[s.low(i+n)]
	if !ok {
		return days{}, 0
	}
	if doubtfulMonths[s.low(i+n)] && !s.capital(i+n) && !ordinal && !of && !s.ends(i+n+1) && s.yearDigits(i+n+1) == 0 {
		return days{}, 0 // "the 2 may be late"
	}
	if s.low(i+n) == "may" && ordinal && !of && !s.capital(i+n) && !s.ends(i+n+1) {
		return days{}, 0 // "the second may be late"
	}
	n++
	y, k := s.yearAfter(i + n)
	if s.symbolAt(i+n, ".") && s.glued(i+n) && s.yearDigits(i+n+1) > 0 { // 12 oct. 2018
		y, k = s.yearDigits(i+n+1), 2
	}
	return s.monthAndDay(i, m, day, y, n, k)
}

// openTails behind a day open its end: "may 5 onwards".
var openTails = words("onwards onward")

// ends reports whether the clause ends before token i.
func (s *scan) ends(i int) bool {
	return i >= len(s.tokens) || s.tokens[i].class == symbol || s.is(i, clauseEnds)
}

var clauseEnds = words("at please thanks and or in until till to by around return returning leaving back")

// monthDay reads "the 21st" after a weekday or a cue, or when a date is asked for.
func (s *scan) monthDay(i int) (days, int) {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	v, k := s.ordinal(i + n)
	if d := s.digits(i+n, 1, 2); k == 0 && d != "" && (n == 1 || len(d) == 2) && s.ranges && s.low(i-1) == "on" && s.whenNext(i+n+1) {
		return s.clock.monthly(atoi(d)), n + 1
	}
	if k == 0 || v > 31 || n == 0 && s.tokens[i].class == letters && s.phrase(i+k, ofThisMonth) == 0 {
		return days{}, 0
	}
	after := i + n + k
	if s.low(after) == "day" {
		after++
	}
	month := s.phrase(after, ofSomeMonth)
	asked := s.asked == "date" || s.asked == "datetime"
	_, decorated := weekdays[s.low(i-1)]
	spelled := s.ranges && s.low(i-1) == "on" && v > 3 // "on the twenty-first", not "on the second"
	cue := s.is(i-1, dayNumberCues) && (spelled || s.tokens[i+n].class == digits) && (s.ends(after) || s.is(after, dayNumberEnds))
	timed := false
	if n == 1 && s.tokens[i+n].class == digits {
		switch s.low(after) {
		case "at": // "the 12th at 2pm"
			_, hour := s.writtenTime(after)
			timed = hour > 0
		case "from", "between":
			timed = s.ranges && s.clockRange(after) != nil
		}
	}
	part := dayHalves[s.low(i-2)].half != "" && s.low(i-1) == "of" && s.ranges                                                   // evening of the 15th
	ending := part || s.atRangeEnd && s.ranges && s.tokens[i+n].class == digits && (s.ends(after) || s.joiner(after, false) > 0) // 5th to 9th
	if !asked && !decorated && month == 0 && !cue && !timed && !ending {
		return days{}, 0 // "the second", "the 21st customer"
	}
	n += k
	if s.low(i+n) == "day" && month > 0 {
		n++
	}
	if k, shift := s.ofOtherMonth(i + n); k > 0 {
		y, m, _ := s.clock.now.Date()
		first := time.Date(y, m+shift, 1, 0, 0, 0, 0, time.UTC)
		if t, ok := s.clock.day(first.Year(), first.Month(), int(v)); ok {
			return oneDay(t), n + k
		}
		return days{}, 0
	}
	if s.ranges && month > 0 {
		y, m, _ := s.clock.now.Date()
		t, ok := s.clock.day(y, m, int(v))
		return days{past: t, next: t, unreal: !ok}, n + month
	}
	return s.clock.monthly(int(v)), n + month
}

// ofOtherMonth reads which month a day is of, counted from this one.
func (s *scan) ofOtherMonth(i int) (n int, shift time.Month) {
	if n = s.phrase(i, ofNextMonth); n > 0 {
		return n, 1
	}
	return s.phrase(i, ofLastMonth), -1
}

// whenNext reports whether a time follows, or nothing.
func (s *scan) whenNext(i int) bool {
	return i >= len(s.tokens) || s.tokens[i].class == symbol && !s.glued(i+1) || s.low(i) == "at" || s.low(i) == "from" || s.low(i) == "between"
}

// Around "the 21st", what makes a day of it and not a place in a row.
var (
	dayNumberCues = words("on by until till til from for since before after through to and between starting leaving arriving returning")
	dayNumberEnds = words("for with if from between instead but before after through then when as if i we because so can could would will")
)

var (
	ofNextMonth = []string{"of next month", "next month", "of the next month", "of the following month"}
	ofLastMonth = []string{"of last month", "last month", "of the last month", "of the previous month", "of previous month"}
	ofSomeMonth = slices.Concat(ofNextMonth, ofLastMonth, []string{"of this month", "of the month", "this month"})
	ofThisMonth = []string{"of this month", "of next month", "of the month"}
)
