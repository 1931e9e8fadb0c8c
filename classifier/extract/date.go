package extract

import (
	"strconv"
	"time"
)

// date recognises a day at token i.
func (s *scan) date(i int) *found {
	for _, rule := range []func(int) (time.Time, int){
		s.isoDate, s.slashDate, s.monthDate, s.dayMonthDate, s.relativeDay, s.offsetDate,
		s.weekdayDate, s.holiday, s.monthDay,
	} {
		if t, n := rule(i); n > 0 {
			if s.glued(i) && !s.openBefore(i) || s.glued(i+n) && !s.closeAfter(i+n) && !s.symbolAt(i+n, "@(-") && !s.isoTime(i+n) {
				continue
			}
			return &found{kind: "date", from: i, to: i + n, value: t, confidence: 0.93}
		}
	}
	return nil
}

// isoTime reports whether token i is the T of 2026-11-21T15:04.
func (s *scan) isoTime(i int) bool {
	return s.low(i) == "t" && s.glued(i+1) && s.digits(i+1, 2, 2) != ""
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// separated returns the three parts of 2026-11-21 or 11/21/2026 at i, all glued by the
// same character of chars, and how many tokens they take.
func (s *scan) separated(i int, chars string) (a, b, c string, n int) {
	a, b, c = s.low(i), s.low(i+2), s.low(i+4)
	if a == "" || b == "" || c == "" || !s.symbolAt(i+1, chars) || s.low(i+3) != s.low(i+1) {
		return "", "", "", 0
	}
	for k := i + 1; k <= i+4; k++ {
		if !s.glued(k) {
			return "", "", "", 0
		}
	}
	return a, b, c, 5
}

func (s *scan) isoDate(i int) (time.Time, int) {
	if s.digits(i, 4, 4) == "" {
		return time.Time{}, 0
	}
	a, b, c, n := s.separated(i, "-/.")
	if n == 0 {
		return time.Time{}, 0
	}
	month, day := time.Month(atoi(b)), atoi(c)
	if m, ok := months[b]; ok {
		month = m
	} else if m, ok := months[c]; ok {
		month, day = m, atoi(b)
	}
	if len(b) > 2 && months[b] == 0 || len(c) > 2 && months[c] == 0 {
		return time.Time{}, 0
	}
	if t, ok := s.clock.day(atoi(a), month, day); ok && month > 0 && month <= 12 {
		return t, n
	}
	return time.Time{}, 0
}

// slashDate reads 11/21/2026, 21.11.2026 and, where something says so, 11/21.
func (s *scan) slashDate(i int) (time.Time, int) {
	if s.digits(i, 1, 2) == "" {
		return time.Time{}, 0
	}
	if a, b, c, n := s.separated(i, "/-."); n > 0 && s.digits(i+4, 2, 4) != "" && len(c) != 3 {
		if m, ok := months[b]; ok {
			if t, ok := s.clock.day(year(atoi(c), len(c)), m, atoi(a)); ok {
				return t, n
			}
			return time.Time{}, 0
		}
		if s.digits(i+2, 1, 2) == "" {
			return time.Time{}, 0
		}
		if t, ok := s.ordered(atoi(a), atoi(b), year(atoi(c), len(c)), s.low(i+1) == "."); ok {
			return t, n
		}
		return time.Time{}, 0
	}
	if !s.symbolAt(i+1, "/") || !s.glued(i+1) || !s.glued(i+2) || s.digits(i+2, 1, 2) == "" {
		return time.Time{}, 0
	}
	a, b := atoi(s.low(i)), atoi(s.low(i+2))
	sure := a > 12 || b > 12 || s.asked == "date" || s.asked == "datetime"
	if !sure && !s.is(i-1, dayCues) && weekdays[s.low(i-1)] == 0 {
		return time.Time{}, 0 // 3/4 of them
	}
	t, ok := s.ordered(a, b, 0, false)
	if !ok {
		return time.Time{}, 0
	}
	return t, 3
}

// ordered decides which of two numbers is the month. A year of 0 means the next such day.
func (s *scan) ordered(a, b, year int, dotted bool) (time.Time, bool) {
	month, day := a, b
	if s.clock.dayFirst || dotted {
		month, day = b, a
	}
	if month > 12 {
		month, day = day, month
	}
	if month < 1 || month > 12 {
		return time.Time{}, false
	}
	if year == 0 {
		return s.clock.next(time.Month(month), day)
	}
	return s.clock.day(year, time.Month(month), day)
}

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
func (s *scan) monthDate(i int) (time.Time, int) {
	m, ok := months[s.low(i)]
	if !ok {
		return time.Time{}, 0
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
		return time.Time{}, 0
	}
	n += k
	y, k := s.yearAfter(i + n)
	doubtful := doubtfulMonths[s.low(i)] && !s.capital(i) && !ordinal && k == 0
	if doubtful && !s.is(i-1, monthCues) && !s.ends(i+n) {
		return time.Time{}, 0
	}
	return s.monthAndDay(m, day, y, n, k)
}

func (s *scan) monthAndDay(m time.Month, day, year, n, k int) (time.Time, int) {
	if k > 0 {
		if t, ok := s.clock.day(year, m, day); ok {
			return t, n + k
		}
	}
	if t, ok := s.clock.next(m, day); ok {
		return t, n
	}
	return time.Time{}, 0
}

// yearAfter reads ", 2026" or "of 2026".
func (s *scan) yearAfter(i int) (year, n int) {
	if s.symbolAt(i, ",/-'") || s.low(i) == "of" || s.low(i) == "in" {
		n = 1
	}
	if d := s.digits(i+n, 4, 4); d != "" && (d[0] == '1' || d[0] == '2') {
		return atoi(d), n + 1
	}
	return 0, 0
}

// dayMonthDate reads 21 November, the 21st of Nov, 2026.
func (s *scan) dayMonthDate(i int) (time.Time, int) {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	day, k, ordinal := s.dayNumber(i + n)
	if k == 0 || day < 1 || day > 31 {
		return time.Time{}, 0
	}
	n += k
	of := false
	switch {
	case s.low(i+n) == "of":
		n, of = n+1, true
	case s.symbolAt(i+n, "-/."):
		n++
	}
	m, ok := months[s.low(i+n)]
	if !ok {
		return time.Time{}, 0
	}
	if doubtfulMonths[s.low(i+n)] && !s.capital(i+n) && !ordinal && !of && !s.ends(i+n+1) {
		return time.Time{}, 0 // "the 2 may be late"
	}
	if s.low(i+n) == "may" && ordinal && !of && !s.capital(i+n) && !s.ends(i+n+1) {
		return time.Time{}, 0 // "the second may be late"
	}
	n++
	y, k := s.yearAfter(i + n)
	return s.monthAndDay(m, day, y, n, k)
}

// ends reports whether the clause ends before token i.
func (s *scan) ends(i int) bool {
	return i >= len(s.tokens) || s.tokens[i].class == symbol || s.is(i, clauseEnds)
}

var clauseEnds = words("at please thanks and or in until till to by around")

// weekdayDate reads friday, next friday, friday next week, and drops a date's own
// weekday: "friday, nov 21".
func (s *scan) weekdayDate(i int) (time.Time, int) {
	n, mod := 0, ""
	if s.is(i, which) {
		n, mod = 1, s.low(i)
		if s.low(i+1) == "week" {
			n = 2
			if s.symbolAt(i+n, "-") || s.low(i+n) == "on" {
				n++
			}
		}
	} else if s.low(i) == "the" && s.is(i+1, which) {
		n, mod = 2, s.low(i+1)
	}
	d, ok := weekdays[s.low(i+n)]
	if !ok {
		return time.Time{}, 0
	}
	at := i + n
	n++
	if s.symbolAt(i+n, ".") && s.glued(i+n) && len(s.low(at)) <= 4 && s.low(i+n+1) != "" {
		n++
	}
	if mod == "" {
		if t, k := s.dayInstead(i + n); k > 0 {
			return t, n + k
		}
		if k := s.phrase(i+n, []string{"next week", "of next week"}); k > 0 {
			n, mod = n+k, "next"
		}
	}
	if mod == "" && doubtfulDays[s.low(at)] && !s.sureDay(at, i+n) {
		return time.Time{}, 0
	}
	return s.clock.weekday(d, mod), n
}

// sureDay reports whether "sat" or "sun" at token i is a day: what stands around it says so.
func (s *scan) sureDay(i, after int) bool {
	if len(s.tokens) == 1 {
		return true
	}
	if s.low(i-1) == "the" || s.low(after) == "on" || s.low(after) == "in" && s.low(i) == "sat" {
		return false // "the sun", "sat on", "sat in"
	}
	return s.is(i-1, dayCues) && s.ends(after) || s.capital(i) && s.is(i-1, dayCues) || s.low(after) == "at" || s.clockTime(after) != nil
}

// dayInstead reads the date that a weekday only decorates.
func (s *scan) dayInstead(i int) (time.Time, int) {
	n := 0
	if s.symbolAt(i, ",-") {
		n = 1
	} else if s.glued(i) {
		return time.Time{}, 0
	}
	for _, rule := range []func(int) (time.Time, int){s.isoDate, s.slashDate, s.monthDate, s.dayMonthDate, s.monthDay} {
		if t, k := rule(i + n); k > 0 {
			return t, n + k
		}
	}
	return time.Time{}, 0
}

// Around "the 21st", what makes a day of it and not a place in a row.
var (
	dayNumberCues = words("on by until till til from for since before after through to and between starting leaving arriving returning")
	dayNumberEnds = words("for with if from instead but before after through then when as if i we because so can could would will")
)

// monthDay reads "the 21st" after a weekday or a cue, or when a date is asked for.
func (s *scan) monthDay(i int) (time.Time, int) {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	v, k := s.ordinal(i + n)
	if k == 0 || v > 31 || n == 0 && s.tokens[i].class == letters && s.phrase(i+k, []string{"of this month", "of next month", "of the month"}) == 0 {
		return time.Time{}, 0
	}
	after := i + n + k
	month := s.phrase(after, []string{"of next month", "of this month", "of the month", "next month", "this month"})
	asked := s.asked == "date" || s.asked == "datetime"
	_, decorated := weekdays[s.low(i-1)]
	cue := s.is(i-1, dayNumberCues) && s.tokens[i+n].class == digits && (s.ends(after) || s.is(after, dayNumberEnds))
	if !asked && !decorated && month == 0 && !cue {
		return time.Time{}, 0 // "the second", "the 21st customer"
	}
	n += k
	if k := s.phrase(i+n, []string{"of next month", "next month"}); k > 0 {
		y, m, _ := s.clock.now.Date()
		first := time.Date(y, m+1, 1, 0, 0, 0, 0, time.UTC)
		if t, ok := s.clock.day(first.Year(), first.Month(), int(v)); ok {
			return t, n + k
		}
		return time.Time{}, 0
	}
	n += month
	t, ok := s.clock.nextDay(int(v))
	if !ok {
		return time.Time{}, 0
	}
	return t, n
}
