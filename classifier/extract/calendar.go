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

// weekday returns the day that a weekday word means. Weeks start on Monday (ISO 8601);
// "next" is the week after this one, a bare name the next such day after today.
func (c clock) weekday(d time.Weekday, which string) time.Time {
	today := c.today()
	monday := -((int(today.Weekday()) + 6) % 7)
	inWeek := monday + (int(d)+6)%7
	switch which {
	case "this":
		return c.inDays(inWeek)
	case "next", "following":
		return c.inDays(inWeek + 7)
	case "last", "previous", "past":
		return c.inDays(inWeek - 7)
	}
	n := (int(d) - int(today.Weekday()) + 7) % 7
	if n == 0 {
		n = 7
	}
	return c.inDays(n)
}

// day builds a date; ok is false when the calendar has none such.
func (c clock) day(year int, month time.Month, day int) (t time.Time, ok bool) {
	t = time.Date(year, month, day, 0, 0, 0, 0, c.now.Location())
	return t, t.Day() == day && t.Month() == month && day > 0
}

// next returns the first such day from today on.
func (c clock) next(month time.Month, day int) (time.Time, bool) {
	for year := c.now.Year(); year <= c.now.Year()+8; year++ { // 8: the widest gap of 29 February
		if t, ok := c.day(year, month, day); ok && !t.Before(c.today()) {
			return t, true
		}
	}
	return time.Time{}, false
}

// nextDay returns the first day of that number from today on.
func (c clock) nextDay(day int) (time.Time, bool) {
	y, m, _ := c.now.Date()
	for i := range 3 {
		if t, ok := c.day(y, m+time.Month(i), day); ok && !t.Before(c.today()) {
			return t, true
		}
	}
	return time.Time{}, false
}

// year reads a year of two or four digits, as POSIX strptime does.
func year(n, length int) int {
	if length > 2 {
		return n
	}
	if n < 69 {
		return 2000 + n
	}
	return 1900 + n
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
	holidays = []struct {
		name  string
		month time.Month
		day   int
	}{
		{"new year's eve", 12, 31},
		{"new year's day", 1, 1},
		{"new years day", 1, 1},
		{"new years eve", 12, 31},
		{"valentine's day", 2, 14},
		{"valentines day", 2, 14},
		{"independence day", 7, 4},
		{"halloween", 10, 31},
		{"christmas eve", 12, 24},
		{"christmas day", 12, 25},
		{"christmas", 12, 25},
		{"xmas", 12, 25},
		{"boxing day", 12, 26},
	}
	// Words that are something else more often than a weekday or a month.
	doubtfulDays   = words("sat sun mon wed")
	doubtfulMonths = words("may march mar")
	which          = words("this next last coming following previous past upcoming")
	dayCues        = words("on by this next last until till before after from since starting due for to of every coming through and or")
	monthCues      = words("on by until till before after from since of due for in to")
)
