package extract

import (
	"strings"
	"time"
)

// holiday is a feast: a day of a month; the nth weekday of one (the last for -1); or, with
// month 0, so many days from Easter Sunday.
type holiday struct {
	names   string // separated by "|", without apostrophes
	month   time.Month
	day     int
	nth     int
	weekday time.Weekday
}

// holidays are those of the United States and feasts that are known beyond one country.
var holidays = []holiday{
	{names: "new years eve|new year eve|nye", month: 12, day: 31},
	{names: "new years day|new year day|new years|new year", month: 1, day: 1},
	{names: "groundhog day|ground hog day|groundhogs day", month: 2, day: 2},
	{names: "epiphany|three kings day", month: 1, day: 6},
	{names: "inauguration day", month: 1, day: 20},
	{names: "australia day", month: 1, day: 26},
	{names: "white day", month: 3, day: 14},
	{names: "st georges day|st george day|saint georges day", month: 4, day: 23},
	{names: "anzac day", month: 4, day: 25},
	{names: "flag day", month: 6, day: 14},
	{names: "canada day", month: 7, day: 1},
	{names: "remembrance day|singles day", month: 11, day: 11},
	{names: "valentines day|valentine day|valentines|saint valentines day|st valentines day", month: 2, day: 14},
	{names: "womens day|international womens day", month: 3, day: 8},
	{names: "saint patricks day|saint patrick day|saint patrick|saint patricks|st patricks day|st patricks|st patrick|st patrick day", month: 3, day: 17},
	{names: "april fools day|april fools|april fool day|all fools day", month: 4, day: 1},
	{names: "earth day", month: 4, day: 22},
	{names: "international workers day|workers day|may day|mayday|international labor day|international labour day", month: 5, day: 1},
	{names: "cinco de mayo", month: 5, day: 5},
	{names: "juneteenth|freedom day|jubilee day", month: 6, day: 19},
	{names: "independence day|us independence day|usa independence day", month: 7, day: 4},
	{names: "bastille day", month: 7, day: 14},
	{names: "halloween|halloween day|all hallows eve|all hallow eve|hallowmas eve", month: 10, day: 31},
	{names: "all saints day|hallowmas", month: 11, day: 1},
	{names: "all souls day", month: 11, day: 2},
	{names: "guy fawkes day|guy fawkes night|bonfire night", month: 11, day: 5},
	{names: "veterans day|veteran day", month: 11, day: 11},
	{names: "christmas eve|xmas eve", month: 12, day: 24},
	{names: "christmas day|christmas|xmas|xmas day", month: 12, day: 25},
	{names: "boxing day", month: 12, day: 26},
	{names: "martin luther king day|martin luther king jr day|mlk day", month: 1, nth: 3, weekday: time.Monday},
	{names: "presidents day|washingtons birthday", month: 2, nth: 3, weekday: time.Monday},
	{names: "mothers day|mother day", month: 5, nth: 2, weekday: time.Sunday},
	{names: "memorial day", month: 5, nth: -1, weekday: time.Monday},
	{names: "fathers day|father day", month: 6, nth: 3, weekday: time.Sunday},
	{names: "labor day|labour day", month: 9, nth: 1, weekday: time.Monday},
	{names: "columbus day|indigenous peoples day", month: 10, nth: 2, weekday: time.Monday},
	{names: "thanksgiving day|thanksgiving", month: 11, nth: 4, weekday: time.Thursday},
	{names: "black friday", month: 11, nth: 4, weekday: time.Thursday, day: 1},
	{names: "cyber monday", month: 11, nth: 4, weekday: time.Thursday, day: 4},
	{names: "mardi gras|shrove tuesday|fat tuesday", day: -47},
	{names: "ash wednesday", day: -46},
	{names: "palm sunday", day: -7},
	{names: "maundy thursday", day: -3},
	{names: "good friday", day: -2},
	{names: "easter sunday|easter day|easter"},
	{names: "easter monday", day: 1},
	{names: "ascension day", day: 39},
	{names: "whit sunday|pentecost", day: 49},
	{names: "whit monday", day: 50},
	{names: "corpus christi", day: 60},
}

// holidayNames lists the names by their first word, each cut into words.
var holidayNames = func() map[string][]holidayName {
	out := map[string][]holidayName{}
	for k := range holidays {
		for name := range strings.SplitSeq(holidays[k].names, "|") {
			w := strings.Fields(name)
			out[w[0]] = append(out[w[0]], holidayName{words: w, of: &holidays[k]})
		}
	}
	return out
}()

type holidayName struct {
	words []string
	of    *holiday
}

