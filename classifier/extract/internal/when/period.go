package when

import (
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// RangeFound makes a find of one reading, or of the one before now and the next.
func RangeFound(i, n int, u calendar.Unit, readings ...calendar.Interval) *find.Find {
	f := &find.Find{Kind: "daterange", From: i, To: i + n, Confidence: 0.9, Temporal: find.Temporal{Readings: readings, Unit: u}}
	if len(readings) > 0 {
		f.Value = readings[len(readings)-1]
	}
	if len(readings) > 1 {
		f.Cycle = calendar.Yearly
	}
	return f
}

// period reads a stretch of the calendar: a week, a month, a quarter, a year, a season, a
// decade, or a part of one. Of several readings the longest counts.
func period(s *Reader, i int) *find.Find {
	if s.Low(i) == "" {
		return nil
	}
	var best *find.Find
	for _, rule := range [...]func(*Reader, int) *find.Find{wholePeriod, partOfPeriod, weekOf} {
		f := rule(s, i)
		if f == nil || best != nil && f.To <= best.To || s.Glued(i) && !s.OpenBefore(i) && !s.atRangeEnd && !s.SymbolAt(i-1, "<>") || s.Glued(f.To) && !s.CloseAfter(f.To) && !s.SymbolAt(f.To, "-–~") && !(s.SymbolAt(f.To, ".") && s.Capital(f.To+1)) {
			continue
		}
		best = f
	}
	return best
}

func wholePeriod(s *Reader, i int) *find.Find {
	var best *find.Find
	for _, rule := range [...]func(*Reader, int) *find.Find{
		unitPeriod, countedPeriod, monthPeriod, yearMonth, weekOfMonth, weekNumber,
		quarter, season, fiscalYear, decade, yearPeriod, toNow,
	} {
		best = find.Longer(best, rule(s, i))
	}
	return best
}

var (
	weekAfterNext = []string{"after next"}
	afterTheUnit  = message.Words("of for and to in on at until by before after is was from")
)

// unitPeriod reads "this week", "the following month", "next hour", "the week", "the week
// after next".
func unitPeriod(s *Reader, i int) *find.Find {
	r, relative := relatives[s.Low(i)]
	switch {
	case relative:
	case s.Low(i) != "the":
		return pointedUnit(s, i)
	case s.Says(i+1, "next", "last", "previous", "following"):
		return nil // the range starts at "next"
	}
	if s.Says(i+1, "business", "work", "working") {
		if s.Low(i+2) != "week" {
			return nil
		}
		return unitFound(s, i, 3, calendar.AWorkWeek, r)
	}
	n := 1 + s.Skip(i+1, "calendar")
	u := unitWords[strings.TrimSuffix(s.Low(i+n), "'s")]
	if u == calendar.NoUnit || u == calendar.ASecond && r == 0 {
		return nil
	}
	n++
	if u == calendar.AWeek && s.SymbolAt(i+n, "-") && s.Low(i+n+1) == "end" && s.Glued(i+n) && s.Glued(i+n+1) {
		u, n = calendar.AWeekend, n+2 // week-end
	}
	if relative {
		return unitFound(s, i, n, u, r)
	}
	return theUnit(s, i, n, u)
}

// pointedUnit reads "month after next" and the "that week" of the talk.
func pointedUnit(s *Reader, i int) *find.Find {
	if u := unitWords[s.Low(i)]; s.Low(i+2) == "next" && s.Low(i+1) == "after" && u >= calendar.AWeek && u <= calendar.AYear {
		return unitFound(s, i, 3, u, 2)
	}
	u := unitWords[s.Low(i+1)]
	if s.Low(i) != "that" || u < calendar.AWeek || u > calendar.AYear || !s.Ends(i+2) && !s.Is(i+2, afterTheUnit) {
		return nil
	}
	s.vague = true
	return unitFound(s, i, 2, u, 0)
}

// theUnit is the unit of n tokens at i behind a "the", where nothing else is meant.
func theUnit(s *Reader, i, n int, u calendar.Unit) *find.Find {
	switch {
	case s.Low(i+n) == "to" && s.Low(i+n+1) == "date", u == calendar.ACentury || u >= calendar.AnHour || s.SymbolAt(i+n, "-"):
		return nil
	case s.Phrase(i+n, weekAfterNext) > 0:
		return unitFound(s, i, n+s.Phrase(i+n, weekAfterNext), u, 2)
	case u == calendar.AQuarter || u == calendar.ADecade || u == calendar.AFortnight, !s.Ends(i+n) && !s.Is(i+n, afterTheUnit):
		return nil
	case s.Low(i+n) == "of":
		return nil // the month of may
	}
	return unitFound(s, i, n, u, 0)
}

// partOfPeriod reads "early next week", "later this year", "end of the month", "mid
// november", "eoy", "the rest of the week".
func partOfPeriod(s *Reader, i int) *find.Find {
	if u, ok := unitEnds[s.Low(i)]; ok {
		return part(s, i, 1, unitFound(s, i, 1, u, 0), calendar.Tail)
	}
	if s.Says(i, "rest", "remainder") {
		return restOf(s, i)
	}
	n := message.Btoi(s.Low(i) == "the" && s.atRangeEnd)
	e := edges[s.Low(i+n)]
	if e == calendar.Whole {
		return nil
	}
	adverb := !edgeNouns[s.Low(i+n)]
	n++
	joined := s.SymbolAt(i+n, "-")
	n += message.Btoi(joined)
	of := s.Low(i+n) == "of" || s.Low(i+n) == "in" && adverb
	n += message.Btoi(of)
	if !of && !adverb {
		return nil
	}
	if f := wholePeriod(s, i+n); f != nil {
		return part(s, i, f.To-i, f, e)
	}
	if y := s.YearDigits(i + n); y > 0 && (of || joined || s.Ends(i+n+1)) {
		return part(s, i, n+1, yearAlone(s, i+n), e)
	}
	n += s.Skip(i+n, "the")
	if f := wholePeriod(s, i+n); f != nil {
		return part(s, i, f.To-i, f, e)
	}
	if m := calendar.Months[s.Low(i+n)]; m > 0 {
		return part(s, i, n+1, s.MonthFound(i+n, 1, m), e)
	}
	if u := unitWords[s.Low(i+n)]; wholeUnits[u] && of && s.Ends(i+n+1) {
		return part(s, i, n+1, unitFound(s, i, n+1, u, 0), e)
	}
	return nil
}

var (
	// unitEnds are the ends of units by their initials.
	unitEnds = map[string]calendar.Unit{"eoy": calendar.AYear, "eom": calendar.AMonth, "eow": calendar.AWeek}
	// wholeUnits have ends without a "the".
	wholeUnits = map[calendar.Unit]bool{calendar.AYear: true, calendar.AMonth: true, calendar.AWeek: true, calendar.AQuarter: true}
)

var edgeNouns = message.Words("beginning start middle end")

// part cuts a find down to its head, middle or end.
func part(s *Reader, i, n int, f *find.Find, e calendar.Edge) *find.Find {
	if f == nil || f.Edge != calendar.Whole || f.Kind != "daterange" {
		return nil
	}
	g := *f
	g.From, g.To, g.Edge, g.Readings = i, i+n, e, nil
	for _, v := range f.Readings {
		w, ok := v.Cut(f.Unit, e)
		if !ok {
			return nil
		}
		g.Readings = append(g.Readings, w)
	}
	if len(g.Readings) > 0 {
		g.Value = g.Readings[len(g.Readings)-1]
	}
	return &g
}

// restOf reads "rest of the week". The last day is not in it, as in Microsoft's cases.
func restOf(s *Reader, i int) *find.Find {
	n := 1
	if s.Low(i+n) != "of" {
		return nil
	}
	n++
	for s.Is(i+n, restWords) {
		n++
	}
	u := unitWords[s.Low(i+n)]
	if w := s.Low(i + n); w == "today" || w == "day" && n > 2 {
		y, m, d := s.Clock.Now.Date()
		f := RangeFound(i, n+1, calendar.NoUnit, calendar.Interval{Start: s.Clock.Now, End: time.Date(y, m, d, 23, 59, 59, 0, s.Clock.Now.Location())})
		f.Kind = "datetimerange"
		return f
	}
	if u == calendar.NoUnit || u >= calendar.AnHour || n < 3 {
		return nil
	}
	v := s.Clock.Stretch(u, 0)
	return RangeFound(i, n+1, calendar.NoUnit, calendar.Interval{Start: s.Clock.Today(), End: v.End.AddDate(0, 0, -1)})
}

var restWords = message.Words("the this my our current")

// toNow reads "year to date", "ytd", "till date".
func toNow(s *Reader, i int) *find.Find {
	if !s.Is(i, toNowHeads) {
		return nil
	}
	for _, r := range toNowWords {
		if n := s.Phrase(i, r.phrase); n > 0 {
			v := calendar.Interval{End: s.Clock.Today()}
			if r.unit != calendar.NoUnit {
				v.Start = s.Clock.Stretch(r.unit, 0).Start
			}
			return RangeFound(i, n, calendar.NoUnit, v)
		}
	}
	return nil
}

var toNowHeads = message.Words("year ytd quarter qtd month mtd week wtd till until")

var toNowWords = []struct {
	phrase []string
	unit   calendar.Unit
}{
	{[]string{"year to date", "year - to - date", "ytd"}, calendar.AYear},
	{[]string{"quarter to date", "quarter - to - date", "qtd"}, calendar.AQuarter},
	{[]string{"month to date", "month - to - date", "mtd"}, calendar.AMonth},
	{[]string{"week to date", "week - to - date", "wtd"}, calendar.AWeek},
	{[]string{"till date", "until date", "till now", "until now"}, calendar.NoUnit},
}
