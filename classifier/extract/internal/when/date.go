package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// Date recognises a day at token i. Of several readings the longest counts.
func (s *Reader) Date(i int) *find.Find {
	if s.Other != nil {
		return s.Other.Day(s, i)
	}
	var best calendar.Days
	n := 0
	for _, rule := range [...]func(*Reader, int) (calendar.Days, int){
		(*Reader).ISODate, yearInside, slashDate, dottedDate, pointedDate, monthDate, dayMonthDate,
		relativeDay, partDay, thatDay, offsetDate, weekdayDate, weekdayBeside, holiday, nthDay, monthDay, nextDate, weekdayCount,
	} {
		if d, k := rule(s, i); k > n && (s.Ranges || !d.Unreal || writtenOut(s, i) || pointsOut(s, i)) && standsAsDate(s, i, k) {
			best, n = d, k
		}
	}
	if n == 0 {
		return nil
	}
	if _, name := calendar.Weekdays[s.Low(i+n+1)]; name && s.SymbolAt(i+n, "(") && s.SymbolAt(i+n+2, ")") {
		n += 3 // may 22 (tue)
	}
	f := &find.Find{Kind: "date", From: i, To: i + n, Confidence: 0.93, Temporal: find.Temporal{Cycle: best.Cycle, Unreal: best.Unreal, Clash: best.Clash}}
	switch {
	case best.Unreal:
		return f
	case best.Pick.IsZero():
		best.Pick = best.Next
	}
	f.Value = best.Pick
	f.Readings = []calendar.Interval{calendar.Point(best.Next)}
	if !best.Sure() && !best.Past.IsZero() {
		f.Readings = []calendar.Interval{calendar.Point(best.Past), calendar.Point(best.Next)}
	}
	return f
}

// writtenOut reports whether a day at token i names its month in letters, so that one that
// is in no calendar is a mistake and no other figure.
func writtenOut(s *Reader, i int) bool {
	for k := i; k < i+4; k++ {
		if calendar.Months[s.Low(k)] > 0 {
			return true
		}
	}
	return false
}

// standsAsDate reports whether the n tokens at i are no part of a longer word.
func standsAsDate(s *Reader, i, n int) bool {
	if s.Glued(i) && !s.OpenBefore(i) && !(s.atRangeEnd && s.SymbolAt(i-1, "-–~")) {
		return false
	}
	return !s.Glued(i+n) || s.CloseAfter(i+n) || s.SymbolAt(i+n, "@(-–~") || isoTime(s, i+n)
}

// isoTime reports whether token i is the T of 2026-11-21T15:04.
func isoTime(s *Reader, i int) bool {
	return s.Low(i) == "t" && s.Glued(i+1) && s.Digits(i+1, 2, 2) != ""
}

// separated returns the three parts of 2026-11-21 or 11/21/2026 at i, all glued by the
// same character of chars, and how many tokens they take.
func separated(s *Reader, i int, chars string) (a, b, c string, n int) {
	a, b, c = s.Low(i), s.Low(i+2), s.Low(i+4)
	if a == "" || b == "" || c == "" || !s.SymbolAt(i+1, chars) || s.Low(i+3) != s.Low(i+1) {
		return "", "", "", 0
	}
	for k := i + 1; k <= i+4; k++ {
		if !s.Glued(k) {
			return "", "", "", 0
		}
	}
	return a, b, c, 5
}

// ISODate reads 2026-11-21.
func (s *Reader) ISODate(i int) (calendar.Days, int) {
	if s.Digits(i, 4, 4) == "" {
		return calendar.Days{}, 0
	}
	a, b, c, n := separated(s, i, "-/.")
	if n == 0 {
		return calendar.Days{}, 0
	}
	month, day := time.Month(scan.Atoi(b)), scan.Atoi(c)
	if m, ok := calendar.Months[b]; ok {
		month = m
	} else if m, ok := calendar.Months[c]; ok {
		month, day = m, scan.Atoi(b)
	}
	if len(b) > 2 && calendar.Months[b] == 0 || len(c) > 2 && calendar.Months[c] == 0 {
		return calendar.Days{}, 0
	}
	if t, ok := s.Clock.Day(scan.Atoi(a), month, day); ok && month > 0 && month <= 12 {
		return calendar.OneDay(t), n
	}
	return calendar.Days{}, 0
}

// nextDate reads "next 5/12", "last may 5".
func nextDate(s *Reader, i int) (calendar.Days, int) {
	r, ok := relatives[s.Low(i)]
	if !ok || r == 0 {
		return calendar.Days{}, 0
	}
	for _, rule := range [...]func(*Reader, int) (calendar.Days, int){slashDate, monthDate} {
		switch d, k := rule(s, i+1); {
		case k == 0 || d.Unreal || d.Cycle != calendar.Yearly:
		case r > 0:
			return calendar.OneDay(d.Next), k + 1
		default:
			return calendar.OneDay(d.Past), k + 1
		}
	}
	return calendar.Days{}, 0
}

