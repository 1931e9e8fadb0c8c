package extract

import "time"

// month is a whole month.
func (c clock) month(y int, m time.Month) interval {
	return interval{time.Date(y, m, 1, 0, 0, 0, 0, c.now.Location()), time.Date(y, m+1, 1, 0, 0, 0, 0, c.now.Location())}
}

// yearsOf gives the last year in which a month lay before this one, and the next from now.
func (c clock) yearsOf(m time.Month) (past, next int) {
	y, now, _ := c.now.Date()
	if m < now {
		return y, y + 1
	}
	return y - 1, y
}

func (s *scan) monthFound(i, n int, m time.Month) *found {
	past, next := s.clock.yearsOf(m)
	return rangeFound(i, n, aMonth, s.clock.month(past, m), s.clock.month(next, m))
}

var (
	// nameMonths are months that are given names, verbs or adjectives, too.
	nameMonths = words("may march mar jan jun june april apr august dec")
	periodCues = words("in of since until till by from during last next this before after through throughout between mid early late each to for")
	shortCues  = words("in of since until till by from during last next this before after throughout between mid early late")
)

// monthPeriod reads "november", "next may", "dec, 2018", "june of last year".
func (s *scan) monthPeriod(i int) *found {
	n := 0
	r, relative := relatives[s.low(i)]
	if relative {
		n = 1
	}
	if s.low(i) == "month" && s.low(i+1) == "of" {
		n = 2
	}
	at := i + n
	m := months[s.low(at)]
	if m == 0 {
		return nil
	}
	n++
	if s.symbolAt(i+n, ".") && s.glued(i+n) && s.abbreviated(at) && s.low(i+n+1) != "" {
		n++
	}
	if relative {
		if s.low(at) == "may" && !s.capital(at) && at+1 < len(s.tokens) && s.tokens[at+1].class == letters {
			return nil // this may or may not be
		}
		y := s.clock.now.Year() + r
		return rangeFound(i, n, aMonth, s.clock.month(y, m))
	}
	if y, k := s.yearAfter(i + n); k > 0 {
		return rangeFound(i, n+k, aMonth, s.clock.month(y, m))
	}
	if s.symbolAt(i+n, "'’") && s.digits(i+n+1, 2, 2) != "" {
		_, y := shortYears(atoi(s.low(i+n+1)), 2)
		return rangeFound(i, n+2, aMonth, s.clock.month(y, m))
	}
	comma := 0
	if s.symbolAt(i+n, ",") {
		comma = 1 // june, this year
	}
	if shift, k := s.relativeYear(i + n + comma); k > 0 {
		return rangeFound(i, n+comma+k, aMonth, s.clock.month(s.clock.now.Year()+shift, m))
	}
	if nameMonths[s.low(at)] && !s.atRangeEnd && n == 1 {
		cues := periodCues
		if s.low(at) == "may" || s.low(at) == "march" || !s.capital(at) {
			cues = shortCues
		}
		if s.low(at) == "may" && s.low(at-1) == "this" && !s.capital(at) {
			return nil // this may or may not be
		}
		if (s.low(at-1) == "and" || s.low(at-1) == "or") && months[s.low(at-2)] > 0 && months[s.low(at-2)] != m {
			return s.monthFound(i, n, m) // may or june
		}
		if !s.is(at-1, cues) || !s.ends(at+1) && s.low(at) == "may" && s.low(at-1) != "in" {
			return nil // "and may I", "for april"
		}
	}
	return s.monthFound(i, n, m)
}

// abbreviated reports whether a point behind the month at token i belongs to it: jan., but the
// "july." of a sentence's end does not.
func (s *scan) abbreviated(i int) bool {
	w := s.low(i)
	return len(w) == 3 && w != "may" || w == "sept"
}

