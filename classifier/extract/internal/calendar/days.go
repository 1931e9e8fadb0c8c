package calendar

import (
	"time"
)

// orToday takes today where it is such a day, though its first moment is past.
func (d *Days) orToday(c Clock) {
	if t := c.Today(); d.Past.Equal(t) {
		d.Pick = t
	}
}

// Days lists the days that a date may mean. Where the words leave it open, as in "may 5" or
// "monday", there is a last one before today and a next one from today on.
type Days struct {
	Past, Next time.Time
	Pick       time.Time // what a param takes; zero: next
	Cycle      Cycle     // how the day repeats
	Unreal     bool      // named, but in no calendar: feb 30
	Moves      bool      // a feast that is on another day each year
	Clash      bool      // said with a weekday that it is not

	EitherFirst bool // its figures may be day and month or month and day
}

// OneDay is a day that leaves nothing open.
func OneDay(t time.Time) Days { return Days{Past: t, Next: t} }

// Sure reports whether only one day is meant.
func (d Days) Sure() bool { return d.Past.Equal(d.Next) }

// Cycle says what a day that was named without a year, a month or a week repeats by.
type Cycle uint8

// Days repeat by the week, the month or the year, or not at all.
const (
	Once Cycle = iota
	Weekly
	Monthly
	Yearly
)

// Move returns the day k rounds later; ok is false where the calendar has none such.
func (c Cycle) Move(t time.Time, k int) (moved time.Time, ok bool) {
	switch c {
	case Weekly:
		return t.AddDate(0, 0, 7*k), true
	case Monthly:
		moved = t.AddDate(0, k, 0)
	case Yearly:
		moved = t.AddDate(k, 0, 0)
	default:
		return t, k == 0
	}
	return moved, moved.Day() == t.Day()
}

// Move goes so many years, months and days from a day, back where sign is -1.
func Move(t time.Time, step [3]int, sign int) time.Time {
	return t.AddDate(sign*step[0], sign*step[1], sign*step[2])
}

// Picked is the day that a param takes.
func (d Days) Picked() time.Time {
	if d.Pick.IsZero() {
		return d.Next
	}
	return d.Pick
}

// Nearest is the one of two days that is closer to today.
func (d Days) Nearest(c Clock) time.Time {
	if c.Today().Sub(d.Past) < d.Next.Sub(c.Today()) {
		return d.Past
	}
	return d.Next
}

// Named checks a day against the weekday that was said with it, and takes the one of a year
// that agrees.
func (d Days) Named(w time.Weekday) Days {
	switch {
	case d.Next.Weekday() == w:
	case d.Past.Weekday() == w:
		d.Pick = d.Past
	default:
		d.Clash = true
	}
	return d
}

// On settles a day of the month by its weekday: the one of this month, if it fits, else
// the next one that does. A param takes none that is past.
func (d Days) On(w time.Weekday) Days {
	if d.Past.Weekday() == w && d.Past.Month() == d.Next.Month() || d.Past.Weekday() == w && d.Next.Weekday() != w {
		next := d.Next
		for k := 0; k < 24 && next.Weekday() != w; k++ {
			next = next.AddDate(0, 1, 0)
		}
		return Days{Past: d.Past, Next: d.Past, Pick: next}
	}
	for k := range 24 {
		if t, ok := Monthly.Move(d.Next, k); ok && t.Weekday() == w {
			return OneDay(t)
		}
	}
	return OneDay(d.Next)
}
