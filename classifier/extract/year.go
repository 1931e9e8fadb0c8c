package extract

import (
	"strings"
	"time"
)

var (
	// yearCues come before a year; weakYearCues before amounts, too.
	yearCues     = words("in since during before after until till through throughout year around from than cy mid early late")
	weakYearCues = words("of for to by and or not with")
	yearPhrases  = []string{"the year", "the year of", "year", "calendar year", "the calendar year", "cy"}
)

// yearPeriod reads 2018 where something says that it is a year, "the year 2019", "cy18".
func (s *scan) yearPeriod(i int) *found {
	n, cued := 0, s.atRangeEnd
	if s.low(i) == "cy" || s.low(i) == "year" || s.low(i) == "calendar" || s.atRangeEnd && s.low(i) == "the" {
		n = s.phrase(i, yearPhrases)
		cued = cued || n > 0
		if d := s.digits(i+1, 2, 2); n == 1 && s.low(i) == "cy" && d != "" {
			return rangeFound(i, 2, aNumberedYear, s.clock.year(2000+atoi(d)))
		}
	}
	if y, k := s.spelledYear(i + n); k > 0 && (cued || s.is(i-1, yearCues)) {
		return rangeFound(i, n+k, aNumberedYear, s.clock.year(y))
	}
	if n == 0 && s.symbolAt(i, "=") {
		n, cued = 1, true
	}
	y := s.yearDigits(i + n)
	if y == 0 || s.symbolAt(i+n+1, ":%") || s.symbolAt(i-1, "$€£#") || s.low(i) == "cy" && n == 0 {
		return nil
	}
	if !cued && !s.yearStands(i, y) {
		return nil
	}
	return rangeFound(i, n+1, aNumberedYear, s.clock.year(y))
}

// yearStands reports whether the words around the digits at token i make a year of them.
func (s *scan) yearStands(i, y int) bool {
	if !s.ends(i+1) && !s.is(i+1, afterYear) {
		return false
	}
	switch {
	case s.is(i-1, yearCues), s.symbolAt(i-1, "=<>"):
		return true
	case s.low(i-1) == "to" && (s.low(i-2) == "back" || s.low(i-2) == "up"):
		return true
	case s.low(i-1) == "by" && y >= 2000 && y < 2100 && y != 2000:
		return true
	case s.is(i-1, weakYearCues):
		return y >= 1900 && y < 2100 && y%100 != 0 && (s.low(i-1) != "of" || s.is(i-2, yearHolders)) && (s.low(i-1) == "not" || s.low(i-1) == "of" || s.yearBefore(i-2))
	case i == 0 && len(s.tokens) == 1:
		return s.asked == "daterange"
	}
	return false
}

var (
	afterYear   = words("but was is were are where when which that it they we he she so then with for of from before after q h")
	yearHolders = words("year summer winter spring autumn fall end start beginning middle quarter half class sales results season rest all most")
)

// yearBefore reports whether token i is a year, too: "2007 and 2009".
func (s *scan) yearBefore(i int) bool { return s.yearDigits(i) > 0 }

// quarter reads "q3 2019", "2019-q1", "first quarter of 2013", "third quarter", "h1 2019".
func (s *scan) quarter(i int) *found {
	n, y, said := 0, 0, false
	if y = s.yearDigits(i); y > 0 {
		n, said = 1, true
		if s.symbolAt(i+1, "-/") {
			n++
		}
	}
	nth, u, k := s.quarterName(i + n)
	if k == 0 {
		return nil
	}
	n += k
	if !said {
		m := n
		if s.symbolAt(i+m, "-/,") || s.low(i+m) == "of" || s.low(i+m) == "in" {
			m++
		}
		if s.low(i+m) == "the" && s.low(i+m+1) == "year" && !relativesAt(s, i+m+1) {
			y, n, said = s.clock.now.Year(), m+2, true
		} else if v := s.yearDigits(i + m); v > 0 {
			y, n, said = v, m+1, true
		} else if shift, k := s.relativeYear(i + n); k > 0 {
			y, n, said = s.clock.now.Year()+shift, n+k, true
		}
	}
	size := time.Month(3)
	if u == aHalf {
		size = 6
	}
	in := func(y int) interval {
		start := time.Date(y, 1+size*time.Month(nth-1), 1, 0, 0, 0, 0, s.clock.now.Location())
		return interval{start, start.AddDate(0, int(size), 0)}
	}
	if said {
		return rangeFound(i, n, u, in(y))
	}
	y = s.clock.now.Year()
	switch v := in(y); {
	case v.end.Before(s.clock.now):
		return rangeFound(i, n, u, v, in(y+1))
	case v.end.After(s.clock.now):
		return rangeFound(i, n, u, in(y-1), v)
	}
	return rangeFound(i, n, u, in(y))
}

func relativesAt(s *scan, i int) bool { _, ok := relatives[s.low(i)]; return ok }