// yearMonth reads 2015-3, 2017 april, 12/2015.
func (s *scan) yearMonth(i int) *found {
	if y := s.yearDigits(i); y > 0 {
		n := 1
		if s.symbolAt(i+1, "-/.") && s.glued(i+1) && s.glued(i+2) {
			n = 2
		}
		m := months[s.low(i+n)]
		if d := s.digits(i+n, 1, 2); n == 2 && d != "" && s.low(i+1) != "." && (!s.glued(i+3) || s.closeAfter(i+3)) {
			m = time.Month(atoi(d))
		}
		if m >= 1 && m <= 12 {
			return rangeFound(i, n+1, aMonth, s.clock.month(y, m))
		}
		return nil
	}
	d := s.digits(i, 1, 2)
	y := s.yearDigits(i + 2)
	if d == "" || y == 0 || !s.symbolAt(i+1, "/-") || !s.glued(i+1) || !s.glued(i+2) || s.glued(i) && !(s.atRangeEnd && s.symbolAt(i-1, "-–~")) {
		return nil
	}
	if m := time.Month(atoi(d)); m >= 1 && m <= 12 && (!s.glued(i+3) || s.closeAfter(i+3) || s.symbolAt(i+3, "-–~")) {
		return rangeFound(i, 3, aMonth, s.clock.month(y, m))
	}
	return nil
}

// yearDigits reads four digits that may be a year of recent centuries, else 0.
func (s *scan) yearDigits(i int) int {
	if d := s.digits(i, 4, 4); d != "" {
		if y := atoi(d); y >= 1500 && y < 2200 {
			return y
		}
	}
	return 0
}

// weekOfMonth reads "the last week of july", "first week of jan 2015", "last weekend of
// may", "second week of the month". A week is of the month that holds its Thursday.
func (s *scan) weekOfMonth(i int) *found {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	nth, k := s.nth(i + n)
	u := unitWords[s.low(i+n+k)]
	if k == 0 || u != aWeek && u != aWeekend || s.low(i+n+k+1) != "of" && s.low(i+n+k+1) != "in" {
		return nil
	}
	n += k + 2
	over := s.monthOrYear(i + n)
	if over == nil || nth > 53 || over.unit == aMonth && nth > 5 {
		return nil
	}
	f := rangeFound(i, over.to-i, u)
	for _, v := range over.readings {
		w := s.clock.nthWeekday(v.start.Year(), v.start.Month(), time.Thursday, 1).AddDate(0, 0, 7*(nth-1)-3)
		if nth < 0 {
			last := v.end.AddDate(0, 0, -1)
			w = s.clock.nthWeekday(last.Year(), last.Month(), time.Thursday, nth).AddDate(0, 0, -3)
		}
		if u == aWeekend {
			f.readings = append(f.readings, interval{w.AddDate(0, 0, 5), w.AddDate(0, 0, 7)})
		} else {
			f.readings = append(f.readings, interval{w, w.AddDate(0, 0, 7)})
		}
	}
	f.value, f.cycle = f.readings[len(f.readings)-1], over.cycle
	return f
}

// monthOrYear reads the month or the year that something is of.
func (s *scan) monthOrYear(i int) *found {
	if s.low(i) == "the" || relatives[s.low(i)] != 0 || s.low(i) == "this" {
		if f := s.unitPeriod(i); f != nil && (f.unit == aMonth || f.unit == aYear) {
			return f
		}
	}
	if m := months[s.low(i)]; m > 0 {
		if f := s.monthPeriod(i); f != nil {
			return f
		}
		return s.monthFound(i, 1, m)
	}
	if y := s.yearDigits(i); y > 0 {
		return rangeFound(i, 1, aNumberedYear, s.clock.year(y))
	}
	return nil
}

// nth reads first, 3rd or last; -1 is the last.
func (s *scan) nth(i int) (nth, n int) {
	if s.low(i) == "last" {
		return -1, 1
	}
	if v, k := s.ordinal(i); k > 0 && v <= 366 {
		return int(v), k
	}
	return 0, 0
}

// nthDay reads "first monday of next month", "last day of the year", "the third thursday
// in november".
func (s *scan) nthDay(i int) (days, int) {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	nth, k := s.nth(i + n)
	if k == 0 {
		return days{}, 0
	}
	w, isName := weekdays[s.low(i+n+k)]
	if !isName && s.low(i+n+k) != "day" || s.low(i+n+k+1) != "of" && s.low(i+n+k+1) != "in" {
		return days{}, 0
	}
	n += k + 2
	over := s.monthOrYear(i + n)
	if over == nil || !isName && nth > 0 && nth != 1 && over.unit == aMonth {
		return days{}, 0
	}
	pick := func(v interval) time.Time {
		switch {
		case isName && nth < 0:
			last := v.end.AddDate(0, 0, -1)
			return s.clock.nthWeekday(last.Year(), last.Month(), w, nth)
		case isName:
			return s.clock.nthWeekday(v.start.Year(), v.start.Month(), w, nth)
		case nth < 0:
			return v.end.AddDate(0, 0, nth)
		}
		return v.start.AddDate(0, 0, nth-1)
	}
	d := days{past: pick(over.readings[0]), next: pick(over.readings[len(over.readings)-1]), cycle: over.cycle}
	return d, over.to - i
}

