package calendar

import (
	"time"
)

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

// Unit is what a stretch of the calendar is one of.
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
