package calendar

import (
	"time"
)

// Side is the side of an expression of time that is meant.
type Side uint8

// The sides of a stretch.
const (
	NoSide Side = iota
	BeforeIt
	AfterIt
	SinceIt
	UntilIt
	ByIt // up to it: of a day, that day is in it
)

// Open returns what lies on one side of a stretch. "By the end of may" is up to its very
// end.
func (v Interval) Open(b Side, e Edge) Interval {
	switch b {
	case BeforeIt, ByIt:
		if e == Tail {
			return Interval{End: v.End}
		}
		return Interval{End: v.Start}
	case AfterIt:
		if e == Head {
			return Interval{Start: v.Start}
		}
		return Interval{Start: v.End}
	case SinceIt:
		return Interval{Start: v.Start}
	}
	return Interval{End: v.End}
}

// layout of a datetime: the zone is the agent's and is not written.
const DateTime = "2006-01-02T15:04:05"

// Edge is a part of a stretch that a word picks.
type Edge uint8

// The parts of a stretch.
const (
	Whole Edge = iota
	Head
	Middle
	Tail
)

// OnDay moves a range of times to a day; one that would end before it starts ends on the
// day after.
func (v Interval) OnDay(day time.Time) Interval {
	set := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		y, m, d := day.Date()
		return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, day.Location())
	}
	w := Interval{set(v.Start), set(v.End)}
	if !w.End.IsZero() && !w.Start.IsZero() && w.End.Before(w.Start) {
		w.End = w.End.AddDate(0, 0, 1)
	}
	return w
}

// Cut returns a part of a stretch, in the bounds that Microsoft's recogniser gives it.
func (v Interval) Cut(u Unit, e Edge) (Interval, bool) {
	type bounds struct{ headEnd, middleStart, middleEnd, tailStart time.Time }
	var b bounds
	s := v.Start
	switch u {
	case AWeek, AWorkWeek:
		b = bounds{s.AddDate(0, 0, 3), s.AddDate(0, 0, 1), s.AddDate(0, 0, 5), s.AddDate(0, 0, 3)}
	case AMonth:
		b = bounds{s.AddDate(0, 0, 15), s.AddDate(0, 0, 9), s.AddDate(0, 0, 20), s.AddDate(0, 0, 15)}
	case AYear:
		b = bounds{s.AddDate(0, 6, 0), s.AddDate(0, 3, 0), s.AddDate(0, 9, 0), s.AddDate(0, 6, 0)}
	case ANumberedYear:
		b = bounds{s.AddDate(0, 4, 0), s.AddDate(0, 4, 0), s.AddDate(0, 8, 0), s.AddDate(0, 8, 0)}
	case ADecade:
		b = bounds{s.AddDate(4, 0, 0), s.AddDate(4, 0, 0), s.AddDate(7, 0, 0), s.AddDate(7, 0, 0)}
	case AQuarter:
		b = bounds{s.AddDate(0, 1, 0), s.AddDate(0, 1, 0), s.AddDate(0, 2, 0), s.AddDate(0, 2, 0)}
	default:
		return v, false
	}
	switch e {
	case Head:
		return Interval{s, b.headEnd}, true
	case Middle:
		return Interval{b.middleStart, b.middleEnd}, true
	case Tail:
		return Interval{b.tailStart, v.End}, true
	}
	return v, true
}

// Interval is a stretch of time, its end exclusive. A zero end of it is open; of a
// point (a day, a moment, a time of day) both are the same.
type Interval struct{ Start, End time.Time }

// Point is a moment as a stretch of time.
func Point(t time.Time) Interval { return Interval{t, t} }

// NoDay carries times of day that have no day.
var NoDay = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Write renders both ends in a layout, ".." for an open one.
func (v Interval) Write(layout string) string {
	start, end := "..", ".."
	if !v.Start.IsZero() {
		start = v.Start.Format(layout)
	}
	if !v.End.IsZero() {
		end = v.End.Format(layout)
	}
	return start + "/" + end
}

// Month is a whole month.
func (c Clock) Month(y int, m time.Month) Interval {
	return Interval{time.Date(y, m, 1, 0, 0, 0, 0, c.Now.Location()), time.Date(y, m+1, 1, 0, 0, 0, 0, c.Now.Location())}
}

// YearsOf gives the last year in which a month lay before this one, and the next from now.
func (c Clock) YearsOf(m time.Month) (past, next int) {
	y, now, _ := c.Now.Date()
	if m < now {
		return y, y + 1
	}
	return y - 1, y
}

// Unit is a unit of the calendar.
type Unit uint8

// The units of the calendar, and those below a day.
const (
	NoUnit Unit = iota
	aDay
	AWeek
	AWeekend
	AWorkWeek
	AFortnight
	AMonth
	AQuarter
	AHalf
	AYear
	ANumberedYear // "2018", as against "this year"
	ADecade
	ACentury
	AnHour
	AMinute
	ASecond
)

// Stretch returns the unit that holds today, or the one so many before or after it.
func (c Clock) Stretch(u Unit, shift int) Interval {
	y, m, _ := c.Now.Date()
	first := func(y int, m time.Month) time.Time { return time.Date(y, m, 1, 0, 0, 0, 0, c.Now.Location()) }
	switch u {
	case AWeek:
		w := c.monday().AddDate(0, 0, 7*shift)
		return Interval{w, w.AddDate(0, 0, 7)}
	case AWeekend:
		w := c.monday().AddDate(0, 0, 7*shift)
		return Interval{w.AddDate(0, 0, 5), w.AddDate(0, 0, 7)}
	case AWorkWeek:
		w := c.monday().AddDate(0, 0, 7*shift)
		return Interval{w, w.AddDate(0, 0, 5)}
	case AFortnight:
		w := c.monday().AddDate(0, 0, 14*shift)
		return Interval{w, w.AddDate(0, 0, 14)}
	case AMonth:
		return Interval{first(y, m+time.Month(shift)), first(y, m+time.Month(shift)+1)}
	case AQuarter:
		q := (m-1)/3*3 + 1 + time.Month(3*shift)
		return Interval{first(y, q), first(y, q+3)}
	case AHalf:
		q := (m-1)/6*6 + 1 + time.Month(6*shift)
		return Interval{first(y, q), first(y, q+6)}
	case ADecade:
		y = y/10*10 + 10*shift
		return Interval{first(y, 1), first(y+10, 1)}
	case ACentury:
		y = y/100*100 + 100*shift
		return Interval{first(y, 1), first(y+100, 1)}
	}
	return Interval{first(y+shift, 1), first(y+shift+1, 1)}
}

// Year is a whole year.
func (c Clock) Year(y int) Interval {
	return Interval{time.Date(y, 1, 1, 0, 0, 0, 0, c.Now.Location()), time.Date(y+1, 1, 1, 0, 0, 0, 0, c.Now.Location())}
}