// nthDayAt reads "first monday evening of next month", with any time between.
func (s *scan) nthDayAt(i int) *found {
	nth, k := s.nth(i)
	w, isName := weekdays[s.low(i+k)]
	if k == 0 || !isName || nth > 5 {
		return nil
	}
	p := parts{day: &found{}}
	f := s.piece(&p, i+k+1)
	if f == nil || s.low(f.to) != "of" && s.low(f.to) != "in" {
		return nil
	}
	over := s.monthOrYear(f.to + 1)
	if over == nil || over.unit != aMonth {
		return nil
	}
	p.day = &found{kind: "date", from: i, to: over.to, confidence: 0.9}
	for _, v := range over.readings {
		t := s.clock.nthWeekday(v.start.Year(), v.start.Month(), w, nth)
		if nth < 0 {
			last := v.end.AddDate(0, 0, -1)
			t = s.clock.nthWeekday(last.Year(), last.Month(), w, nth)
		}
		p.day.value, p.day.readings = t, append(p.day.readings, point(t))
	}
	p.last = p.day
	return s.compose(i, &p)
}

// weekNumber reads "week 10", "week 3 of 2018": ISO 8601 weeks.
func (s *scan) weekNumber(i int) *found {
	if y := s.yearDigits(i); y > 0 { // 2016-W40
		n := 1
		if s.symbolAt(i+1, "-") {
			n = 2
		}
		if d := s.digits(i+n+1, 1, 2); s.low(i+n) == "w" && d != "" && s.glued(i+n+1) && atoi(d) >= 1 && atoi(d) <= 53 {
			return s.isoWeek(i, n+2, y, atoi(d))
		}
		return nil
	}
	if s.low(i) != "week" || s.digits(i-1, 1, 9) != "" {
		return nil
	}
	d := s.digits(i+1, 1, 2)
	if d == "" || atoi(d) < 1 || atoi(d) > 53 || s.glued(i+2) && !s.closeAfter(i+2) {
		return nil
	}
	n, y := 2, s.clock.now.Year()
	if k := 0; s.low(i+n) == "of" || s.yearDigits(i+n) > 0 {
		if s.low(i+n) == "of" {
			k = 1
		}
		if v := s.yearDigits(i + n + k); v > 0 {
			y, n = v, n+k+1
		}
	}
	return s.isoWeek(i, n, y, atoi(d))
}

// isoWeek is a week by its number: the first is the one that holds the first Thursday.
func (s *scan) isoWeek(i, n, year, week int) *found {
	w := s.clock.nthWeekday(year, 1, time.Thursday, 1).AddDate(0, 0, 7*(week-1)-3)
	return rangeFound(i, n, aWeek, interval{w, w.AddDate(0, 0, 7)})
}

// weekOf reads "the week of feb 4", "week starting on monday".
func (s *scan) weekOf(i int) *found {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	if s.low(i+n) != "week" {
		return nil
	}
	n++
	k := s.phrase(i+n, weekOfWords)
	if k == 0 {
		return nil
	}
	n += k
	saved := s.atRangeEnd
	s.atRangeEnd = true
	d := s.date(i + n)
	s.atRangeEnd = saved
	if d == nil && s.digits(i+n, 1, 2) != "" { // the week of the 18th
		if v, k := s.ordinal(i + n); k > 0 && v <= 31 {
			t := s.clock.monthly(int(v))
			d = &found{to: i + n + k, temporal: temporal{readings: []interval{point(t.past), point(t.next)}}}
		}
	}
	if d == nil || len(d.readings) == 0 {
		return nil
	}
	f := rangeFound(i, d.to-i, aWeek)
	for _, r := range d.readings {
		w := r.start.AddDate(0, 0, -((int(r.start.Weekday()) + 6) % 7))
		f.readings = append(f.readings, interval{w, w.AddDate(0, 0, 7)})
	}
	f.value = f.readings[len(f.readings)-1]
	return f
}

var weekOfWords = []string{"of", "starting on", "starting", "beginning", "beginning on", "commencing", "starting from", "starting the"}