// in returns the day of the feast in a year.
func (h *holiday) in(c clock, year int) time.Time {
	switch {
	case h.nth != 0:
		return c.nthWeekday(year, h.month, h.weekday, h.nth).AddDate(0, 0, h.day)
	case h.month == 0:
		return c.easter(year).AddDate(0, 0, h.day)
	}
	t, _ := c.day(year, h.month, h.day)
	return t
}

// around returns the feast before today and the one from today on.
func (h *holiday) around(c clock) days {
	t := h.in(c, c.now.Year())
	if t.Before(c.now) {
		d := days{past: t, next: h.in(c, c.now.Year()+1), cycle: yearly}
		d.orToday(c)
		return d
	}
	return days{past: h.in(c, c.now.Year()-1), next: t, cycle: yearly}
}

// nthWeekday returns the nth such weekday of a month, counted from the end below zero.
func (c clock) nthWeekday(year int, month time.Month, d time.Weekday, nth int) time.Time {
	if nth < 0 {
		last, _ := c.day(year, month+1, 1)
		last = time.Date(year, month+1, 0, 0, 0, 0, 0, last.Location())
		return last.AddDate(0, 0, -((int(last.Weekday())-int(d)+7)%7)+7*(nth+1))
	}
	first, _ := c.day(year, month, 1)
	return first.AddDate(0, 0, (int(d)-int(first.Weekday())+7)%7+7*(nth-1))
}

// easter is Easter Sunday by the anonymous Gregorian computus (Meeus, Astronomical
// Algorithms, chapter 8).
func (c clock) easter(year int) time.Time {
	a, b, d := year%19, year/100, year%100
	e := (19*a + b - b/4 - (b-(b+8)/25+1)/3 + 15) % 30
	f := (32 + 2*(b%4) + 2*(d/4) - e - d%4) % 7
	g := (a + 11*e + 22*f) / 451
	n := e + f - 7*g + 114
	t, _ := c.day(year, time.Month(n/31), n%31+1)
	return t
}

// holiday reads a feast, with its year: "christmas eve", "black friday 2010", "the next
// easter", "independence day of this year".
func (s *scan) holiday(i int) (days, int) {
	n, shift, moved := 0, 0, false
	if s.is(i, which) {
		n, moved = 1, true
	}
	h, k := s.feast(i + n)
	if k == 0 || s.is(i-1, otherYears) {
		return days{}, 0
	}
	n += k
	if moved {
		d := h.around(s.clock)
		switch relatives[s.low(i)] {
		case 1:
			return oneDay(d.next), n
		case -1:
			return oneDay(d.past), n
		}
		return oneDay(h.in(s.clock, s.clock.now.Year())), n
	}
	if y, k := s.yearAfter(i + n); k > 0 {
		return oneDay(h.in(s.clock, y)), n + k
	}
	if shift, k = s.relativeYear(i + n); k > 0 {
		return oneDay(h.in(s.clock, s.clock.now.Year()+shift)), n + k
	}
	return h.around(s.clock), n
}

// otherYears have a new year of their own, on a day that no table tells.
var otherYears = words("chinese lunar jewish islamic persian tibetan vietnamese korean hindu orthodox")

// feast matches the longest name at token i. Apostrophes do not matter.
func (s *scan) feast(i int) (best *holiday, n int) {
	if s.low(i) == "" {
		return nil, 0
	}
	for _, name := range holidayNames[bare(s.low(i))] {
		k := s.spellsName(i, name.words)
		if k > n {
			best, n = name.of, k
		}
	}
	return best, n
}

func bare(w string) string {
	if strings.IndexByte(w, '\'') < 0 {
		return w
	}
	return strings.ReplaceAll(w, "'", "")
}

// spellsName counts the tokens at i that spell words, with any apostrophes among them.
func (s *scan) spellsName(i int, list []string) int {
	j := i
	for _, w := range list {
		if j > i && s.symbolAt(j, "'’.") && s.glued(j) {
			j++
		}
		if bare(s.low(j)) != w {
			return 0
		}
		j++
	}
	return j - i
}

// relativeYear reads "of this year", "next year".
func (s *scan) relativeYear(i int) (shift, n int) {
	if s.low(i) == "of" || s.low(i) == "in" {
		n = 1
	}
	if s.low(i+n) == "the" {
		n++
	}
	if r, ok := relatives[s.low(i+n)]; ok && s.low(i+n+1) == "year" {
		return r, n + 2
	}
	return 0, 0
}

// relatives are the words that count from this day, week or year.
var relatives = map[string]int{
	"this": 0, "current": 0, "same": 0, "next": 1, "following": 1, "coming": 1, "upcoming": 1,
	"last": -1, "previous": -1, "past": -1, "prior": -1,
}
