package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// Date recognises a day at token i. Of several readings the longest counts.
func (s *Reader) Date(i int) *find.Find { return s.Other.Day(s, i) }

// ClockTime recognises a time of day at token i: 3pm, 15:30, half past two, at 5, noon.
func (s *Reader) ClockTime(i int) *find.Find { return s.Other.Time(s, i) }

// FiguresDate reads a day in figures: 2026-11-21, 11/21/2026, 21.11.
func (s *Reader) FiguresDate(i int) (best calendar.Days, n int) {
	for _, rule := range [...]func(*Reader, int) (calendar.Days, int){(*Reader).ISODate, yearInside, slashDate, dottedDate, pointedDate} {
		if d, k := rule(s, i); k > n && (s.Ranges || !d.Unreal || writtenOut(s, i) || pointsOut(s, i)) {
			best, n = d, k
		}
	}
	return best, n
}

// writtenOut reports whether a day at token i names its month in letters, so that one that
// is in no calendar is a mistake and no other figure.
func writtenOut(s *Reader, i int) bool {
	for k := i; k < i+4; k++ {
		if monthAt(s, k) > 0 {
			return true
		}
	}
	return false
}

// DateStands reports whether the n tokens at i are no part of a longer word.
func (s *Reader) DateStands(i, n int) bool {
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
	month, day := time.Month(message.Atoi(b)), message.Atoi(c)
	second, third := monthAt(s, i+2), monthAt(s, i+4)
	if second > 0 {
		month = second
	} else if third > 0 {
		month, day = third, message.Atoi(b)
	}
	if len(b) > 2 && second == 0 || len(c) > 2 && third == 0 {
		return calendar.Days{}, 0
	}
	if t, ok := s.Clock.Day(message.Atoi(a), month, day); ok && month > 0 && month <= 12 {
		return calendar.OneDay(t), n
	}
	return calendar.Days{}, 0
}

