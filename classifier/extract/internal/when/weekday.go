package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/message"
)

// weekdayDate reads friday, next friday, friday next week, and drops a date's own
// weekday: "friday, nov 21". A param takes the "this friday" of a sunday to be the coming one;
// to the recogniser alone it is the one of this week.
func weekdayDate(s *Reader, i int) (calendar.Days, int) {
	if s.Ranges && s.Low(i) == "on" {
		if _, k := weekAfter(s, i+2); k > 0 && s.Low(i+2) == "of" && s.Is(i+1, weekdayNames) {
			d, k := weekdayDate(s, i+1)
			return d, k + 1
		}
		return calendar.Days{}, 0
	}
	mod, n := whichWeekday(s, i)
	d, ok := calendar.Weekdays[s.Low(i+n)]
	if !ok {
		return calendar.Days{}, 0
	}
	at := i + n
	n++
	if s.SymbolAt(i+n, ".") && s.Glued(i+n) && len(s.Low(at)) <= 4 && s.Low(i+n+1) != "" {
		n++
	}
	if t, k := dayBehind(s, d, mod, i+n); k > 0 {
		return t, n + k
	}
	if mod == "" {
		w, k := weekAfter(s, i+n)
		n, mod = n+k, w
	}
	if mod == "" && doubtfulDays[s.Low(at)] && !sureDay(s, at, i+n) {
		return calendar.Days{}, 0
	}
	day := s.Clock.Weekday(d, mod)
	if !s.Ranges && mod == "this" && day.Next.Before(s.Clock.Today()) { // what is wanted lies ahead
		day = calendar.OneDay(day.Next.AddDate(0, 0, 7))
	}
	return day, n
}

// whichWeekday reads the words before a weekday that say which one is meant: "next", "this
// coming", "next week on".
func whichWeekday(s *Reader, i int) (which string, n int) {
	switch {
	case s.Low(i) == "this" && s.Says(i+1, "coming", "upcoming", "past"), s.Low(i) == "the" && s.Is(i+1, Which):
		return s.Low(i + 1), 2
	case !s.Is(i, Which):
		return "", 0
	case s.Low(i+1) == "week":
		return s.Low(i), 2 + message.Btoi(s.SymbolAt(i+2, "-") || s.Low(i+2) == "on")
	}
	return s.Low(i), 1
}

// dayBehind reads the date behind a weekday, which it only decorates where no word says which
// one is meant: "friday, nov 21", "this friday (nov 21)".
func dayBehind(s *Reader, w time.Weekday, which string, i int) (calendar.Days, int) {
	if which == "" {
		return dayInstead(s, w, i)
	}
	t, k := inBrackets(s, i)
	if k == 0 {
		if t, k = slashDate(s, i); t.Unreal {
			return calendar.Days{}, 0
		}
	}
	return calendar.OneDay(t.Nearest(s.Clock)), k
}

// sureDay reports whether "sat" or "sun" at token i is a day: what stands around it says so.
func sureDay(s *Reader, i, after int) bool {
	if len(s.Tokens) == 1 || s.atRangeEnd {
		return true // mon-fri
	}
	if s.Low(i) == "sun" && s.Low(i-1) == "of" || s.Low(i-1) == "the" || s.Low(after) == "on" || s.Low(after) == "in" && s.Low(i) == "sat" {
		return false // "the sun", "sat on", "sat in"
	}
	return s.Is(i-1, dayCues) && s.Ends(after) || s.Capital(i) && s.Is(i-1, dayCues) || s.Low(after) == "at" || s.ClockTime(after) != nil
}

// weekAfter reads which week a weekday is of: "of next week", "last week".
func weekAfter(s *Reader, i int) (which string, n int) {
	if s.Says(i, "of", "in") {
		n = 1
	}
	n += s.Skip(i+n, "the")
	r, ok := relatives[s.Low(i+n)]
	if !ok || s.Low(i+n+1) != "week" {
		return "", 0
	}
	return [...]string{"last", "this", "next"}[r+1], n + 2
}