// yearInside reads September-2020-23, 23-2020-September and 2020 September 23.
func yearInside(s *Reader, i int) (calendar.Days, int) {
	if m := calendar.Months[s.Low(i+1)]; m > 0 && s.YearDigits(i) > 0 {
		if day, k, _ := dayNumber(s, i+2); k > 0 {
			if t, ok := s.Clock.Day(s.YearDigits(i), m, day); ok {
				return calendar.OneDay(t), 2 + k
			}
		}
		return calendar.Days{}, 0
	}
	a, b, c, n := separated(s, i, "-/.")
	if n == 0 || s.Digits(i+2, 4, 4) == "" {
		return calendar.Days{}, 0
	}
	month, day := calendar.Months[a], scan.Atoi(c)
	if month == 0 {
		month, day = calendar.Months[c], scan.Atoi(a)
	}
	if t, ok := s.Clock.Day(scan.Atoi(b), month, day); ok && month > 0 {
		return calendar.OneDay(t), n
	}
	return calendar.Days{}, 0
}

// slashDate reads 11/21/2026, 21.11.2026 and, where something says so, 11/21.
func slashDate(s *Reader, i int) (calendar.Days, int) {
	if s.Digits(i, 1, 2) == "" {
		return calendar.Days{}, 0
	}
	if a, b, c, n := separated(s, i, "/-."); n > 0 && s.Digits(i+4, 2, 4) != "" && len(c) != 3 {
		d := fullDate(s, scan.Atoi(a), b, c, s.Low(i+1) == ".")
		if d.Unreal && s.Ranges && !mayBeDay(scan.Atoi(a), scan.Atoi(b)) {
			return calendar.Days{}, 0 // 32-1-2015 has the shape of none
		}
		return d, n
	}
	second := s.Marked(i+1, "/", 1, 2)
	if second == "" {
		return calendar.Days{}, 0
	}
	a, b := scan.Atoi(s.Low(i)), scan.Atoi(second)
	if s.Is(i-1, ratioNouns) || a == 24 && b == 7 || !sharesDay(s, i, a, b) {
		return calendar.Days{}, 0 // 3/4 of them
	}
	d := ordered(s, a, b, 0, 0, false)
	if shift, k := relativeYear(s, i+3); k > 0 && !d.Unreal {
		if t, ok := s.Clock.Day(s.Clock.Now.Year()+shift, d.Next.Month(), d.Next.Day()); ok {
			return calendar.OneDay(t), 3 + k // 9/1 this year
		}
	}
	return d, 3
}

// sharesDay reports whether the two figures of a slash at token i are a day and not a share.
func sharesDay(s *Reader, i, a, b int) bool {
	_, decorated := calendar.Weekdays[s.Low(i-1)]
	return a > 12 || b > 12 || s.atRangeEnd || s.Asked == "date" || s.Asked == "datetime" || decorated || s.Is(i-1, dayCues) || s.Ranges && clockAhead(s, i+3)
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
func clockAhead(s *Reader, i int) bool {
	if s.Is(i, clockLeads) || s.SymbolAt(i, "@") {
		i++
	}
	if s.Digits(i, 1, 2) == "" {
		return false
	}
	return s.SymbolAt(i+1, ":") || dayHalfFollows(s, i+1) || s.Says(i-1, "between", "from")
}

var (
	ratioNouns = scan.Words("ratio aspect score scored odds")
	pronouns   = scan.Words("it i you he she we they who that this one")
)

var clockLeads = scan.Words("at between before after by from around")

// fullDate reads the parts of 21/11/2026 and 21/Nov/2026.
func fullDate(s *Reader, a int, b, c string, dotted bool) calendar.Days {
	past, next := calendar.ShortYears(scan.Atoi(c), len(c))
	if m, ok := calendar.Months[b]; ok {
		t, ok := s.Clock.Day(next, m, a)
		return calendar.Days{Past: t, Next: t, Unreal: !ok}
	}
	if scan.Atoi(b) < 0 || len(b) > 2 {
		return calendar.Days{Unreal: true}
	}
	return ordered(s, a, scan.Atoi(b), past, next, dotted)
}

// ordered decides which of two numbers is the month. A year of 0 means that none is said.
func ordered(s *Reader, a, b, past, next int, dotted bool) calendar.Days {
	month, day := a, b
	if s.Clock.DayFirst || dotted {
		month, day = b, a
	}
	if month > 12 {
		month, day = day, month
	}
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return calendar.Days{Unreal: true}
	}
	if next == 0 {
		return s.Clock.Yearly(time.Month(month), day)
	}
	t, ok := s.Clock.Day(past, time.Month(month), day)
	u, _ := s.Clock.Day(next, time.Month(month), day)
	return calendar.Days{Past: t, Next: u, Unreal: !ok}
}
