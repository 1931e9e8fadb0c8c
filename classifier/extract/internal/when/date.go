package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// Date recognises a day at token i. Of several readings the longest counts.
func (s *Reader) Date(i int) *find.Find { return s.Other.Day(s, i) }

// ClockTime recognises a time of day at token i: 3pm, 15:30, half past two, at 5, noon.
func (s *Reader) ClockTime(i int) *find.Find { return s.Other.Time(s, i) }

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

// FiguresStand reports whether the words around figures at token i, or what is asked, make a day of them
// that may be a number: 3/4, "friday 7.6", 14.12.
func (s *Reader) FiguresStand(how string, i, n int) bool {
	a, b := message.Atoi(s.Low(i)), message.Atoi(s.Low(i+2))
	switch how {
	case "shared":
		return !s.IsTerm(i-1, "ratio_noun") && !(a == 24 && b == 7) && sharesDay(s, i, a, b) // 3/4 of them
	case "led":
		return ledDay(s, i, a)
	}
	p := s.PointedAt(i)
	return p.n == n && isPointedDay(s, i, &p)
}

// sharesDay reports whether the two figures of a slash at token i are a day and not a share.
func sharesDay(s *Reader, i, a, b int) bool {
	decorated := s.IsTerm(i-1, "weekday")
	return a > 12 || b > 12 || s.atRangeEnd || s.Asked == "date" || s.Asked == "datetime" || decorated || s.EndsTerm(i, "day_cue") > 0 || s.Ranges && clockAhead(s, i+3)
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

// ledDay reports whether 7.6 is a day, in the order of the region, after a weekday or "on".
func ledDay(s *Reader, i, first int) bool {
	decorated, follows := s.IsTerm(i-1, "weekday"), clockAhead(s, i+3)
	switch {
	case !decorated && s.Low(i-1) != "on", s.IsTerm(i+3, "half_day"):
		return false
	case s.Low(i+1) == "-" && (!decorated || !s.Says(i+3, "from", "between") && first <= 24 && !follows):
		return false // friday 3-5
	}
	return s.Low(i+3) == "between" || follows || s.Ends(i+3) || s.IsTerm(i+3, "day_number_end")
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

// isPointedDay reports whether 14.12. is a day where a point closes it and a date is asked for, a cue stands
// before it or the sentence goes on behind it, and 14.12 as the answer to a question for a date.
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

// PointsAsked reports whether a day that is in no calendar is written with points where one is asked
// for: 31.11.
func (s *Reader) PointsAsked(i int) bool { return s.DatesAsked() && s.PointedAt(i).n > 0 }

// PointedKinds are the built-in types whose values may be written 14.12 too.
var PointedKinds = message.Words("number money percentage time datetime")
