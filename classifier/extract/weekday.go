package extract

import "time"

// weekdayDate reads friday, next friday, friday next week, and drops a date's own
// weekday: "friday, nov 21". A param takes the "this friday" of a sunday to be the coming one;
// to the recogniser alone it is the one of this week.
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
	day := s.clock.weekday(d, mod)
	if !s.ranges && mod == "this" && day.next.Before(s.clock.today()) { // what is wanted lies ahead
		day = oneDay(day.next.AddDate(0, 0, 7))
	}
	return day, n
}

// sureDay reports whether "sat" or "sun" at token i is a day: what stands around it says so.
func (s *scan) sureDay(i, after int) bool {
	if len(s.tokens) == 1 || s.atRangeEnd {
		return true // mon-fri
	}
	if s.low(i) == "sun" && s.low(i-1) == "of" || s.low(i-1) == "the" || s.low(after) == "on" || s.low(after) == "in" && s.low(i) == "sat" {
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
			return t.named(w), n + k
		}
	}
	if t, k := s.bareDay(w, i+n); k > 0 {
		return t, n + k
	}
	d, k := s.monthDay(i + n)
	if k == 0 || d.unreal || d.cycle != monthly {
		return d, k + n*min(k, 1)
	}
	on := d.on(w)
	on.clash = d.past.Weekday() != w && d.next.Weekday() != w
	return on, n + k
}

// named checks a day against the weekday that was said with it, and takes the one of a year
// that agrees.
func (d days) named(w time.Weekday) days {
	switch {
	case d.next.Weekday() == w:
	case d.past.Weekday() == w:
		d.pick = d.past
	default:
		d.clash = true
	}
	return d
}

// weekdayBeside reads "friday before christmas", "the monday after the 5th": the nearest such
// day on that side.
func (s *scan) weekdayBeside(i int) (days, int) {
	w, ok := weekdays[s.low(i)]
	if !ok || s.ranges || s.beside || s.low(i+1) != "before" && s.low(i+1) != "after" {
		return days{}, 0
	}
	s.beside = true
	base := s.date(i + 2)
	s.beside = false
	if base == nil || s.clockTime(i+2) != nil {
		return days{}, 0
	}
	t, ok := base.value.(time.Time)
	if !ok {
		return days{}, 0
	}
	step := 1
	if s.low(i+1) == "before" {
		step = -1
	}
	for t = t.AddDate(0, 0, step); t.Weekday() != w; {
		t = t.AddDate(0, 0, step)
	}
	return oneDay(t), base.to - i
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
