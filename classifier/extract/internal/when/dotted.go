package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
)

// dottedDate reads 7.6 as a day in the order of the region, after a weekday or "on".
func dottedDate(s *Reader, i int) (calendar.Days, int) {
	_, decorated := calendar.Weekdays[s.Low(i-1)]
	if !decorated && s.Low(i-1) != "on" || s.Digits(i, 1, 2) == "" || !s.SymbolAt(i+1, ".-") || !s.Glued(i+1) || !s.Glued(i+2) || s.Digits(i+2, 1, 2) == "" {
		return calendar.Days{}, 0
	}
	if s.Low(i+1) == "-" && (!decorated || !s.Says(i+3, "from", "between") && scan.Atoi(s.Low(i)) <= 24 && !clockAhead(s, i+3)) {
		return calendar.Days{}, 0 // friday 3-5
	}
	if s.Low(i+3) != "between" && !clockAhead(s, i+3) && !s.Ends(i+3) && !s.Is(i+3, dayNumberEnds) || dayHalfFollows(s, i+3) {
		return calendar.Days{}, 0
	}
	d := ordered(s, scan.Atoi(s.Low(i)), scan.Atoi(s.Low(i+2)), 0, 0, s.Clock.DayFirst || dateAsked(s))
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
	p = pointed{day: scan.Atoi(s.Low(i)), month: scan.Atoi(s.Low(i + 2)), n: 3}
	if s.SymbolAt(i+3, ".") && s.Glued(i+3) && !(s.Glued(i+4) && s.Tokens[i+4].Class != scan.Symbol) {
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
	_, decorated := calendar.Weekdays[s.Low(i-1)]
	cued := decorated || s.Is(i-1, pointCues) || s.atRangeEnd || endsPointed(s, i)
	switch {
	case p.year > 0:
		return true
	case s.Is(i-1, ratioNouns) || s.Is(i-1, figureNouns) || i > 0 && s.Glued(i) && !s.OpenBefore(i):
		return false
	case p.Closed && s.DatesAsked():
		return true
	case p.Closed:
		return cued && goesOn(s, i+p.n)
	case dateAsked(s):
		from, to := talk.Core(s.Message, talk.Opening, talk.Closing, "")
		return from == i && to == i+p.n || (cued || s.Low(i-1) == "the") && (s.Ends(i+p.n) || s.Is(i+p.n, dayNumberEnds))
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
	return i < len(s.Tokens) && !s.Capital(i) && (s.Tokens[i].Class != scan.Symbol || s.SymbolAt(i, ",;?!-–)"))
}

// endsPointed reports whether token i is the other end of what starts with such a day:
// "from 1.12. to 5.12.".
func endsPointed(s *Reader, i int) bool {
	return (s.Is(i-1, joiners) || s.Low(i-1) == "and" || s.SymbolAt(i-1, "-–—")) && s.PointedAt(i-5).Closed
}

// pointsOut reports whether a day that is in no calendar is written with points where one is
// asked for: 31.11.
func pointsOut(s *Reader, i int) bool { return s.DatesAsked() && s.PointedAt(i).n > 0 }

var (
	// PointedKinds are the built-in types whose values may be written 14.12 too.
	PointedKinds = scan.Words("number money percentage time datetime")
	// pointCues stand before a day with points.
	pointCues = scan.Words("on by until till from since before after between starting due")
	// figureNouns stand before a figure with a point that is no day.
	figureNouns = scan.Words("version v release level rating about costs cost price chapter section paragraph step usd eur gbp")
)
