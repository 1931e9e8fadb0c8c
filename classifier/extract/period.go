package extract

import (
	"strings"
	"time"
)

// unit is what a stretch of the calendar is one of.
type unit uint8

const (
	noUnit unit = iota
	aDay
	aWeek
	aWeekend
	aWorkWeek
	aFortnight
	aMonth
	aQuarter
	aHalf
	aYear
	aNumberedYear // "2018", as against "this year"
	aDecade
	aCentury
	anHour
	aMinute
	aSecond
)

var unitWords = map[string]unit{
	"week": aWeek, "weekend": aWeekend, "workweek": aWorkWeek, "fortnight": aFortnight, "month": aMonth, "quarter": aQuarter,
	"year": aYear, "decade": aDecade, "century": aCentury, "hour": anHour, "minute": aMinute, "second": aSecond, "min": aMinute, "hr": anHour,
	"wk": aWeek, "yr": aYear,
}

// stretch returns the unit that holds today, or the one so many before or after it.
func (c clock) stretch(u unit, shift int) interval {
	y, m, _ := c.now.Date()
	first := func(y int, m time.Month) time.Time { return time.Date(y, m, 1, 0, 0, 0, 0, c.now.Location()) }
	switch u {
	case aWeek:
		w := c.monday().AddDate(0, 0, 7*shift)
		return interval{w, w.AddDate(0, 0, 7)}
	case aWeekend:
		w := c.monday().AddDate(0, 0, 7*shift)
		return interval{w.AddDate(0, 0, 5), w.AddDate(0, 0, 7)}
	case aWorkWeek:
		w := c.monday().AddDate(0, 0, 7*shift)
		return interval{w, w.AddDate(0, 0, 5)}
	case aFortnight:
		w := c.monday().AddDate(0, 0, 14*shift)
		return interval{w, w.AddDate(0, 0, 14)}
	case aMonth:
		return interval{first(y, m+time.Month(shift)), first(y, m+time.Month(shift)+1)}
	case aQuarter:
		q := (m-1)/3*3 + 1 + time.Month(3*shift)
		return interval{first(y, q), first(y, q+3)}
	case aHalf:
		q := (m-1)/6*6 + 1 + time.Month(6*shift)
		return interval{first(y, q), first(y, q+6)}
	case aDecade:
		y = y/10*10 + 10*shift
		return interval{first(y, 1), first(y+10, 1)}
	case aCentury:
		y = y/100*100 + 100*shift
		return interval{first(y, 1), first(y+100, 1)}
	}
	return interval{first(y+shift, 1), first(y+shift+1, 1)}
}

// year is a whole year.
func (c clock) year(y int) interval {
	return interval{time.Date(y, 1, 1, 0, 0, 0, 0, c.now.Location()), time.Date(y+1, 1, 1, 0, 0, 0, 0, c.now.Location())}
}

// cut returns a part of a stretch, in the bounds that Microsoft's recogniser gives it.
func (v interval) cut(u unit, e edge) (interval, bool) {
	type bounds struct{ headEnd, middleStart, middleEnd, tailStart time.Time }
	var b bounds
	s := v.start
	switch u {
	case aWeek, aWorkWeek:
		b = bounds{s.AddDate(0, 0, 3), s.AddDate(0, 0, 1), s.AddDate(0, 0, 5), s.AddDate(0, 0, 3)}
	case aMonth:
		b = bounds{s.AddDate(0, 0, 15), s.AddDate(0, 0, 9), s.AddDate(0, 0, 20), s.AddDate(0, 0, 15)}
	case aYear:
		b = bounds{s.AddDate(0, 6, 0), s.AddDate(0, 3, 0), s.AddDate(0, 9, 0), s.AddDate(0, 6, 0)}
	case aNumberedYear:
		b = bounds{s.AddDate(0, 4, 0), s.AddDate(0, 4, 0), s.AddDate(0, 8, 0), s.AddDate(0, 8, 0)}
	case aDecade:
		b = bounds{s.AddDate(4, 0, 0), s.AddDate(4, 0, 0), s.AddDate(7, 0, 0), s.AddDate(7, 0, 0)}
	case aQuarter:
		b = bounds{s.AddDate(0, 1, 0), s.AddDate(0, 1, 0), s.AddDate(0, 2, 0), s.AddDate(0, 2, 0)}
	default:
		return v, false
	}
	switch e {
	case head:
		return interval{s, b.headEnd}, true
	case middle:
		return interval{b.middleStart, b.middleEnd}, true
	case tail:
		return interval{b.tailStart, v.end}, true
	}
	return v, true
}

