package extract

import (
	"strconv"
	"time"
)

// date recognises a day at token i. Of several readings the longest counts.
func (s *scan) date(i int) *found {
	if s.tongue != nil {
		return s.spokenDate(i)
	}
	var best days
	n := 0
	for _, rule := range [...]func(*scan, int) (days, int){
		(*scan).isoDate, (*scan).yearInside, (*scan).slashDate, (*scan).dottedDate, (*scan).pointedDate, (*scan).monthDate, (*scan).dayMonthDate,
		(*scan).relativeDay, (*scan).partDay, (*scan).thatDay, (*scan).offsetDate, (*scan).weekdayDate, (*scan).weekdayBeside, (*scan).holiday, (*scan).nthDay, (*scan).monthDay, (*scan).nextDate, (*scan).weekdayCount,
	} {
		if d, k := rule(s, i); k > n && (s.ranges || !d.unreal || s.writtenOut(i) || s.pointsOut(i)) && s.standsAsDate(i, k) {
			best, n = d, k
		}
	}
	if n == 0 {
		return nil
	}
	if _, name := weekdays[s.low(i+n+1)]; name && s.symbolAt(i+n, "(") && s.symbolAt(i+n+2, ")") {
		n += 3 // may 22 (tue)
	}
	f := &found{kind: "date", from: i, to: i + n, confidence: 0.93, temporal: temporal{cycle: best.cycle, unreal: best.unreal, clash: best.clash}}
	switch {
	case best.unreal:
		return f
	case best.pick.IsZero():
		best.pick = best.next
	}
	f.value = best.pick
	f.readings = []interval{point(best.next)}
	if !best.sure() && !best.past.IsZero() {
		f.readings = []interval{point(best.past), point(best.next)}
	}
	return f
}

// writtenOut reports whether a day at token i names its month in letters, so that one that
// is in no calendar is a mistake and no other figure.
func (s *scan) writtenOut(i int) bool {
	for k := i; k < i+4; k++ {
		if months[s.low(k)] > 0 {
			return true
		}
	}
	return false
}

