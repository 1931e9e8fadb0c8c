package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// MonthFound is the find of a month without its year in n tokens at i.
func (s *Reader) MonthFound(i, n int, m time.Month) *find.Find {
	past, next := s.Clock.YearsOf(m)
	return RangeFound(i, n, calendar.AMonth, s.Clock.Month(past, m), s.Clock.Month(next, m))
}

var (
	// nameMonths are months that are given names, verbs or adjectives, too.
	nameMonths = message.Words("may march mar jan jun june april apr august dec")
	periodCues = message.Words("in of since until till by from during last next this before after through throughout between mid early late each to for")
	shortCues  = message.Words("in of since until till by from during last next this before after throughout between mid early late")
)

// monthPeriod reads "november", "next may", "dec, 2018", "june of last year".
func monthPeriod(s *Reader, i int) *find.Find {
	r, relative := relatives[s.Low(i)]
	n := message.Btoi(relative)
	if s.Low(i) == "month" && s.Low(i+1) == "of" {
		n = 2
	}
	at := i + n
	m := calendar.Months[s.Low(at)]
	if m == 0 {
		return nil
	}
	n++
	if s.SymbolAt(i+n, ".") && s.Glued(i+n) && abbreviated(s, at) && s.Low(i+n+1) != "" {
		n++
	}
	if relative {
		if s.Low(at) == "may" && !s.Capital(at) && at+1 < len(s.Tokens) && s.Tokens[at+1].Class == message.Letters {
			return nil // this may or may not be
		}
		return RangeFound(i, n, calendar.AMonth, s.Clock.Month(s.Clock.Now.Year()+r, m))
	}
	if y, k := monthYear(s, i+n); k > 0 {
		return RangeFound(i, n+k, calendar.AMonth, s.Clock.Month(y, m))
	}
	if nameMonths[s.Low(at)] && !s.atRangeEnd && n == 1 && !monthStands(s, at, m) {
		return nil
	}
	return s.MonthFound(i, n, m)
}

// monthYear reads the year behind a month: "2018", "'18", ", this year".
func monthYear(s *Reader, i int) (year, n int) {
	if y, k := yearAfter(s, i); k > 0 {
		return y, k
	}
	if d := s.Digits(i+1, 2, 2); d != "" && s.SymbolAt(i, "'’") {
		_, y := calendar.ShortYears(message.Atoi(d), 2)
		return y, 2
	}
	comma := message.Btoi(s.SymbolAt(i, ","))
	if shift, k := relativeYear(s, i+comma); k > 0 {
		return s.Clock.Now.Year() + shift, comma + k
	}
	return 0, 0
}

// monthStands reports whether the words around the month at token i, which is a name or a verb
// as well, make a month of it: not of "and may I", "for april".
func monthStands(s *Reader, i int, m time.Month) bool {
	may, lower := s.Low(i) == "may", !s.Capital(i)
	cues := periodCues
	if lower || s.Says(i, "may", "march") {
		cues = shortCues
	}
	if may && lower && s.Low(i-1) == "this" {
		return false // this may or may not be
	}
	if other := calendar.Months[s.Low(i-2)]; s.Says(i-1, "and", "or") && other > 0 && other != m {
		return true // may or june
	}
	return s.Is(i-1, cues) && (s.Ends(i+1) || !may || s.Low(i-1) == "in")
}

// abbreviated reports whether a point behind the month at token i belongs to it: jan., but the
// "july." of a sentence's end does not.
func abbreviated(s *Reader, i int) bool {
	w := s.Low(i)
	return len(w) == 3 && w != "may" || w == "sept"
}

// yearMonth reads 2015-3, 2017 april, 12/2015.
func yearMonth(s *Reader, i int) *find.Find {
	y := s.YearDigits(i)
	if y == 0 {
		return monthInYear(s, i)
	}
	n := 1 + message.Btoi(s.SymbolAt(i+1, "-/.") && s.Glued(i+1) && s.Glued(i+2))
	m := calendar.Months[s.Low(i+n)]
	if d := s.Digits(i+n, 1, 2); n == 2 && d != "" && s.Low(i+1) != "." && (!s.Glued(i+3) || s.CloseAfter(i+3)) {
		m = time.Month(message.Atoi(d))
	}
	if m < 1 || m > 12 {
		return nil
	}
	return RangeFound(i, n+1, calendar.AMonth, s.Clock.Month(y, m))
}

