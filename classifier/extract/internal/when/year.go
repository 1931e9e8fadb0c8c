package when

import (
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

var (
	// yearCues come before a year; weakYearCues before amounts, too.
	yearCues     = message.Words("in since during before after until till through throughout year around from than cy mid early late")
	weakYearCues = message.Words("of for to by and or not with")
	yearPhrases  = []string{"the year", "the year of", "year", "calendar year", "the calendar year", "cy"}
)

// yearPeriod reads 2018 where something says that it is a year, "the year 2019", "cy18".
func yearPeriod(s *Reader, i int) *find.Find {
	n, cued := 0, s.atRangeEnd
	if s.Says(i, "cy", "year", "calendar") || s.atRangeEnd && s.Low(i) == "the" {
		n = s.Phrase(i, yearPhrases)
		cued = cued || n > 0
		if d := s.Digits(i+1, 2, 2); n == 1 && s.Low(i) == "cy" && d != "" {
			return RangeFound(i, 2, calendar.ANumberedYear, s.Clock.Year(2000+message.Atoi(d)))
		}
	}
	if y, k := spelledYear(s, i+n); k > 0 && (cued || s.Is(i-1, yearCues)) {
		return RangeFound(i, n+k, calendar.ANumberedYear, s.Clock.Year(y))
	}
	if n == 0 && s.SymbolAt(i, "=") {
		n, cued = 1, true
	}
	y := s.YearDigits(i + n)
	if y == 0 || s.SymbolAt(i+n+1, ":%") || s.SymbolAt(i-1, "$€£#") || s.Low(i) == "cy" && n == 0 {
		return nil
	}
	if !cued && !yearStands(s, i, y) {
		return nil
	}
	return RangeFound(i, n+1, calendar.ANumberedYear, s.Clock.Year(y))
}

// yearStands reports whether the words around the digits at token i make a year of them.
func yearStands(s *Reader, i, y int) bool {
	if !s.Ends(i+1) && !s.Is(i+1, afterYear) {
		return false
	}
	switch {
	case s.Is(i-1, yearCues), s.SymbolAt(i-1, "=<>"):
		return true
	case s.Low(i-1) == "to" && s.Says(i-2, "back", "up"):
		return true
	case s.Low(i-1) == "by" && y >= 2000 && y < 2100 && y != 2000:
		return true
	case s.Is(i-1, weakYearCues):
		return y >= 1900 && y < 2100 && y%100 != 0 && (s.Low(i-1) != "of" || s.Is(i-2, yearHolders)) && (s.Says(i-1, "not", "of") || yearBefore(s, i-2))
	case i == 0 && len(s.Tokens) == 1:
		return s.Asked == "daterange"
	}
	return false
}

var (
	afterYear   = message.Words("but was is were are where when which that it they we he she so then with for of from before after q h")
	yearHolders = message.Words("year summer winter spring autumn fall end start beginning middle quarter half class sales results season rest all most")
)

// yearBefore reports whether token i is a year, too: "2007 and 2009".
func yearBefore(s *Reader, i int) bool { return s.YearDigits(i) > 0 }

// quarter reads "q3 2019", "2019-q1", "first quarter of 2013", "third quarter", "h1 2019".
func quarter(s *Reader, i int) *find.Find {
	n, y, said := 0, 0, false
	if y = s.YearDigits(i); y > 0 {
		n, said = 1, true
		n += message.Btoi(s.SymbolAt(i+1, "-/"))
	}
	nth, u, k := quarterName(s, i+n)
	if k == 0 {
		return nil
	}
	n += k
	if !said {
		m := n
		if s.SymbolAt(i+m, "-/,") || s.Says(i+m, "of", "in") {
			m++
		}
		if s.Low(i+m) == "the" && s.Low(i+m+1) == "year" && !relativesAt(s, i+m+1) {
			y, n, said = s.Clock.Now.Year(), m+2, true
		} else if v := s.YearDigits(i + m); v > 0 {
			y, n, said = v, m+1, true
		} else if shift, k := relativeYear(s, i+n); k > 0 {
			y, n, said = s.Clock.Now.Year()+shift, n+k, true
		}
	}
	size := time.Month(3)
	if u == calendar.AHalf {
		size = 6
	}
	in := func(y int) calendar.Interval {
		start := time.Date(y, 1+size*time.Month(nth-1), 1, 0, 0, 0, 0, s.Clock.Now.Location())
		return calendar.Interval{Start: start, End: start.AddDate(0, int(size), 0)}
	}
	if said {
		return RangeFound(i, n, u, in(y))
	}
	y = s.Clock.Now.Year()
	switch v := in(y); {
	case v.End.Before(s.Clock.Now):
		return RangeFound(i, n, u, v, in(y+1))
	case v.End.After(s.Clock.Now):
		return RangeFound(i, n, u, in(y-1), v)
	}
	return RangeFound(i, n, u, in(y))
}

func relativesAt(s *Reader, i int) bool { _, ok := relatives[s.Low(i)]; return ok }

// quarterName reads q1, h2, "first quarter", "second half".
func quarterName(s *Reader, i int) (nth int, u calendar.Unit, n int) {
	nth, u, n = quarterSign(s, i)
	if v, k := numbers.Ordinal(s.Message, i); n == 0 && k > 0 && v <= 4 {
		switch {
		case s.Low(i+k) == "quarter":
			nth, u, n = int(v), calendar.AQuarter, k+1
		case s.Low(i+k) == "half" && ofYear(s, i+k+1):
			nth, u, n = int(v), calendar.AHalf, k+1
		}
	}
	if nth < 1 || nth > 4 || u == calendar.AHalf && nth > 2 {
		return 0, calendar.NoUnit, 0
	}
	return nth, u, n
}

// quarterSign reads q1, h2 and the last quarter of a year.
func quarterSign(s *Reader, i int) (nth int, u calendar.Unit, n int) {
	u = quarterSigns[s.Low(i)]
	d := s.Digits(i+1, 1, 1)
	switch {
	case u != calendar.NoUnit && d != "" && s.Glued(i+1) && (!s.Glued(i+2) || s.SymbolAt(i+2, "-/,.;:!?)")):
		return message.Atoi(d), u, 2
	case s.Low(i) == "last" && s.Low(i+1) == "quarter" && s.Low(i+2) == "of" && s.YearDigits(i+3) > 0:
		return 4, calendar.AQuarter, 2
	}
	return 0, calendar.NoUnit, 0
}

var quarterSigns = map[string]calendar.Unit{"q": calendar.AQuarter, "h": calendar.AHalf}

// ofYear reports whether a half is that of a year, and not of a game.
func ofYear(s *Reader, i int) bool {
	switch {
	case s.YearDigits(i) > 0:
		return true
	case s.Low(i) != "of":
		return false
	case s.Low(i+1) == "the":
		return s.Low(i+2) == "year"
	}
	return s.YearDigits(i+1) > 0 || relativesAt(s, i+1)
}

var seasons = message.Words("spring summer autumn fall winter")

// season reads "this summer", "winter 2017": named, but in no calendar the same.
func season(s *Reader, i int) *find.Find {
	n := 0
	_, relative := relatives[s.Low(i)]
	if relative {
		n = 1
	}
	w := s.Low(i + n)
	if !seasons[w] {
		return nil
	}
	n++
	said := relative
	if _, k := yearAfter(s, i+n); k > 0 {
		n, said = n+k, true
	} else if _, k := relativeYear(s, i+n); k > 0 {
		n, said = n+k, true
	}
	if !said && (w == "fall" || w == "spring") && s.Low(i-1) != "in" && s.Low(i-2) != "in" {
		return nil
	}
	return RangeFound(i, n, calendar.NoUnit)
}

var fiscalHeads = message.Words("fiscal fy school sy financial academic")

var fiscalWords = []string{"fiscal year", "fy", "school year", "sy", "financial year", "academic year"}

// fiscalYear reads "fiscal year 2008", "fy19", "this school year": every house has its own.
func fiscalYear(s *Reader, i int) *find.Find {
	n := 0
	_, relative := relatives[s.Low(i)]
	if relative {
		n = 1
	}
	if !s.Is(i+n, fiscalHeads) {
		return nil
	}
	k := s.Phrase(i+n, fiscalWords)
	if k == 0 {
		return nil
	}
	n += k
	switch {
	case relative:
	case s.YearDigits(i+n) > 0, s.Digits(i+n, 2, 2) != "":
		n++
	case s.Low(i+n) == "of" && s.YearDigits(i+n+1) > 0:
		n += 2
	default:
		return nil
	}
	return RangeFound(i, n, calendar.NoUnit)
}

var decadeWords = map[string]int{
	"tens": 10, "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90,
}

// decade reads "the 1990s", "90s", "the nineties", "nineteen twenties", "18th century".
func decade(s *Reader, i int) *find.Find {
	from := func(n, y, years int, u calendar.Unit) *find.Find {
		start := s.Clock.Year(y).Start
		return RangeFound(i, n, u, calendar.Interval{Start: start, End: start.AddDate(years, 0, 0)})
	}
	n := s.Skip(i, "the")
	if y := s.YearDigits(i + n); y > 0 && y%10 == 0 {
		if k := pluralOf(s, i+n+1); k > 0 {
			return from(n+1+k, y, 10, calendar.ADecade)
		}
	}
	quoted := message.Btoi(s.SymbolAt(i+n, "'’"))
	if d := s.Digits(i+n+quoted, 2, 2); d != "" && d[1] == '0' && (n+quoted > 0 || edges[s.Low(i-1)] != calendar.Whole) {
		if k := pluralOf(s, i+n+quoted+1); k > 0 {
			return shortDecade(s, i, n+quoted+1+k, message.Atoi(d))
		}
	}
	if y, ok := decadeWords[s.Low(i+n+1)]; ok && numbers.Units[s.Low(i+n)] >= 15 {
		return from(n+2, int(numbers.Units[s.Low(i+n)])*100+y, 10, calendar.ADecade)
	}
	if y, ok := decadeWords[s.Low(i+n)]; ok && n > 0 && strings.HasSuffix(s.Low(i+n), "ies") {
		return shortDecade(s, i, n+1, y)
	}
	if v, k := numbers.Ordinal(s.Message, i+n); k > 0 && s.Low(i+n+k) == "century" && v <= 22 {
		return from(n+k+1, (int(v)-1)*100, 100, calendar.ACentury)
	}
	return nil
}

// pluralOf counts the tokens of an ending glued to figures: 1990s, 1990's.
func pluralOf(s *Reader, i int) int {
	switch {
	case !s.Glued(i) && !(s.Low(i) == "s" && s.YearDigits(i-1) > 0):
		return 0
	case s.Low(i) == "s", s.Low(i) == "'s", s.Low(i) == "’s":
		return 1
	case s.SymbolAt(i, "'’") && s.Low(i+1) == "s" && s.Glued(i+1):
		return 2
	}
	return 0
}

// shortDecade is a decade without its century: the nineties are of the last, the twenties
// of either.
func shortDecade(s *Reader, i, n, y int) *find.Find {
	last := calendar.Interval{Start: s.Clock.Year(1900 + y).Start, End: s.Clock.Year(1910 + y).Start}
	this := calendar.Interval{Start: s.Clock.Year(2000 + y).Start, End: s.Clock.Year(2010 + y).Start}
	if y >= 30 {
		return RangeFound(i, n, calendar.ADecade, last)
	}
	f := RangeFound(i, n, calendar.ADecade, last, this)
	f.Cycle = calendar.Once
	return f
}