// standsAsDate reports whether the n tokens at i are no part of a longer word.
func (s *scan) standsAsDate(i, n int) bool {
	if s.glued(i) && !s.openBefore(i) && !(s.atRangeEnd && s.symbolAt(i-1, "-–~")) {
		return false
	}
	return !s.glued(i+n) || s.closeAfter(i+n) || s.symbolAt(i+n, "@(-–~") || s.isoTime(i+n)
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

func (s *scan) isoDate(i int) (days, int) {
	if s.digits(i, 4, 4) == "" {
		return days{}, 0
	}
	a, b, c, n := s.separated(i, "-/.")
	if n == 0 {
		return days{}, 0
	}
	month, day := time.Month(atoi(b)), atoi(c)
	if m, ok := months[b]; ok {
		month = m
	} else if m, ok := months[c]; ok {
		month, day = m, atoi(b)
	}
	if len(b) > 2 && months[b] == 0 || len(c) > 2 && months[c] == 0 {
		return days{}, 0
	}
	if t, ok := s.clock.day(atoi(a), month, day); ok && month > 0 && month <= 12 {
		return oneDay(t), n
	}
	return days{}, 0
}

// nextDate reads "next 5/12", "last may 5".
func (s *scan) nextDate(i int) (days, int) {
	r, ok := relatives[s.low(i)]
	if !ok || r == 0 {
		return days{}, 0
	}
	for _, rule := range [...]func(*scan, int) (days, int){(*scan).slashDate, (*scan).monthDate} {
		switch d, k := rule(s, i+1); {
		case k == 0 || d.unreal || d.cycle != yearly:
		case r > 0:
			return oneDay(d.next), k + 1
		default:
			return oneDay(d.past), k + 1
		}
	}
	return days{}, 0
}

// yearInside reads September-2020-23, 23-2020-September and 2020 September 23.
func (s *scan) yearInside(i int) (days, int) {
	if m := months[s.low(i+1)]; m > 0 && s.yearDigits(i) > 0 {
		if day, k, _ := s.dayNumber(i + 2); k > 0 {
			if t, ok := s.clock.day(s.yearDigits(i), m, day); ok {
				return oneDay(t), 2 + k
			}
		}
		return days{}, 0
	}
	a, b, c, n := s.separated(i, "-/.")
	if n == 0 || s.digits(i+2, 4, 4) == "" {
		return days{}, 0
	}
	month, day := months[a], atoi(c)
	if month == 0 {
		month, day = months[c], atoi(a)
	}
	if t, ok := s.clock.day(atoi(b), month, day); ok && month > 0 {
		return oneDay(t), n
	}
	return days{}, 0
}

// slashDate reads 11/21/2026, 21.11.2026 and, where something says so, 11/21.
func (s *scan) slashDate(i int) (days, int) {
	if s.digits(i, 1, 2) == "" {
		return days{}, 0
	}
	if a, b, c, n := s.separated(i, "/-."); n > 0 && s.digits(i+4, 2, 4) != "" && len(c) != 3 {
		d := s.fullDate(atoi(a), b, c, s.low(i+1) == ".")
		if d.unreal && s.ranges && !mayBeDay(atoi(a), atoi(b)) {
			return days{}, 0 // 32-1-2015 has the shape of none
		}
		return d, n
	}
	if !s.symbolAt(i+1, "/") || !s.glued(i+1) || !s.glued(i+2) || s.digits(i+2, 1, 2) == "" {
		return days{}, 0
	}
	a, b := atoi(s.low(i)), atoi(s.low(i+2))
	if s.is(i-1, ratioNouns) || a == 24 && b == 7 {
		return days{}, 0
	}
	sure := a > 12 || b > 12 || s.atRangeEnd || s.asked == "date" || s.asked == "datetime" || s.ranges && s.clockAhead(i+3)
	if _, decorated := weekdays[s.low(i-1)]; !sure && !decorated && !s.is(i-1, dayCues) {
		return days{}, 0 // 3/4 of them
	}
	d := s.ordered(a, b, 0, 0, false)
	if shift, k := s.relativeYear(i + 3); k > 0 && !d.unreal {
		if t, ok := s.clock.day(s.clock.now.Year()+shift, d.next.Month(), d.next.Day()); ok {
			return oneDay(t), 3 + k // 9/1 this year
		}
	}
	return d, 3
}

// mayBeDay reports whether two figures may be a day and a month. A month in letters has none.
func mayBeDay(a, b int) bool {
	if b < 0 {
		b = 1
	}
	return a >= 1 && b >= 1 && max(a, b) <= 31 && min(a, b) <= 12
}

// clockAhead reports whether a time of day in figures stands at token i, perhaps after
// a word that leads to one.
func (s *scan) clockAhead(i int) bool {
	if s.is(i, clockLeads) || s.symbolAt(i, "@") {
		i++
	}
	if s.digits(i, 1, 2) == "" {
		return false
	}
	return s.symbolAt(i+1, ":") || s.dayHalfFollows(i+1) || s.low(i-1) == "between" || s.low(i-1) == "from"
}

var (
	ratioNouns = words("ratio aspect score scored odds")
	pronouns   = words("it i you he she we they who that this one")
)

var clockLeads = words("at between before after by from around")

// fullDate reads the parts of 21/11/2026 and 21/Nov/2026.
func (s *scan) fullDate(a int, b, c string, dotted bool) days {
	past, next := shortYears(atoi(c), len(c))
	if m, ok := months[b]; ok {
		t, ok := s.clock.day(next, m, a)
		return days{past: t, next: t, unreal: !ok}
	}
	if atoi(b) < 0 || len(b) > 2 {
		return days{unreal: true}
	}
	return s.ordered(a, atoi(b), past, next, dotted)
}

// ordered decides which of two numbers is the month. A year of 0 means that none is said.
func (s *scan) ordered(a, b, past, next int, dotted bool) days {
	month, day := a, b
	if s.clock.dayFirst || dotted {
		month, day = b, a
	}
	if month > 12 {
		month, day = day, month
	}
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return days{unreal: true}
	}
	if next == 0 {
		return s.clock.yearly(time.Month(month), day)
	}
	t, ok := s.clock.day(past, time.Month(month), day)
	u, _ := s.clock.day(next, time.Month(month), day)
	return days{past: t, next: u, unreal: !ok}
}