// rangeFound makes a find of one reading, or of the one before now and the next.
func rangeFound(i, n int, u unit, readings ...interval) *found {
	f := &found{kind: "daterange", from: i, to: i + n, confidence: 0.9, temporal: temporal{readings: readings, unit: u}}
	if len(readings) > 0 {
		f.value = readings[len(readings)-1]
	}
	if len(readings) > 1 {
		f.cycle = yearly
	}
	return f
}

// period reads a stretch of the calendar: a week, a month, a quarter, a year, a season, a
// decade, or a part of one. Of several readings the longest counts.
func (s *scan) period(i int) *found {
	if s.low(i) == "" {
		return nil
	}
	var best *found
	for _, rule := range [...]func(*scan, int) *found{(*scan).wholePeriod, (*scan).partOfPeriod, (*scan).weekOf} {
		f := rule(s, i)
		if f == nil || best != nil && f.to <= best.to || s.glued(i) && !s.openBefore(i) && !s.atRangeEnd && !s.symbolAt(i-1, "<>") || s.glued(f.to) && !s.closeAfter(f.to) && !s.symbolAt(f.to, "-–~") && !(s.symbolAt(f.to, ".") && s.capital(f.to+1)) {
			continue
		}
		best = f
	}
	return best
}

func (s *scan) wholePeriod(i int) *found {
	var best *found
	for _, rule := range [...]func(*scan, int) *found{
		(*scan).unitPeriod, (*scan).countedPeriod, (*scan).monthPeriod, (*scan).yearMonth, (*scan).weekOfMonth, (*scan).weekNumber,
		(*scan).quarter, (*scan).season, (*scan).fiscalYear, (*scan).decade, (*scan).yearPeriod, (*scan).toNow,
	} {
		if f := rule(s, i); f != nil && (best == nil || f.to > best.to) {
			best = f
		}
	}
	return best
}

var (
	weekAfterNext = []string{"after next"}
	afterTheUnit  = words("of for and to in on at until by before after is was from")
)

// unitPeriod reads "this week", "the following month", "next hour", "the week", "the week
// after next".
func (s *scan) unitPeriod(i int) *found {
	r, relative := relatives[s.low(i)]
	n := 1
	if !relative && s.low(i+2) == "next" && s.low(i+1) == "after" { // month after next
		if u := unitWords[s.low(i)]; u >= aWeek && u <= aYear {
			return s.unitFound(i, 3, u, 2)
		}
	}
	if !relative && s.low(i) == "that" {
		if u := unitWords[s.low(i+1)]; u >= aWeek && u <= aYear && (s.ends(i+2) || s.is(i+2, afterTheUnit)) {
			s.vague = true // of the talk
			return s.unitFound(i, 2, u, 0)
		}
	}
	if !relative {
		if s.low(i) != "the" {
			return nil
		}
		if w := s.low(i + 1); relatives[w] != 0 && (w == "next" || w == "last" || w == "previous" || w == "following") {
			return nil // the range starts at "next"
		}
		r = 0
	}
	if w := s.low(i + n); w == "business" || w == "work" || w == "working" {
		if s.low(i+n+1) != "week" {
			return nil
		}
		return s.unitFound(i, n+2, aWorkWeek, r)
	}
	if w := s.low(i + 1); w == "calendar" {
		n++
	}
	u := unitWords[strings.TrimSuffix(s.low(i+n), "'s")]
	if u == noUnit || u == aSecond && r == 0 {
		return nil
	}
	n++
	if u == aWeek && s.symbolAt(i+n, "-") && s.low(i+n+1) == "end" && s.glued(i+n) && s.glued(i+n+1) {
		u, n = aWeekend, n+2 // week-end
	}
	if !relative && s.low(i+n) == "to" && s.low(i+n+1) == "date" {
		return nil
	}
	if !relative {
		if u == aCentury || u >= anHour || s.symbolAt(i+n, "-") {
			return nil
		}
		if k := s.phrase(i+n, weekAfterNext); k > 0 {
			return s.unitFound(i, n+k, u, 2)
		}
		if u == aQuarter || u == aDecade || u == aFortnight || !s.ends(i+n) && !s.is(i+n, afterTheUnit) {
			return nil
		}
		if s.low(i+n) == "of" {
			return nil // the month of may
		}
	}
	return s.unitFound(i, n, u, r)
}

