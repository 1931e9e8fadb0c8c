package extract

import (
	"strconv"
	"time"
)

// date recognises a day at token i. Of several readings the longest counts.
func (s *scan) date(i int) *found {
	var best days
	n := 0
	for _, rule := range [...]func(*scan, int) (days, int){
		(*scan).isoDate, (*scan).yearInside, (*scan).slashDate, (*scan).dottedDate, (*scan).monthDate, (*scan).dayMonthDate,
		(*scan).relativeDay, (*scan).thatDay, (*scan).offsetDate, (*scan).weekdayDate, (*scan).holiday, (*scan).nthDay, (*scan).monthDay, (*scan).nextDate,
	} {
		if d, k := rule(s, i); k > n && (s.ranges || !d.unreal) && s.standsAsDate(i, k) {
			best, n = d, k
		}
	}
	if n == 0 {
		return nil
	}
	if _, name := weekdays[s.low(i+n+1)]; name && s.symbolAt(i+n, "(") && s.symbolAt(i+n+2, ")") {
		n += 3 // may 22 (tue)
	}
	f := &found{kind: "date", from: i, to: i + n, confidence: 0.93, temporal: temporal{cycle: best.cycle}}
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
		return s.fullDate(atoi(a), b, c, s.low(i+1) == "."), n
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
	return s.ordered(a, b, 0, 0, false), 3
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

// dottedDate reads 7.6 as a day, the month first, after a weekday or "on".
func (s *scan) dottedDate(i int) (days, int) {
	_, decorated := weekdays[s.low(i-1)]
	if !decorated && s.low(i-1) != "on" || s.digits(i, 1, 2) == "" || !s.symbolAt(i+1, ".-") || !s.glued(i+1) || !s.glued(i+2) || s.digits(i+2, 1, 2) == "" {
		return days{}, 0
	}
	if s.low(i+1) == "-" && (!decorated || s.low(i+3) != "from" && s.low(i+3) != "between" && atoi(s.low(i)) <= 24 && !s.clockAhead(i+3)) {
		return days{}, 0 // friday 3-5
	}
	if s.low(i+3) != "between" && !s.clockAhead(i+3) && !s.ends(i+3) && !s.is(i+3, dayNumberEnds) || s.dayHalfFollows(i+3) {
		return days{}, 0
	}
	d := s.ordered(atoi(s.low(i)), atoi(s.low(i+2)), 0, 0, s.clock.dayFirst)
	if d.unreal {
		return days{}, 0
	}
	return d, 3
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
	if doubtful && !s.is(i-1, monthCues) && (!s.ends(i+n) || s.is(i-1, pronouns)) {
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

// ends reports whether the clause ends before token i.
func (s *scan) ends(i int) bool {
	return i >= len(s.tokens) || s.tokens[i].class == symbol || s.is(i, clauseEnds)
}

var clauseEnds = words("at please thanks and or in until till to by around")

// weekdayDate reads friday, next friday, friday next week, and drops a date's own
// weekday: "friday, nov 21".
func (s *scan) weekdayDate(i int) (days, int) {
	n, mod := 0, ""
	if s.ranges && s.low(i) == "on" {
		if _, k := s.weekAfter(i + 2); k > 0 && s.low(i+2) == "of" && s.is(i+1, weekdayNames) {
			d, k := s.weekdayDate(i + 1)
			return d, k + 1
		}
		return days{}, 0
	}
	if s.low(i) == "this" && (s.low(i+1) == "coming" || s.low(i+1) == "upcoming" || s.low(i+1) == "past") {
		n, mod = 2, s.low(i+1)
	} else if s.is(i, which) {
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
		return days{}, 0
	}
	at := i + n
	n++
	if s.symbolAt(i+n, ".") && s.glued(i+n) && len(s.low(at)) <= 4 && s.low(i+n+1) != "" {
		n++
	}
	if mod == "" {
		if t, k := s.dayInstead(d, i+n); k > 0 {
			return t, n + k
		}
		if w, k := s.weekAfter(i + n); k > 0 {
			n, mod = n+k, w
		}
	} else if t, k := s.inBrackets(i + n); k > 0 {
		return oneDay(t.nearest(s.clock)), n + k // this friday (nov 21)
	} else if t, k := s.slashDate(i + n); k > 0 && !t.unreal {
		return oneDay(t.nearest(s.clock)), n + k
	}
	if mod == "" && doubtfulDays[s.low(at)] && !s.sureDay(at, i+n) {
		return days{}, 0
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

// weekAfter reads which week a weekday is of: "of next week", "last week".
func (s *scan) weekAfter(i int) (which string, n int) {
	if s.low(i) == "of" || s.low(i) == "in" {
		n = 1
	}
	if s.low(i+n) == "the" {
		n++
	}
	r, ok := relatives[s.low(i+n)]
	if !ok || s.low(i+n+1) != "week" {
		return "", 0
	}
	return [...]string{"last", "this", "next"}[r+1], n + 2
}

// inBrackets reads a date that another one explains: "(nov 21)".
func (s *scan) inBrackets(i int) (days, int) {
	if !s.symbolAt(i, "(") {
		return days{}, 0
	}
	for _, rule := range [...]func(*scan, int) (days, int){(*scan).isoDate, (*scan).slashDate, (*scan).monthDate, (*scan).dayMonthDate} {
		if d, k := rule(s, i+1); k > 0 && !d.unreal && s.symbolAt(i+1+k, ")") {
			return d, k + 2
		}
	}
	return days{}, 0
}

// nearest is the one of two days that is closer to today.
func (d days) nearest(c clock) time.Time {
	if c.today().Sub(d.past) < d.next.Sub(c.today()) {
		return d.past
	}
	return d.next
}

// dayInstead reads the date that a weekday only decorates.
func (s *scan) dayInstead(w time.Weekday, i int) (days, int) {
	n := 0
	if s.symbolAt(i, ",-") {
		n = 1
	} else if s.glued(i) {
		return days{}, 0
	}
	for _, rule := range [...]func(*scan, int) (days, int){(*scan).isoDate, (*scan).slashDate, (*scan).dottedDate, (*scan).monthDate, (*scan).dayMonthDate} {
		if t, k := rule(s, i+n); k > 0 && !t.unreal {
			return t, n + k
		}
	}
	if t, k := s.bareDay(w, i+n); k > 0 {
		return t, n + k
	}
	d, k := s.monthDay(i + n)
	if k == 0 || d.unreal || d.cycle != monthly {
		return d, k + n*min(k, 1)
	}
	return d.on(w), n + k
}

// bareDay reads the number of a day behind its name, "sunday 31": the days around today
// that are both.
func (s *scan) bareDay(w time.Weekday, i int) (days, int) {
	v := atoi(s.digits(i, 1, 2))
	if v < 1 || v > 31 || !s.ends(i+1) || s.symbolAt(i+1, ":./-–") || s.joiner(i+1, false) > 0 || !s.ranges {
		return days{}, 0
	}
	d := days{cycle: once}
	for k := 0; k < 48 && d.past.IsZero(); k++ {
		if t, _ := s.clock.day(s.clock.now.Year(), s.clock.now.Month()-time.Month(k), v); t.Day() == v && t.Weekday() == w && t.Before(s.clock.today()) {
			d.past = t
		}
	}
	for k := 0; k < 48 && d.next.IsZero(); k++ {
		if t, _ := s.clock.day(s.clock.now.Year(), s.clock.now.Month()+time.Month(k), v); t.Day() == v && t.Weekday() == w && !t.Before(s.clock.today()) {
			d.next = t
		}
	}
	if d.past.IsZero() || d.next.IsZero() {
		return days{}, 0
	}
	return d, 1
}

// on settles a day of the month by its weekday: the one of this month, if it fits, else
// the next one that does. A param takes none that is past.
func (d days) on(w time.Weekday) days {
	if d.past.Weekday() == w && d.past.Month() == d.next.Month() || d.past.Weekday() == w && d.next.Weekday() != w {
		next := d.next
		for k := 0; k < 24 && next.Weekday() != w; k++ {
			next = next.AddDate(0, 1, 0)
		}
		return days{past: d.past, next: d.past, pick: next}
	}
	for k := range 24 {
		if t, ok := monthly.move(d.next, k); ok && t.Weekday() == w {
			return oneDay(t)
		}
	}
	return oneDay(d.next)
}

// Around "the 21st", what makes a day of it and not a place in a row.
var (
	dayNumberCues = words("on by until till til from for since before after through to and between starting leaving arriving returning")
	dayNumberEnds = words("for with if from instead but before after through then when as if i we because so can could would will")
)

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
	if !asked && !decorated && month == 0 && !cue {
		return days{}, 0 // "the second", "the 21st customer"
	}
	n += k
	if s.low(i+n) == "day" && month > 0 {
		n++
	}
	if k := s.phrase(i+n, ofNextMonth); k > 0 {
		y, m, _ := s.clock.now.Date()
		first := time.Date(y, m+1, 1, 0, 0, 0, 0, time.UTC)
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

// whenNext reports whether a time follows, or nothing.
func (s *scan) whenNext(i int) bool {
	return i >= len(s.tokens) || s.tokens[i].class == symbol && !s.glued(i+1) || s.low(i) == "at" || s.low(i) == "from" || s.low(i) == "between"
}

var (
	ofNextMonth = []string{"of next month", "next month"}
	ofSomeMonth = []string{"of next month", "of this month", "of the month", "next month", "this month"}
	ofThisMonth = []string{"of this month", "of next month", "of the month"}
)
