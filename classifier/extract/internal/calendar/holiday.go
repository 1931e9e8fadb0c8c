package calendar

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Holiday is a feast: a day of a month; the nth weekday of one (the last for -1); or, with
// month 0, so many days from Easter Sunday.
type Holiday struct {
	month   time.Month
	day     int
	nth     int
	weekday time.Weekday
}

// ParseHoliday reads a feast as the tables write it: "12-25", "11/4/4" for the fourth Thursday of
// November, "11/4/4/1" for the day behind it, "easter/-2".
func ParseHoliday(text string) (h Holiday, err error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '/' })
	if len(parts) == 1 {
		t, err := time.Parse("01-02", text)
		return Holiday{month: t.Month(), day: t.Day()}, err
	}
	var figures [4]int
	for k, part := range parts {
		if figures[k%4], err = strconv.Atoi(part); err != nil && part != "easter" || len(parts) > 4 {
			return h, fmt.Errorf("%q is no feast: write MM-DD, MONTH/NTH/WEEKDAY or easter/DAYS", text)
		}
	}
	if parts[0] == "easter" {
		return Holiday{day: figures[1]}, nil
	}
	return Holiday{month: time.Month(figures[0]), nth: figures[1], weekday: time.Weekday(figures[2]), day: figures[3]}, nil
}

// Moves reports whether a feast is on another day each year.
func (h *Holiday) Moves() bool { return h.nth != 0 || h.month == 0 }

// In returns the day of the feast in a year.
func (h *Holiday) In(c Clock, year int) time.Time {
	switch {
	case h.nth != 0:
		return c.NthWeekday(year, h.month, h.weekday, h.nth).AddDate(0, 0, h.day)
	case h.month == 0:
		return c.easter(year).AddDate(0, 0, h.day)
	}
	t, _ := c.Day(year, h.month, h.day)
	return t
}

// Around returns the feast before today and the one from today on.
func (h *Holiday) Around(c Clock) Days {
	t := h.In(c, c.Now.Year())
	if t.Before(c.Now) {
		d := Days{Past: t, Next: h.In(c, c.Now.Year()+1), Cycle: Yearly}
		d.orToday(c)
		return d
	}
	return Days{Past: h.In(c, c.Now.Year()-1), Next: t, Cycle: Yearly}
}

// NthWeekday returns the nth such weekday of a month, counted from the end below zero.
func (c Clock) NthWeekday(year int, month time.Month, d time.Weekday, nth int) time.Time {
	if nth < 0 {
		last, _ := c.Day(year, month+1, 1)
		last = time.Date(year, month+1, 0, 0, 0, 0, 0, last.Location())
		return last.AddDate(0, 0, -((int(last.Weekday())-int(d)+7)%7)+7*(nth+1))
	}
	first, _ := c.Day(year, month, 1)
	return first.AddDate(0, 0, (int(d)-int(first.Weekday())+7)%7+7*(nth-1))
}

// easter is Easter Sunday by the anonymous Gregorian computus (Meeus, Astronomical
// Algorithms, chapter 8).
func (c Clock) easter(year int) time.Time {
	a, b, d := year%19, year/100, year%100
	e := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	f := (32 + 2*(b%4) + 2*(d/4) - e - d%4) % 7
	g := (a + 11*e + 22*f) / 451
	n := e + f - 7*g + 114
	t, _ := c.Day(year, time.Month(n/31), n%31+1)
	return t
}