// monthInYear reads 12/2015.
func monthInYear(s *Reader, i int) *find.Find {
	d, y := s.Digits(i, 1, 2), s.YearDigits(i+2)
	if d == "" || y == 0 || s.Marked(i+1, "/-", 4, 4) == "" {
		return nil
	}
	m := time.Month(message.Atoi(d))
	switch {
	case m < 1 || m > 12:
		return nil
	case s.Glued(i) && !(s.atRangeEnd && s.SymbolAt(i-1, "-–~")), s.Glued(i+3) && !s.CloseAfter(i+3) && !s.SymbolAt(i+3, "-–~"):
		return nil
	}
	return RangeFound(i, 3, calendar.AMonth, s.Clock.Month(y, m))
}

// YearDigits reads four digits that may be a year of recent centuries, else 0.
func (s *Reader) YearDigits(i int) int {
	if d := s.Digits(i, 4, 4); d != "" {
		if y := message.Atoi(d); y >= 1500 && y < 2200 {
			return y
		}
	}
	return 0
}

// weekOfMonth reads "the last week of july", "first week of jan 2015", "last weekend of
// may", "second week of the month". A week is of the month that holds its Thursday.
func weekOfMonth(s *Reader, i int) *find.Find {
	n := s.Skip(i, "the")
	nth, k := nth(s, i+n)
	u := unitWords[s.Low(i+n+k)]
	if k == 0 || u != calendar.AWeek && u != calendar.AWeekend || !s.Says(i+n+k+1, "of", "in") {
		return nil
	}
	n += k + 2
	over := monthOrYear(s, i+n)
	if over == nil || nth > 53 || over.Unit == calendar.AMonth && nth > 5 {
		return nil
	}
	f := RangeFound(i, over.To-i, u)
	for _, v := range over.Readings {
		w := s.Clock.NthWeekday(v.Start.Year(), v.Start.Month(), time.Thursday, 1).AddDate(0, 0, 7*(nth-1)-3)
		if nth < 0 {
			last := v.End.AddDate(0, 0, -1)
			w = s.Clock.NthWeekday(last.Year(), last.Month(), time.Thursday, nth).AddDate(0, 0, -3)
		}
		if u == calendar.AWeekend {
			f.Readings = append(f.Readings, calendar.Interval{Start: w.AddDate(0, 0, 5), End: w.AddDate(0, 0, 7)})
		} else {
			f.Readings = append(f.Readings, calendar.Interval{Start: w, End: w.AddDate(0, 0, 7)})
		}
	}
	f.Value, f.Cycle = f.Readings[len(f.Readings)-1], over.Cycle
	return f
}

// monthOrYear reads the month or the year that something is of.
func monthOrYear(s *Reader, i int) *find.Find {
	if s.Low(i) == "the" || relatives[s.Low(i)] != 0 || s.Low(i) == "this" {
		if f := unitPeriod(s, i); f != nil && (f.Unit == calendar.AMonth || f.Unit == calendar.AYear) {
			return f
		}
	}
	if m := calendar.Months[s.Low(i)]; m > 0 {
		if f := monthPeriod(s, i); f != nil {
			return f
		}
		return s.MonthFound(i, 1, m)
	}
	if y := s.YearDigits(i); y > 0 {
		return RangeFound(i, 1, calendar.ANumberedYear, s.Clock.Year(y))
	}
	return nil
}

// nth reads first, 3rd or last; -1 is the last.
func nth(s *Reader, i int) (nth, n int) {
	if s.Low(i) == "last" {
		return -1, 1
	}
	if v, k := numbers.Ordinal(s.Message, i); k > 0 && v <= 366 {
		return int(v), k
	}
	return 0, 0
}

// nthDay reads "first monday of next month", "last day of the year", "the third thursday
// in november".
func nthDay(s *Reader, i int) (calendar.Days, int) {
	n := s.Skip(i, "the")
	nth, k := nth(s, i+n)
	if k == 0 {
		return calendar.Days{}, 0
	}
	w, isName := calendar.Weekdays[s.Low(i+n+k)]
	if !isName && s.Low(i+n+k) != "day" || !s.Says(i+n+k+1, "of", "in") {
		return calendar.Days{}, 0
	}
	n += k + 2
	over := monthOrYear(s, i+n)
	if over == nil || !isName && nth > 0 && nth != 1 && over.Unit == calendar.AMonth {
		return calendar.Days{}, 0
	}
	pick := func(v calendar.Interval) time.Time {
		switch {
		case isName && nth < 0:
			last := v.End.AddDate(0, 0, -1)
			return s.Clock.NthWeekday(last.Year(), last.Month(), w, nth)
		case isName:
			return s.Clock.NthWeekday(v.Start.Year(), v.Start.Month(), w, nth)
		case nth < 0:
			return v.End.AddDate(0, 0, nth)
		}
		return v.Start.AddDate(0, 0, nth-1)
	}
	d := calendar.Days{Past: pick(over.Readings[0]), Next: pick(over.Readings[len(over.Readings)-1]), Cycle: over.Cycle}
	return d, over.To - i
}

