package extract

// dottedDate reads 7.6 as a day in the order of the region, after a weekday or "on".
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
	d := s.ordered(atoi(s.low(i)), atoi(s.low(i+2)), 0, 0, s.clock.dayFirst || s.dateAsked())
	if d.unreal {
		return days{}, 0
	}
	return d, 3
}

// pointed is a day and a month with points: 14.12. and 14.12, also 14. 12. with spaces.
type pointed struct {
	day, month int
	year       int // 0: none is said
	n          int // tokens
	closed     bool
}

// pointedAt reads the shape of a day with points. Those who write it so put the day first,
// wherever they are.
func (s *scan) pointedAt(i int) (p pointed) {
	if s.digits(i, 1, 2) == "" || !s.symbolAt(i+1, ".") || !s.glued(i+1) || s.digits(i+2, 1, 2) == "" {
		return p
	}
	p = pointed{day: atoi(s.low(i)), month: atoi(s.low(i + 2)), n: 3}
	if s.symbolAt(i+3, ".") && s.glued(i+3) && !(s.glued(i+4) && s.tokens[i+4].class != symbol) {
		p.closed, p.n = true, 4
		if y := s.yearDigits(i + 4); y > 0 {
			p.year, p.n = y, 5
		}
	}
	if p.day < 1 || p.day > 31 || p.month < 1 || p.month > 12 && p.day > 12 || !p.closed && !s.glued(i+2) {
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
func (s *scan) pointedDate(i int) (days, int) {
	p := s.pointedAt(i)
	if p.n == 0 || !s.isPointedDay(i, &p) {
		return days{}, 0
	}
	return s.ordered(p.day, p.month, p.year, p.year, true), p.n
}

func (s *scan) isPointedDay(i int, p *pointed) bool {
	_, decorated := weekdays[s.low(i-1)]
	cued := decorated || s.is(i-1, pointCues) || s.atRangeEnd || s.endsPointed(i)
	switch {
	case p.year > 0:
		return true
	case s.is(i-1, ratioNouns) || s.is(i-1, figureNouns) || i > 0 && s.glued(i) && !s.openBefore(i):
		return false
	case p.closed && s.datesAsked():
		return true
	case p.closed:
		return cued && s.goesOn(i+p.n)
	case s.dateAsked():
		from, to := s.core(openingBook, closing, "")
		return from == i && to == i+p.n || (cued || s.low(i-1) == "the") && (s.ends(i+p.n) || s.is(i+p.n, dayNumberEnds))
	}
	return false
}

// openPoint reports whether token i is the head of 14.12, which no point closes.
func (s *scan) openPoint(i int) bool {
	p := s.pointedAt(i)
	return p.n > 0 && !p.closed
}

// dateAsked reports whether a day is asked for, so that 14.12 is no number and no time.
func (s *scan) dateAsked() bool { return s.asked == "date" || s.asked == "daterange" }

// datesAsked reports whether a day is asked for, or a moment.
func (s *scan) datesAsked() bool {
	return s.dateAsked() || s.asked == "datetime" || s.asked == "datetimerange"
}

// goesOn reports whether the sentence goes on at token i, so that the point before it ends
// no sentence.
func (s *scan) goesOn(i int) bool {
	return i < len(s.tokens) && !s.capital(i) && (s.tokens[i].class != symbol || s.symbolAt(i, ",;?!-–)"))
}

// endsPointed reports whether token i is the other end of what starts with such a day:
// "from 1.12. to 5.12.".
func (s *scan) endsPointed(i int) bool {
	return (s.is(i-1, joiners) || s.low(i-1) == "and" || s.symbolAt(i-1, "-–—")) && s.pointedAt(i-5).closed
}

// pointsOut reports whether a day that is in no calendar is written with points where one is
// asked for: 31.11.
func (s *scan) pointsOut(i int) bool { return s.datesAsked() && s.pointedAt(i).n > 0 }

var (
	// pointedKinds are the built-in types whose values may be written 14.12 too.
	pointedKinds = words("number money percentage time datetime")
	// pointCues stand before a day with points.
	pointCues = words("on by until till from since before after between starting due")
	// figureNouns stand before a figure with a point that is no day.
	figureNouns = words("version v release level rating about costs cost price chapter section paragraph step usd eur gbp")
)