// inBrackets reads a date that another one explains: "(nov 21)".
func inBrackets(s *Reader, i int) (calendar.Days, int) {
	if !s.SymbolAt(i, "(") {
		return calendar.Days{}, 0
	}
	for _, rule := range [...]func(*Reader, int) (calendar.Days, int){(*Reader).ISODate, slashDate, monthDate, dayMonthDate} {
		if d, k := rule(s, i+1); k > 0 && !d.Unreal && s.SymbolAt(i+1+k, ")") {
			return d, k + 2
		}
	}
	return calendar.Days{}, 0
}

// dayInstead reads the date that a weekday only decorates.
func dayInstead(s *Reader, w time.Weekday, i int) (calendar.Days, int) {
	n := 0
	if s.SymbolAt(i, ",-") {
		n = 1
	} else if s.Glued(i) {
		return calendar.Days{}, 0
	}
	for _, rule := range [...]func(*Reader, int) (calendar.Days, int){(*Reader).ISODate, slashDate, dottedDate, monthDate, dayMonthDate} {
		if t, k := rule(s, i+n); k > 0 && !t.Unreal {
			return t.Named(w), n + k
		}
	}
	if t, k := bareDay(s, w, i+n); k > 0 {
		return t, n + k
	}
	d, k := monthDay(s, i+n)
	if k == 0 || d.Unreal || d.Cycle != calendar.Monthly {
		return d, k + n*min(k, 1)
	}
	on := d.On(w)
	on.Clash = d.Past.Weekday() != w && d.Next.Weekday() != w
	return on, n + k
}

// weekdayBeside reads "friday before christmas", "the monday after the 5th": the nearest such
// day on that side.
func weekdayBeside(s *Reader, i int) (calendar.Days, int) {
	w, ok := calendar.Weekdays[s.Low(i)]
	if !ok || s.Ranges || s.beside || !s.Says(i+1, "before", "after") {
		return calendar.Days{}, 0
	}
	s.beside = true
	base := s.Date(i + 2)
	s.beside = false
	if base == nil || s.ClockTime(i+2) != nil {
		return calendar.Days{}, 0
	}
	t, ok := base.Value.(time.Time)
	if !ok {
		return calendar.Days{}, 0
	}
	step := 1
	if s.Low(i+1) == "before" {
		step = -1
	}
	for t = t.AddDate(0, 0, step); t.Weekday() != w; {
		t = t.AddDate(0, 0, step)
	}
	return calendar.OneDay(t), base.To - i
}

// bareDay reads the number of a day behind its name, "sunday 31": the days around today
// that are both.
func bareDay(s *Reader, w time.Weekday, i int) (calendar.Days, int) {
	v := message.Atoi(s.Digits(i, 1, 2))
	if v < 1 || v > 31 || !s.Ends(i+1) || s.SymbolAt(i+1, ":./-–") || joiner(s, i+1, false) > 0 || !s.Ranges {
		return calendar.Days{}, 0
	}
	d := calendar.Days{Cycle: calendar.Once}
	for k := 0; k < 48 && d.Past.IsZero(); k++ {
		if t, _ := s.Clock.Day(s.Clock.Now.Year(), s.Clock.Now.Month()-time.Month(k), v); t.Day() == v && t.Weekday() == w && t.Before(s.Clock.Today()) {
			d.Past = t
		}
	}
	for k := 0; k < 48 && d.Next.IsZero(); k++ {
		if t, _ := s.Clock.Day(s.Clock.Now.Year(), s.Clock.Now.Month()+time.Month(k), v); t.Day() == v && t.Weekday() == w && !t.Before(s.Clock.Today()) {
			d.Next = t
		}
	}
	if d.Past.IsZero() || d.Next.IsZero() {
		return calendar.Days{}, 0
	}
	return d, 1
}