// nthDayAt reads "first monday evening of next month", with any time between.
func nthDayAt(s *Reader, i int) *find.Find {
	nth, k := nth(s, i)
	w, isName := calendar.Weekdays[s.Low(i+k)]
	if k == 0 || !isName || nth > 5 {
		return nil
	}
	p := Parts{Day: &find.Find{}}
	f := piece(s, &p, i+k+1)
	if f == nil || !s.Says(f.To, "of", "in") {
		return nil
	}
	over := monthOrYear(s, f.To+1)
	if over == nil || over.Unit != calendar.AMonth {
		return nil
	}
	p.Day = &find.Find{Kind: "date", From: i, To: over.To, Confidence: 0.9}
	for _, v := range over.Readings {
		t := s.Clock.NthWeekday(v.Start.Year(), v.Start.Month(), w, nth)
		if nth < 0 {
			last := v.End.AddDate(0, 0, -1)
			t = s.Clock.NthWeekday(last.Year(), last.Month(), w, nth)
		}
		p.Day.Value, p.Day.Readings = t, append(p.Day.Readings, calendar.Point(t))
	}
	p.Last = p.Day
	return compose(s, i, &p)
}

// weekNumber reads "week 10", "week 3 of 2018": ISO 8601 weeks.
func weekNumber(s *Reader, i int) *find.Find {
	if y := s.YearDigits(i); y > 0 { // 2016-W40
		n := 1
		if s.SymbolAt(i+1, "-") {
			n = 2
		}
		if d := s.Digits(i+n+1, 1, 2); s.Low(i+n) == "w" && d != "" && s.Glued(i+n+1) && message.Atoi(d) >= 1 && message.Atoi(d) <= 53 {
			return isoWeek(s, i, n+2, y, message.Atoi(d))
		}
		return nil
	}
	if s.Low(i) != "week" || s.Digits(i-1, 1, 9) != "" {
		return nil
	}
	d := s.Digits(i+1, 1, 2)
	if d == "" || message.Atoi(d) < 1 || message.Atoi(d) > 53 || s.Glued(i+2) && !s.CloseAfter(i+2) {
		return nil
	}
	n, y := 2, s.Clock.Now.Year()
	if k := 0; s.Low(i+n) == "of" || s.YearDigits(i+n) > 0 {
		if s.Low(i+n) == "of" {
			k = 1
		}
		if v := s.YearDigits(i + n + k); v > 0 {
			y, n = v, n+k+1
		}
	}
	return isoWeek(s, i, n, y, message.Atoi(d))
}

// isoWeek is a week by its number: the first is the one that holds the first Thursday.
func isoWeek(s *Reader, i, n, year, week int) *find.Find {
	w := s.Clock.NthWeekday(year, 1, time.Thursday, 1).AddDate(0, 0, 7*(week-1)-3)
	return RangeFound(i, n, calendar.AWeek, calendar.Interval{Start: w, End: w.AddDate(0, 0, 7)})
}

// weekOf reads "the week of feb 4", "week starting on monday".
func weekOf(s *Reader, i int) *find.Find {
	n := s.Skip(i, "the")
	if s.Low(i+n) != "week" {
		return nil
	}
	n++
	k := s.Phrase(i+n, weekOfWords)
	if k == 0 {
		return nil
	}
	n += k
	saved := s.atRangeEnd
	s.atRangeEnd = true
	d := s.Date(i + n)
	s.atRangeEnd = saved
	if d == nil && s.Digits(i+n, 1, 2) != "" { // the week of the 18th
		if v, k := numbers.Ordinal(s.Message, i+n); k > 0 && v <= 31 {
			t := s.Clock.Monthly(int(v))
			d = &find.Find{To: i + n + k, Temporal: find.Temporal{Readings: []calendar.Interval{calendar.Point(t.Past), calendar.Point(t.Next)}}}
		}
	}
	if d == nil || len(d.Readings) == 0 {
		return nil
	}
	f := RangeFound(i, d.To-i, calendar.AWeek)
	for _, r := range d.Readings {
		w := r.Start.AddDate(0, 0, -((int(r.Start.Weekday()) + 6) % 7))
		f.Readings = append(f.Readings, calendar.Interval{Start: w, End: w.AddDate(0, 0, 7)})
	}
	f.Value = f.Readings[len(f.Readings)-1]
	return f
}

var weekOfWords = []string{"of", "starting on", "starting", "beginning", "beginning on", "commencing", "starting from", "starting the"}
