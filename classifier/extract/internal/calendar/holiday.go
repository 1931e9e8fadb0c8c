package calendar

import (
	"time"
)

// Holiday is a feast: a day of a month; the nth weekday of one (the last for -1); or, with
// month 0, so many days from Easter Sunday.
type Holiday struct {
	Names   string // separated by "|", without apostrophes
	Month   time.Month
	day     int
	Nth     int
	weekday time.Weekday
}

// Holidays lists those of the United States and feasts that are known beyond one country.
var Holidays = []Holiday{
	{Names: "new years eve|new year eve|nye", Month: 12, day: 31},
	{Names: "new years day|new year day|new years|new year", Month: 1, day: 1},
	{Names: "groundhog day|ground hog day|groundhogs day", Month: 2, day: 2},
	{Names: "epiphany|three kings day", Month: 1, day: 6},
	{Names: "inauguration day", Month: 1, day: 20},
	{Names: "australia day", Month: 1, day: 26},
	{Names: "white day", Month: 3, day: 14},
	{Names: "st georges day|st george day|saint georges day", Month: 4, day: 23},
	{Names: "anzac day", Month: 4, day: 25},
	{Names: "flag day", Month: 6, day: 14},
	{Names: "canada day", Month: 7, day: 1},
	{Names: "remembrance day|singles day", Month: 11, day: 11},
	{Names: "valentines day|valentine day|valentines|saint valentines day|st valentines day", Month: 2, day: 14},
	{Names: "womens day|international womens day", Month: 3, day: 8},
	{Names: "saint patricks day|saint patrick day|saint patrick|saint patricks|st patricks day|st patricks|st patrick|st patrick day", Month: 3, day: 17},
	{Names: "april fools day|april fools|april fool day|all fools day", Month: 4, day: 1},
	{Names: "earth day", Month: 4, day: 22},
	{Names: "international workers day|workers day|may day|mayday|international labor day|international labour day", Month: 5, day: 1},
	{Names: "cinco de mayo", Month: 5, day: 5},
	{Names: "juneteenth|freedom day|jubilee day", Month: 6, day: 19},
	{Names: "independence day|us independence day|usa independence day", Month: 7, day: 4},
	{Names: "bastille day", Month: 7, day: 14},
	{Names: "halloween|halloween day|all hallows eve|all hallow eve|hallowmas eve", Month: 10, day: 31},
	{Names: "all saints day|hallowmas", Month: 11, day: 1},
	{Names: "all souls day", Month: 11, day: 2},
	{Names: "guy fawkes day|guy fawkes night|bonfire night", Month: 11, day: 5},
	{Names: "veterans day|veteran day", Month: 11, day: 11},
	{Names: "christmas eve|xmas eve", Month: 12, day: 24},
	{Names: "christmas day|christmas|xmas|xmas day", Month: 12, day: 25},
	{Names: "boxing day", Month: 12, day: 26},
	{Names: "martin luther king day|martin luther king jr day|mlk day", Month: 1, Nth: 3, weekday: time.Monday},
	{Names: "presidents day|washingtons birthday", Month: 2, Nth: 3, weekday: time.Monday},
	{Names: "mothers day|mother day", Month: 5, Nth: 2, weekday: time.Sunday},
	{Names: "memorial day", Month: 5, Nth: -1, weekday: time.Monday},
	{Names: "fathers day|father day", Month: 6, Nth: 3, weekday: time.Sunday},
	{Names: "labor day|labour day", Month: 9, Nth: 1, weekday: time.Monday},
	{Names: "columbus day|indigenous peoples day", Month: 10, Nth: 2, weekday: time.Monday},
	{Names: "thanksgiving day|thanksgiving", Month: 11, Nth: 4, weekday: time.Thursday},
	{Names: "black friday", Month: 11, Nth: 4, weekday: time.Thursday, day: 1},
	{Names: "cyber monday", Month: 11, Nth: 4, weekday: time.Thursday, day: 4},
	{Names: "mardi gras|shrove tuesday|fat tuesday", day: -47},
	{Names: "ash wednesday", day: -46},
	{Names: "palm sunday", day: -7},
	{Names: "maundy thursday", day: -3},
	{Names: "good friday", day: -2},
	{Names: "easter sunday|easter day|easter"},
	{Names: "easter monday", day: 1},
	{Names: "ascension day", day: 39},
	{Names: "whit sunday|pentecost", day: 49},
	{Names: "whit monday", day: 50},
	{Names: "corpus christi", day: 60},
}

// In returns the day of the feast in a year.
func (h *Holiday) In(c Clock, year int) time.Time {
	switch {
	case h.Nth != 0:
		return c.NthWeekday(year, h.Month, h.weekday, h.Nth).AddDate(0, 0, h.day)
	case h.Month == 0:
		return c.easter(year).AddDate(0, 0, h.day)
	}
	t, _ := c.Day(year, h.Month, h.day)
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