// quarterName reads q1, h2, "first quarter", "second half".
func (s *scan) quarterName(i int) (nth int, u unit, n int) {
	w := s.low(i)
	if d := s.digits(i+1, 1, 1); (w == "q" || w == "h") && d != "" && s.glued(i+1) && (!s.glued(i+2) || s.symbolAt(i+2, "-/,.;:!?)")) {
		nth, u, n = atoi(d), aQuarter, 2
		if w == "h" {
			u = aHalf
		}
	} else if w == "last" && s.low(i+1) == "quarter" && s.low(i+2) == "of" && s.yearDigits(i+3) > 0 {
		nth, u, n = 4, aQuarter, 2
	} else if v, k := s.ordinal(i); k > 0 && v <= 4 {
		switch s.low(i + k) {
		case "quarter":
			nth, u, n = int(v), aQuarter, k+1
		case "half":
			nth, u, n = int(v), aHalf, k+1
			if s.yearDigits(i+n) > 0 {
				break
			}
			if y := s.low(i + n); y != "of" || s.yearDigits(i+n+1) == 0 && s.low(i+n+1) != "the" && !relativesAt(s, i+n+1) {
				return 0, noUnit, 0 // the first half of the game
			}
			if s.low(i+n+1) == "the" && s.low(i+n+2) != "year" {
				return 0, noUnit, 0
			}
		}
	}
	if nth < 1 || nth > 4 || u == aHalf && nth > 2 {
		return 0, noUnit, 0
	}
	return nth, u, n
}

var seasons = words("spring summer autumn fall winter")

// season reads "this summer", "winter 2017": named, but in no calendar the same.
func (s *scan) season(i int) *found {
	n := 0
	_, relative := relatives[s.low(i)]
	if relative {
		n = 1
	}
	w := s.low(i + n)
	if !seasons[w] {
		return nil
	}
	n++
	said := relative
	if _, k := s.yearAfter(i + n); k > 0 {
		n, said = n+k, true
	} else if _, k := s.relativeYear(i + n); k > 0 {
		n, said = n+k, true
	}
	if !said && (w == "fall" || w == "spring") && s.low(i-1) != "in" && s.low(i-2) != "in" {
		return nil
	}
	return rangeFound(i, n, noUnit)
}

var fiscalHeads = words("fiscal fy school sy financial academic")

var fiscalWords = []string{"fiscal year", "fy", "school year", "sy", "financial year", "academic year"}

// fiscalYear reads "fiscal year 2008", "fy19", "this school year": every house has its own.
func (s *scan) fiscalYear(i int) *found {
	n := 0
	_, relative := relatives[s.low(i)]
	if relative {
		n = 1
	}
	if !s.is(i+n, fiscalHeads) {
		return nil
	}
	k := s.phrase(i+n, fiscalWords)
	if k == 0 {
		return nil
	}
	n += k
	switch {
	case relative:
	case s.yearDigits(i+n) > 0, s.digits(i+n, 2, 2) != "":
		n++
	case s.low(i+n) == "of" && s.yearDigits(i+n+1) > 0:
		n += 2
	default:
		return nil
	}
	return rangeFound(i, n, noUnit)
}

var decadeWords = map[string]int{
	"tens": 10, "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90,
}

// decade reads "the 1990s", "90s", "the nineties", "nineteen twenties", "18th century".
func (s *scan) decade(i int) *found {
	from := func(n, y, years int, u unit) *found {
		start := s.clock.year(y).start
		return rangeFound(i, n, u, interval{start, start.AddDate(years, 0, 0)})
	}
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	if y := s.yearDigits(i + n); y > 0 && y%10 == 0 {
		if k := s.pluralOf(i + n + 1); k > 0 {
			return from(n+1+k, y, 10, aDecade)
		}
	}
	quoted := 0
	if s.symbolAt(i+n, "'’") {
		quoted = 1
	}
	if d := s.digits(i+n+quoted, 2, 2); d != "" && d[1] == '0' && (n+quoted > 0 || edges[s.low(i-1)] != whole) {
		if k := s.pluralOf(i + n + quoted + 1); k > 0 {
			return s.shortDecade(i, n+quoted+1+k, atoi(d))
		}
	}
	if y, ok := decadeWords[s.low(i+n+1)]; ok && units[s.low(i+n)] >= 15 {
		return from(n+2, int(units[s.low(i+n)])*100+y, 10, aDecade)
	}
	if y, ok := decadeWords[s.low(i+n)]; ok && n > 0 && strings.HasSuffix(s.low(i+n), "ies") {
		return s.shortDecade(i, n+1, y)
	}
	if v, k := s.ordinal(i + n); k > 0 && s.low(i+n+k) == "century" && v <= 22 {
		return from(n+k+1, (int(v)-1)*100, 100, aCentury)
	}
	return nil
}

// pluralOf counts the tokens of an ending glued to figures: 1990s, 1990's.
func (s *scan) pluralOf(i int) int {
	switch {
	case !s.glued(i) && !(s.low(i) == "s" && s.yearDigits(i-1) > 0):
		return 0
	case s.low(i) == "s", s.low(i) == "'s", s.low(i) == "’s":
		return 1
	case s.symbolAt(i, "'’") && s.low(i+1) == "s" && s.glued(i+1):
		return 2
	}
	return 0
}

// shortDecade is a decade without its century: the nineties are of the last, the twenties
// of either.
func (s *scan) shortDecade(i, n, y int) *found {
	last := interval{s.clock.year(1900 + y).start, s.clock.year(1910 + y).start}
	this := interval{s.clock.year(2000 + y).start, s.clock.year(2010 + y).start}
	if y >= 30 {
		return rangeFound(i, n, aDecade, last)
	}
	f := rangeFound(i, n, aDecade, last, this)
	f.cycle = once
	return f
}