// partOfPeriod reads "early next week", "later this year", "end of the month", "mid
// november", "eoy", "the rest of the week".
func (s *scan) partOfPeriod(i int) *found {
	switch s.low(i) {
	case "eoy":
		return s.part(i, 1, s.unitFound(i, 1, aYear, 0), tail)
	case "eom":
		return s.part(i, 1, s.unitFound(i, 1, aMonth, 0), tail)
	case "eow":
		return s.part(i, 1, s.unitFound(i, 1, aWeek, 0), tail)
	case "rest", "remainder":
		return s.restOf(i)
	}
	n := 0
	if s.low(i) == "the" && s.atRangeEnd {
		n = 1
	}
	e := edges[s.low(i+n)]
	if e == whole {
		return nil
	}
	adverb := !edgeNouns[s.low(i+n)]
	n++
	joined := s.symbolAt(i+n, "-")
	if joined {
		n++
	}
	of := s.low(i+n) == "of" || s.low(i+n) == "in" && adverb
	if of {
		n++
	}
	if !of && !adverb {
		return nil
	}
	if f := s.wholePeriod(i + n); f != nil {
		return s.part(i, f.to-i, f, e)
	}
	if y := s.yearDigits(i + n); y > 0 && (of || joined || s.ends(i+n+1)) {
		return s.part(i, n+1, s.yearAlone(i+n), e)
	}
	if s.low(i+n) == "the" {
		n++
	}
	if f := s.wholePeriod(i + n); f != nil {
		return s.part(i, f.to-i, f, e)
	}
	if m := months[s.low(i+n)]; m > 0 {
		f := s.monthFound(i+n, 1, m)
		return s.part(i, n+1, f, e)
	}
	if u := unitWords[s.low(i+n)]; (u == aYear || u == aMonth || u == aWeek || u == aQuarter) && of && s.ends(i+n+1) {
		return s.part(i, n+1, s.unitFound(i, n+1, u, 0), e)
	}
	return nil
}

var edgeNouns = words("beginning start middle end")

// part cuts a find down to its head, middle or end.
func (s *scan) part(i, n int, f *found, e edge) *found {
	if f == nil || f.edge != whole || f.kind != "daterange" {
		return nil
	}
	g := *f
	g.from, g.to, g.edge, g.readings = i, i+n, e, nil
	for _, v := range f.readings {
		w, ok := v.cut(f.unit, e)
		if !ok {
			return nil
		}
		g.readings = append(g.readings, w)
	}
	if len(g.readings) > 0 {
		g.value = g.readings[len(g.readings)-1]
	}
	return &g
}

// restOf reads "rest of the week". The last day is not in it, as in Microsoft's cases.
func (s *scan) restOf(i int) *found {
	n := 1
	if s.low(i+n) != "of" {
		return nil
	}
	n++
	for s.is(i+n, restWords) {
		n++
	}
	u := unitWords[s.low(i+n)]
	if w := s.low(i + n); w == "today" || w == "day" && n > 2 {
		y, m, d := s.clock.now.Date()
		f := rangeFound(i, n+1, noUnit, interval{s.clock.now, time.Date(y, m, d, 23, 59, 59, 0, s.clock.now.Location())})
		f.kind = "datetimerange"
		return f
	}
	if u == noUnit || u >= anHour || n < 3 {
		return nil
	}
	v := s.clock.stretch(u, 0)
	return rangeFound(i, n+1, noUnit, interval{s.clock.today(), v.end.AddDate(0, 0, -1)})
}

var restWords = words("the this my our current")

// toNow reads "year to date", "ytd", "till date".
func (s *scan) toNow(i int) *found {
	if !s.is(i, toNowHeads) {
		return nil
	}
	for _, r := range toNowWords {
		if n := s.phrase(i, r.phrase); n > 0 {
			v := interval{end: s.clock.today()}
			if r.unit != noUnit {
				v.start = s.clock.stretch(r.unit, 0).start
			}
			return rangeFound(i, n, noUnit, v)
		}
	}
	return nil
}

var toNowHeads = words("year ytd quarter qtd month mtd week wtd till until")

var toNowWords = []struct {
	phrase []string
	unit   unit
}{
	{[]string{"year to date", "year - to - date", "ytd"}, aYear},
	{[]string{"quarter to date", "quarter - to - date", "qtd"}, aQuarter},
	{[]string{"month to date", "month - to - date", "mtd"}, aMonth},
	{[]string{"week to date", "week - to - date", "wtd"}, aWeek},
	{[]string{"till date", "until date", "till now", "until now"}, noUnit},
}
