// Package calendar holds days, times, lengths and stretches of time, and what they mean from a
// given moment on. It reads no text.
package calendar

import (
	"time"
)

// Clock holds the moment from which relative dates count, and the order of figures in dates.
type Clock struct {
	Now         time.Time
	DayFirst    bool
	EitherFirst bool // the users write both orders
}

// Today is the first moment of the day.
func (c Clock) Today() time.Time {
	y, m, d := c.Now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, c.Now.Location())
}

// InDays is the day n days after today.
func (c Clock) InDays(n int) time.Time { return c.Today().AddDate(0, 0, n) }

// monday is the first day of this week: weeks start on Monday (ISO 8601).
func (c Clock) monday() time.Time { return c.InDays(-((int(c.Now.Weekday()) + 6) % 7)) }

// Weekday returns the day that a weekday word means. "Next" is the week after this one, a
// bare name the next such day after today.
func (c Clock) Weekday(d time.Weekday, which string) Days {
	inWeek := c.monday().AddDate(0, 0, (int(d)+6)%7)
	switch which {
	case "this", "current":
		return OneDay(inWeek)
	case "next", "following":
		return OneDay(inWeek.AddDate(0, 0, 7))
	case "last", "previous":
		return OneDay(inWeek.AddDate(0, 0, -7))
	}
	ahead := (int(d) - int(c.Now.Weekday()) + 7) % 7
	next := c.InDays(ahead)
	past := next.AddDate(0, 0, -7)
	after := next
	if ahead == 0 {
		after = next.AddDate(0, 0, 7)
	}
	switch which {
	case "past":
		return OneDay(past)
	case "coming", "upcoming":
		return OneDay(after)
	}
	return Days{Past: past, Next: next, Pick: after, Cycle: Weekly}
}

// Day builds a date; ok is false when the calendar has none such.
func (c Clock) Day(year int, month time.Month, day int) (t time.Time, ok bool) {
	t = time.Date(year, month, day, 0, 0, 0, 0, c.Now.Location())
	return t, t.Day() == day && t.Month() == month && day > 0
}

// widestGap is the longest wait in years for a 29 February.
const widestGap = 8

// Yearly returns the days of that name around today; they are unreal where no year has
// one.
func (c Clock) Yearly(month time.Month, day int) Days {
	d := Days{Unreal: true, Cycle: Yearly}
	for k := 0; k <= widestGap; k++ {
		if t, ok := c.Day(c.Now.Year()+k, month, day); ok && !t.Before(c.Now) {
			d.Next, d.Unreal = t, false
			break
		}
	}
	for k := 0; k <= widestGap; k++ {
		if t, ok := c.Day(c.Now.Year()-k, month, day); ok && t.Before(c.Now) {
			d.Past = t
			break
		}
	}
	d.orToday(c)
	return d
}

// Monthly returns the days of that number around today.
func (c Clock) Monthly(day int) Days {
	d := Days{Unreal: true, Cycle: Monthly}
	y, m, _ := c.Now.Date()
	for k := range 3 {
		if t, ok := c.Day(y, m, 1); ok {
			t = t.AddDate(0, k, day-1)
			if t.Day() == day && !t.Before(c.Now) {
				d.Next, d.Unreal = t, false
				break
			}
		}
	}
	for k := range 3 {
		if t, ok := c.Day(y, m, 1); ok {
			t = t.AddDate(0, -k, day-1)
			if t.Day() == day && t.Before(c.Now) {
				d.Past = t
				break
			}
		}
	}
	d.orToday(c)
	return d
}

// ShortYears reads a year of two or four digits. Between 30 and 39 either century may be
// meant; below that it is this one, above the last.
func ShortYears(n, length int) (past, next int) {
	switch {
	case length > 2:
		return n, n
	case n < 30:
		return 2000 + n, 2000 + n
	case n < 40:
		return 1900 + n, 2000 + n
	}
	return 1900 + n, 1900 + n
}

// Ordered is a day by two figures, of which the region says which is the month, unless the day leads. A
// year of 0 means that none is said.
func (c Clock) Ordered(a, b, past, next int, dayLeads bool) Days {
	month, day := a, b
	if c.DayFirst || dayLeads {
		month, day = b, a
	}
	if month > 12 {
		month, day = day, month
	}
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return Days{Unreal: true}
	}
	d := c.Yearly(time.Month(month), day)
	if next > 0 {
		t, ok := c.Day(past, time.Month(month), day)
		u, _ := c.Day(next, time.Month(month), day)
		d = Days{Past: t, Next: u, Unreal: !ok}
	}
	d.EitherFirst = c.EitherFirst && !dayLeads && day <= 12 && day != month
	return d
}