// yearInside reads September-2020-23, 23-2020-September and 2020 September 23.
func yearInside(s *Reader, i int) (calendar.Days, int) {
	if m := monthAt(s, i+1); m > 0 && s.YearDigits(i) > 0 {
		if day, k, _ := s.DayNumber(i + 2); k > 0 {
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
	month, day := monthAt(s, i), message.Atoi(c)
	if month == 0 {
		month, day = monthAt(s, i+4), message.Atoi(a)
	}
	if t, ok := s.Clock.Day(message.Atoi(b), month, day); ok && month > 0 {
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
		d := fullDate(s, i, b, c)
		if d.Unreal && s.Ranges && !mayBeDay(message.Atoi(a), message.Atoi(b)) {
			return calendar.Days{}, 0 // 32-1-2015 has the shape of none
		}
		return d, n
	}
	second := s.Marked(i+1, "/", 1, 2)
	if second == "" {
		return calendar.Days{}, 0
	}
	a, b := message.Atoi(s.Low(i)), message.Atoi(second)
	if s.IsTerm(i-1, "ratio_noun") || a == 24 && b == 7 || !sharesDay(s, i, a, b) {
		return calendar.Days{}, 0 // 3/4 of them
	}
	d := ordered(s, a, b, 0, 0, false)
	return d, 3
}

// sharesDay reports whether the two figures of a slash at token i are a day and not a share.
func sharesDay(s *Reader, i, a, b int) bool {
	decorated := s.IsTerm(i-1, "weekday")
	return a > 12 || b > 12 || s.atRangeEnd || s.Asked == "date" || s.Asked == "datetime" || decorated || s.EndsTerm(i, "day_cue") > 0 || s.Ranges && clockAhead(s, i+3)
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
	if s.IsTerm(i, "clock_lead") || s.SymbolAt(i, "@") {
		i++
	}
	if s.Digits(i, 1, 2) == "" {
		return false
	}
	return s.SymbolAt(i+1, ":") || s.IsTerm(i+1, "half_day") || s.Says(i-1, "between", "from")
}

// fullDate reads the parts of 21/11/2026 and 21/Nov/2026.
func fullDate(s *Reader, i int, b, c string) calendar.Days {
	a, dotted := message.Atoi(s.Low(i)), s.Low(i+1) == "."
	past, next := calendar.ShortYears(message.Atoi(c), len(c))
	if m := monthAt(s, i+2); m > 0 {
		t, ok := s.Clock.Day(next, m, a)
		return calendar.Days{Past: t, Next: t, Unreal: !ok}
	}
	if message.Atoi(b) < 0 || len(b) > 2 {
		return calendar.Days{Unreal: true}
	}
	return ordered(s, a, message.Atoi(b), past, next, dotted)
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
	either := s.Clock.EitherFirst && !dotted && day <= 12 && day != month
	if next == 0 {
		d := s.Clock.Yearly(time.Month(month), day)
		d.EitherFirst = either
		return d
	}
	t, ok := s.Clock.Day(past, time.Month(month), day)
	u, _ := s.Clock.Day(next, time.Month(month), day)
	return calendar.Days{Past: t, Next: u, Unreal: !ok, EitherFirst: either}
}

// dottedDate reads 7.6 as a day in the order of the region, after a weekday or "on".
func dottedDate(s *Reader, i int) (calendar.Days, int) {
	decorated := s.IsTerm(i-1, "weekday")
	if !decorated && s.Low(i-1) != "on" || s.Digits(i, 1, 2) == "" || !s.SymbolAt(i+1, ".-") || !s.Glued(i+1) || !s.Glued(i+2) || s.Digits(i+2, 1, 2) == "" {
		return calendar.Days{}, 0
	}
	if s.Low(i+1) == "-" && (!decorated || !s.Says(i+3, "from", "between") && message.Atoi(s.Low(i)) <= 24 && !clockAhead(s, i+3)) {
		return calendar.Days{}, 0 // friday 3-5
	}
	if s.Low(i+3) != "between" && !clockAhead(s, i+3) && !s.Ends(i+3) && !s.IsTerm(i+3, "day_number_end") || s.IsTerm(i+3, "half_day") {
		return calendar.Days{}, 0
	}
	d := ordered(s, message.Atoi(s.Low(i)), message.Atoi(s.Low(i+2)), 0, 0, s.Clock.DayFirst || dateAsked(s))
	if d.Unreal {
		return calendar.Days{}, 0
	}
	return d, 3
}

// pointed is a day and a month with points: 14.12. and 14.12, also 14. 12. with spaces.
type pointed struct {
	day, month int
	year       int // 0: none is said
	n          int // tokens
	Closed     bool
}

// PointedAt reads the shape of a day with points. Those who write it so put the day first,
// wherever they are.
func (s *Reader) PointedAt(i int) (p pointed) {
	if s.Digits(i, 1, 2) == "" || !s.SymbolAt(i+1, ".") || !s.Glued(i+1) || s.Digits(i+2, 1, 2) == "" {
		return p
	}
	p = pointed{day: message.Atoi(s.Low(i)), month: message.Atoi(s.Low(i + 2)), n: 3}
	if s.SymbolAt(i+3, ".") && s.Glued(i+3) && !(s.Glued(i+4) && s.Tokens[i+4].Class != message.Symbol) {
		p.Closed, p.n = true, 4
		if y := s.YearDigits(i + 4); y > 0 {
			p.year, p.n = y, 5
		}
	}
	if p.day < 1 || p.day > 31 || p.month < 1 || p.month > 12 && p.day > 12 || !p.Closed && !s.Glued(i+2) {
		return pointed{}
	}
	if p.month > 12 {
		p.day, p.month = p.month, p.day
	}
	return p
}

// pointedDate reads 14.12. where a point closes it and a date is asked for, a cue stands
// before it or the sentence goes on behind it, and 14.12 as the answer to a question for a
// date. Elsewhere it is a number.
func pointedDate(s *Reader, i int) (calendar.Days, int) {
	p := s.PointedAt(i)
	if p.n == 0 || !isPointedDay(s, i, &p) {
		return calendar.Days{}, 0
	}
	return ordered(s, p.day, p.month, p.year, p.year, true), p.n
}

func isPointedDay(s *Reader, i int, p *pointed) bool {
	decorated := s.IsTerm(i-1, "weekday")
	cued := decorated || s.IsTerm(i-1, "point_cue") || s.atRangeEnd || endsPointed(s, i)
	switch {
	case p.year > 0:
		return true
	case s.IsTerm(i-1, "ratio_noun") || s.IsTerm(i-1, "figure_noun") || i > 0 && s.Glued(i) && !s.OpenBefore(i):
		return false
	case p.Closed && s.DatesAsked():
		return true
	case p.Closed:
		return cued && goesOn(s, i+p.n)
	case dateAsked(s):
		from, to := talk.Core(s.Message, "opening", "")
		return from == i && to == i+p.n || (cued || s.Low(i-1) == "the") && (s.Ends(i+p.n) || s.IsTerm(i+p.n, "day_number_end"))
	}
	return false
}

// OpenPoint reports whether token i is the head of 14.12, which no point closes.
func (s *Reader) OpenPoint(i int) bool {
	p := s.PointedAt(i)
	return p.n > 0 && !p.Closed
}

// dateAsked reports whether a day is asked for, so that 14.12 is no number and no time.
func dateAsked(s *Reader) bool { return s.Asked == "date" || s.Asked == "daterange" }

// DatesAsked reports whether a day is asked for, or a moment.
func (s *Reader) DatesAsked() bool {
	return dateAsked(s) || s.Asked == "datetime" || s.Asked == "datetimerange"
}

// goesOn reports whether the sentence goes on at token i, so that the point before it ends
// no sentence.
func goesOn(s *Reader, i int) bool {
	return i < len(s.Tokens) && !s.Capital(i) && (s.Tokens[i].Class != message.Symbol || s.SymbolAt(i, ",;?!-–)"))
}

// endsPointed reports whether token i is the other end of what starts with such a day:
// "from 1.12. to 5.12.".
func endsPointed(s *Reader, i int) bool {
	return (s.IsTerm(i-1, "joiner") || s.Low(i-1) == "and" || s.SymbolAt(i-1, "-–—")) && s.PointedAt(i-5).Closed
}

// pointsOut reports whether a day that is in no calendar is written with points where one is
// asked for: 31.11.
func pointsOut(s *Reader, i int) bool { return s.DatesAsked() && s.PointedAt(i).n > 0 }

// PointedKinds are the built-in types whose values may be written 14.12 too.
var PointedKinds = message.Words("number money percentage time datetime")
