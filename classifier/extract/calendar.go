package extract

import "time"

// clock is the moment that relative dates start from, and how dates are written.
type clock struct {
	now      time.Time
	dayFirst bool
}

func (c clock) today() time.Time {
	y, m, d := c.now.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, c.now.Location())
}

func (c clock) inDays(n int) time.Time { return c.today().AddDate(0, 0, n) }

// monday is the first day of this week: weeks start on Monday (ISO 8601).
func (c clock) monday() time.Time { return c.inDays(-((int(c.now.Weekday()) + 6) % 7)) }

// weekday returns the day that a weekday word means. "Next" is the week after this one, a
// bare name the next such day after today.
func (c clock) weekday(d time.Weekday, which string) days {
	inWeek := c.monday().AddDate(0, 0, (int(d)+6)%7)
	switch which {
	case "this", "current":
		return oneDay(inWeek)
	case "next", "following":
		return oneDay(inWeek.AddDate(0, 0, 7))
	case "last", "previous":
		return oneDay(inWeek.AddDate(0, 0, -7))
	}
	ahead := (int(d) - int(c.now.Weekday()) + 7) % 7
	next := c.inDays(ahead)
	past := next.AddDate(0, 0, -7)
	after := next
	if ahead == 0 {
		after = next.AddDate(0, 0, 7)
	}
	switch which {
	case "past":
		return oneDay(past)
	case "coming", "upcoming":
		return oneDay(after)
	}
	return days{past: past, next: next, pick: after, cycle: weekly}
}

// day builds a date; ok is false when the calendar has none such.
func (c clock) day(year int, month time.Month, day int) (t time.Time, ok bool) {
	t = time.Date(year, month, day, 0, 0, 0, 0, c.now.Location())
	return t, t.Day() == day && t.Month() == month && day > 0
}

// widestGap is the longest wait in years for a 29 February.
const widestGap = 8

// yearly returns the days of that name around today; they are unreal where no year has
// one.
func (c clock) yearly(month time.Month, day int) days {
	d := days{unreal: true, cycle: yearly}
	for k := 0; k <= widestGap; k++ {
		if t, ok := c.day(c.now.Year()+k, month, day); ok && !t.Before(c.now) {
			d.next, d.unreal = t, false
			break
		}
	}
	for k := 0; k <= widestGap; k++ {
		if t, ok := c.day(c.now.Year()-k, month, day); ok && t.Before(c.now) {
			d.past = t
			break
		}
	}
	d.orToday(c)
	return d
}

// orToday takes today where it is such a day, though its first moment is past.
func (d *days) orToday(c clock) {
	if t := c.today(); d.past.Equal(t) {
		d.pick = t
	}
}

// monthly returns the days of that number around today.
func (c clock) monthly(day int) days {
	d := days{unreal: true, cycle: monthly}
	y, m, _ := c.now.Date()
	for k := range 3 {
		if t, ok := c.day(y, m, 1); ok {
			t = t.AddDate(0, k, day-1)
			if t.Day() == day && !t.Before(c.now) {
				d.next, d.unreal = t, false
				break
			}
		}
	}
	for k := range 3 {
		if t, ok := c.day(y, m, 1); ok {
			t = t.AddDate(0, -k, day-1)
			if t.Day() == day && t.Before(c.now) {
				d.past = t
				break
			}
		}
	}
	d.orToday(c)
	return d
}

// shortYears reads a year of two or four digits. Between 30 and 39 either century may be
// meant; below that it is this one, above the last.
func shortYears(n, length int) (past, next int) {
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

var (
	months = map[string]time.Month{
		"january": 1, "jan": 1, "february": 2, "feb": 2, "march": 3, "mar": 3, "april": 4, "apr": 4, "may": 5,
		"june": 6, "jun": 6, "july": 7, "jul": 7, "august": 8, "aug": 8, "september": 9, "sept": 9, "sep": 9,
		"october": 10, "oct": 10, "november": 11, "nov": 11, "december": 12, "dec": 12,
	}
	weekdays = map[string]time.Weekday{
		"monday": 1, "mon": 1, "tuesday": 2, "tue": 2, "tues": 2, "wednesday": 3, "wed": 3, "weds": 3, "thursday": 4,
		"thu": 4, "thur": 4, "thurs": 4, "friday": 5, "fri": 5, "saturday": 6, "sat": 6, "sunday": 0, "sun": 0,
	}
	weekdayNames = words("monday tuesday wednesday thursday friday saturday sunday")
	// Words that are something else more often than a weekday or a month.
	doubtfulDays   = words("sat sun mon wed")
	doubtfulMonths = words("may march mar")
	which          = words("this next last coming following previous past upcoming current")
	dayCues        = words("on by this next last until till before after from since starting due for to of every coming through and or")
	monthCues      = words("on by until till before after from since of due for in to")
)
