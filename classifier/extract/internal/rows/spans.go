package rows

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/when"
)

// unitNames are the units of stretches by the words of the tables.
var unitNames = map[string]calendar.Unit{
	"week": calendar.AWeek, "weekend": calendar.AWeekend, "workweek": calendar.AWorkWeek, "fortnight": calendar.AFortnight, "month": calendar.AMonth,
	"quarter": calendar.AQuarter, "year": calendar.AYear, "decade": calendar.ADecade, "century": calendar.ACentury,
}

// shiftOf is how far a match counts from this day, week or year.
func (m *match) shiftOf() int {
	if which := m.part("which", "which_after", "of_year"); which != nil {
		return when.Shifts[which.word]
	}
	return 0
}

// buildStretch is a unit of the calendar: "nächste Woche".
func buildStretch(s reader, m *match) (meaning, bool) {
	name, shift, vague, edge := "", m.shiftOf(), false, calendar.Whole
	if unit := m.part("calendar_unit", "weekend_unit", "plain_unit", "work_week", "unit_end"); unit != nil {
		name = unit.word
	}
	for _, arg := range m.args {
		switch arg {
		case "2":
			shift = 2
		case "vague":
			vague = true
		case "tail":
			edge = calendar.Tail
		case "weekend", "month":
			name = arg
		}
	}
	u, ok := unitNames[name]
	if !ok {
		return meaning{}, false
	}
	f := when.RangeFound(m.from, m.to-m.from, u, s.Clock.Stretch(u, shift))
	f.Vague = vague
	return meaning{find: f}, edge == calendar.Whole || cutTo(f, edge)
}

// cutTo cuts a stretch down to a part of it.
func cutTo(f *find.Find, e calendar.Edge) bool {
	var parts []calendar.Interval
	for _, v := range f.Readings {
		cut, ok := v.Cut(f.Unit, e)
		if !ok {
			return false
		}
		parts = append(parts, cut)
	}
	f.Edge, f.Readings = e, parts
	if len(parts) > 0 {
		f.Value = parts[len(parts)-1]
	}
	return true
}

// buildClockStretch is "the next hour".
func buildClockStretch(s reader, m *match) (meaning, bool) {
	d, _ := calendar.Of(float64(m.shiftOf()), m.part("clock_unit").word)
	if m.shiftOf() == 0 {
		return meaning{}, false
	}
	return meaning{find: s.SpanFromNow(m.from, m.to-m.from, d.ClockPart())}, true
}

// buildAhead is a length of time from now on or up to now: "the next 3 days", "within 9 months".
func buildAhead(s reader, m *match) (meaning, bool) {
	var d calendar.Length
	within, sign := slices.Contains(m.args, "within"), m.shiftOf()
	if p := m.part("length"); p != nil {
		d = p.length
	}
	many := 1.0
	if p := m.part("amount", "count"); p != nil {
		many = p.num
	}
	if p := m.part("date_unit", "clock_unit"); p != nil {
		one, _ := calendar.Of(many, p.word)
		d = d.Plus(one)
		if counted := m.part("amount") != nil; counted && (many <= 0 || s.IsTerm(m.from, "article") || many != 1 && !strings.HasSuffix(s.Low(m.to-1), "s")) {
			return meaning{}, false // 3 next week
		}
	} else if m.part("count") != nil {
		d.Months = 3 * many // quarters
	}
	if sign == 0 && within {
		sign = 1
	}
	if sign == 0 || d.Most() > when.MostUnits || s.Low(m.to-1) == "weekends" {
		return meaning{}, false
	}
	f := s.LengthFromNow(m.from, m.to-m.from, d, sign, within)
	f.Vague = d.Vague
	return meaning{find: f}, true
}

// buildBusinessDays is "the next 4 business days".
func buildBusinessDays(s reader, m *match) (meaning, bool) {
	many, sign := m.part("amount").num, m.shiftOf()
	if sign == 0 || many < 1 || many != float64(int(many)) || many > when.MostUnits {
		return meaning{}, false
	}
	day := s.Clock.Today()
	edge := day
	for left := int(many); left > 0; {
		day = day.AddDate(0, 0, sign)
		if w := day.Weekday(); w != time.Saturday && w != time.Sunday {
			if left == int(many) {
				edge = day
			}
			left--
		}
	}
	if sign < 0 {
		edge, day = day, edge
	}
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, calendar.Interval{Start: edge, End: day.AddDate(0, 0, 1)})}, true
}

// buildMonth is a month, of a year that was said or not.
func buildMonth(s reader, m *match) (meaning, bool) {
	name := m.part("month")
	mon, n := time.Month(int(name.num)), m.to-m.from
	if y := m.part("yyyy", "behind_year"); y != nil {
		return meaning{find: when.RangeFound(m.from, n, calendar.AMonth, s.Clock.Month(int(y.num), mon))}, true
	}
	relative := m.part("which", "which_after", "of_year") != nil
	if len(m.args) > 0 && s.IsTerm(name.from, "name_month") && name.to == m.to {
		if relative && s.Low(name.from) == "may" && !s.Capital(name.from) && s.WordAt(m.to) {
			return meaning{}, false // this may or may not be
		}
		if !relative && !s.AtRangeEnd() && !s.MonthStands(name.from, mon) {
			return meaning{}, false
		}
	}
	if len(m.args) > 0 && name.to < m.to && len(s.Low(name.from)) != 3 && s.Low(name.from) != "sept" || s.Low(name.from) == "may" && s.SymbolAt(name.to, ".") && name.to < m.to {
		return meaning{}, false // the point of an abbreviation only: jan., not july.
	}
	if relative {
		return meaning{find: when.RangeFound(m.from, n, calendar.AMonth, s.Clock.Month(s.Clock.Now.Year()+m.shiftOf(), mon))}, true
	}
	return meaning{find: s.MonthFound(m.from, n, mon)}, true
}

// buildYearMonth is a month in figures, of its year: 2015-3, 12/2015.
func buildYearMonth(s reader, m *match) (meaning, bool) {
	if m.parts[0].name == "yyyy" && s.Glued(m.to) && !s.CloseAfter(m.to) {
		return meaning{}, false // 2015-1-32
	}
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.AMonth, s.Clock.Month(int(m.part("yyyy").num), time.Month(int(m.part("mon").num))))}, true
}

func buildYear(s reader, m *match) (meaning, bool) {
	year := m.part("yyyy", "yy", "spelled_year")
	if len(m.args) > 0 && !s.YearStands(year.from) {
		return meaning{}, false
	}
	y := int(year.num)
	if year.name == "yy" {
		y += 2000
	}
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.ANumberedYear, s.Clock.Year(y))}, true
}

// buildNthWeek is a week of a month or a year: "the last week of july". A week is of the month that
// holds its Thursday.
func buildNthWeek(s reader, m *match) (meaning, bool) {
	nth, over := -1, m.part("month_year").find
	if p := m.part("ordinal"); p != nil {
		nth = int(p.num)
	}
	if nth > 53 || over.Unit == calendar.AMonth && nth > 5 || len(over.Readings) == 0 {
		return meaning{}, false
	}
	f := when.RangeFound(m.from, m.to-m.from, calendar.AWeek)
	first, last := 0, 7
	if slices.ContainsFunc(m.parts, func(p meaning) bool { return p.word == "weekend" }) {
		f.Unit, first = calendar.AWeekend, 5
	}
	for _, v := range over.Readings {
		w := s.Clock.NthWeekday(v.Start.Year(), v.Start.Month(), time.Thursday, 1).AddDate(0, 0, 7*(nth-1)-3)
		if nth < 0 {
			end := v.End.AddDate(0, 0, -1)
			w = s.Clock.NthWeekday(end.Year(), end.Month(), time.Thursday, nth).AddDate(0, 0, -3)
		}
		f.Readings = append(f.Readings, calendar.Interval{Start: w.AddDate(0, 0, first), End: w.AddDate(0, 0, last)})
	}
	f.Value, f.Cycle = f.Readings[len(f.Readings)-1], over.Cycle
	return meaning{find: f}, true
}

// buildSoLong is a stretch of days by its first one: "from 10 June for ten days".
func buildSoLong(s reader, m *match) (meaning, bool) {
	first, length := m.part("day").day.Next, m.part("length").length
	if first.IsZero() || !length.Calendar() || length.ClockPart() != 0 || length.Most() > when.MostUnits {
		return meaning{}, false
	}
	v := calendar.Interval{Start: first, End: calendar.Move(first, length.Days3(), 1)}
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, v)}, true
}

// buildPartLong is so long a part of a month, at its beginning or at its end: "the first two weeks of August".
func buildPartLong(s reader, m *match) (meaning, bool) {
	f, length := *m.part("month_year").find, m.part("length").length
	if len(f.Readings) == 0 || !length.Calendar() || length.ClockPart() != 0 {
		return meaning{}, false
	}
	atEnd := s.Low(m.from) == "last" || s.Low(m.from+1) == "last"
	f.From, f.To, f.Unit = m.from, m.to, calendar.NoUnit
	f.Readings = slices.Clone(f.Readings)
	for i, v := range f.Readings {
		head, tail := calendar.Move(v.Start, length.Days3(), 1), calendar.Move(v.End, length.Days3(), -1)
		if head.After(v.End) {
			return meaning{}, false
		}
		if f.Readings[i].End = head; atEnd {
			f.Readings[i] = calendar.Interval{Start: tail, End: v.End}
		}
	}
	f.Value = f.Readings[len(f.Readings)-1]
	return meaning{find: &f}, true
}

// buildWeekNumber is "week 10", by ISO 8601: the first is the one that holds the first Thursday.
func buildWeekNumber(s reader, m *match) (meaning, bool) {
	y := s.Clock.Now.Year()
	if p := m.part("yyyy"); p != nil {
		y = int(p.num)
	}
	if s.Digits(m.from-1, 1, 9) != "" {
		return meaning{}, false
	}
	w := s.Clock.NthWeekday(y, 1, time.Thursday, 1).AddDate(0, 0, 7*(int(m.part("week_number").num)-1)-3)
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.AWeek, calendar.Interval{Start: w, End: w.AddDate(0, 0, 7)})}, true
}

// buildWeekOf is the week that holds a day.
func buildWeekOf(s reader, m *match) (meaning, bool) {
	day := s.dateFind(m.part("at_end"), m.from, m.to)
	f := when.RangeFound(m.from, m.to-m.from, calendar.AWeek)
	for _, r := range day.Readings {
		w := r.Start.AddDate(0, 0, -((int(r.Start.Weekday()) + 6) % 7))
		f.Readings = append(f.Readings, calendar.Interval{Start: w, End: w.AddDate(0, 0, 7)})
	}
	if len(f.Readings) == 0 {
		return meaning{}, false
	}
	f.Value = f.Readings[len(f.Readings)-1]
	return meaning{find: f}, true
}

// buildQuarterName is the number of a quarter or of a half of a year.
func buildQuarterName(_ reader, m *match) (meaning, bool) {
	n, most := m.part("mon", "ordinal").num, 4.0
	if len(m.args) > 0 {
		most = 2
	}
	return meaning{num: n, word: strings.Join(m.args, "")}, n >= 1 && n <= most
}

// buildQuarter is a quarter or a half of a year that was said or not.
func buildQuarter(s reader, m *match) (meaning, bool) {
	nth, u, size := time.Month(4), calendar.AQuarter, time.Month(3)
	if p := m.part("quarter_name"); p != nil {
		if nth = time.Month(p.num); p.word == "half" {
			u, size = calendar.AHalf, 6
		}
	}
	in := func(y int) calendar.Interval {
		start := time.Date(y, 1+size*(nth-1), 1, 0, 0, 0, 0, s.Clock.Now.Location())
		return calendar.Interval{Start: start, End: start.AddDate(0, int(size), 0)}
	}
	n, y := m.to-m.from, s.Clock.Now.Year()
	if p := m.part("yyyy"); p != nil {
		return meaning{find: when.RangeFound(m.from, n, u, in(int(p.num)))}, true
	}
	if m.part("of_year") != nil || len(m.args) > 0 {
		return meaning{find: when.RangeFound(m.from, n, u, in(y+m.shiftOf()))}, true
	}
	if u == calendar.AHalf && m.part("quarter_name").to-m.part("quarter_name").from > 1 && s.Low(m.from) != "h" {
		return meaning{}, false // the first half may be that of a game
	}
	switch v := in(y); {
	case v.End.Before(s.Clock.Now):
		return meaning{find: when.RangeFound(m.from, n, u, v, in(y+1))}, true
	case v.End.After(s.Clock.Now):
		return meaning{find: when.RangeFound(m.from, n, u, in(y-1), v)}, true
	}
	return meaning{find: when.RangeFound(m.from, n, u, in(y))}, true
}

// buildUnsettled is a stretch that has a name, but is in no calendar the same: "this summer".
func buildUnsettled(_ reader, m *match) (meaning, bool) {
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.NoUnit)}, true
}

// buildDecade is "the 1990s", "the nineties", "the 18th century". The nineties are of the last
// century, the twenties of either.
func buildDecade(s reader, m *match) (meaning, bool) {
	n := m.to - m.from
	years := func(from, many int) calendar.Interval {
		start := s.Clock.Year(from).Start
		return calendar.Interval{Start: start, End: start.AddDate(many, 0, 0)}
	}
	short := 0
	switch p := m.part("yyyy", "yy", "ordinal", "decade_word"); {
	case p.name == "ordinal":
		return meaning{find: when.RangeFound(m.from, n, calendar.ACentury, years((int(p.num)-1)*100, 100))}, p.num >= 1 && p.num <= 22
	case p.name == "yyyy":
		return meaning{find: when.RangeFound(m.from, n, calendar.ADecade, years(int(p.num), 10))}, int(p.num)%10 == 0
	default:
		short = int(p.num)
	}
	if century := m.part("unit"); century != nil {
		return meaning{find: when.RangeFound(m.from, n, calendar.ADecade, years(100*int(century.num)+short, 10))}, century.num >= 15
	}
	if short%10 != 0 || short == 10 && m.part("decade_word") != nil {
		return meaning{}, false
	}
	if short >= 30 {
		return meaning{find: when.RangeFound(m.from, n, calendar.ADecade, years(1900+short, 10))}, true
	}
	f := when.RangeFound(m.from, n, calendar.ADecade, years(1900+short, 10), years(2000+short, 10))
	f.Cycle = calendar.Once
	return meaning{find: f}, true
}

// buildToDate is the part of a stretch that has passed: "year to date".
func buildToDate(s reader, m *match) (meaning, bool) {
	v := calendar.Interval{End: s.Clock.Today()}
	if u, ok := unitNames[m.part("to_date").word]; ok {
		v.Start = s.Clock.Stretch(u, 0).Start
	}
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, v)}, true
}

// buildRest is the rest of a stretch. The last day is not in it, as in Microsoft's cases.
func buildRest(s reader, m *match) (meaning, bool) {
	if p := m.part("calendar_unit"); p != nil {
		v := s.Clock.Stretch(unitNames[p.word], 0)
		return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, calendar.Interval{Start: s.Clock.Today(), End: v.End.AddDate(0, 0, -1)})}, true
	}
	return meaning{find: s.SpanFromNow(m.from, m.to-m.from, s.Clock.Today().AddDate(0, 0, 1).Add(-time.Second).Sub(s.Clock.Now))}, true
}

// edgesByName are the parts of a stretch by the words of the tables.
var edgesByName = map[string]calendar.Edge{"head": calendar.Head, "middle": calendar.Middle, "tail": calendar.Tail}

// buildEdge is a part of a stretch: "Anfang Mai".
func buildEdge(_ reader, m *match) (meaning, bool) {
	over := m.part("over").find
	f := *over
	f.From, f.To = m.from, m.to
	return meaning{find: &f}, over.Edge == calendar.Whole && over.Kind == "daterange" && cutTo(&f, edgesByName[m.part("edge", "edge_noun").word])
}

// buildTwoDays is a range of two days: "vom 3. bis 5. Mai" shares its month, "von Montag bis
// Freitag" its week.
func buildTwoDays(s reader, m *match) (meaning, bool) {
	days := append(m.all("day"), m.all("dom_day")...)
	if len(days) != 2 {
		return meaning{}, false
	}
	if m.parts[0].name == "dom_day" { // read in the order that they were said
		days[0], days[1] = days[1], days[0]
	}
	a, b := s.dateFind(days[0], days[0].from, days[0].to), s.dateFind(days[1], days[1].from, days[1].to)
	if a.From > b.From {
		a, b = b, a
	}
	f := s.Join(a, b)
	if f == nil || f.Value == nil {
		return meaning{}, false
	}
	v, ok := f.Value.(calendar.Interval)
	if !ok {
		return meaning{}, false
	}
	return meaning{find: s.pairOf(m, v, a, b)}, true
}

// buildEitherDay is one of two days of a month: "5 or 6 may". Both are found, so that it is asked
// which.
func buildEitherDay(s reader, m *match) (meaning, bool) {
	doms := append(m.all("dom"), m.all("day_number")...)
	if len(doms) != 2 || doms[0].num >= doms[1].num || !s.monthMeant(m, doms[0], m.part("month")) {
		return meaning{}, false
	}
	f := &find.Find{Kind: "date", From: m.from, To: m.to}
	for k, into := range [...]**find.Find{&f.Date, &f.Time} {
		one := match{from: doms[k].from, to: doms[k].to, parts: []meaning{*doms[k], *m.part("month")}}
		if y := m.part("yyyy", "behind_year"); y != nil {
			one.parts = append(one.parts, *y)
		}
		d, ok := buildMonthDay(s, &one)
		if !ok || d.day.Unreal {
			return meaning{}, false
		}
		*into = s.dateFind(&d, one.from, one.to)
	}
	return meaning{find: f}, true
}

// buildDaysOf is a range of two days of one month.
func buildDaysOf(s reader, m *match) (meaning, bool) {
	doms := append(append(m.all("dom"), m.all("day_word")...), m.all("day_number")...)
	if len(doms) != 2 || doms[0].num >= doms[1].num || doms[1].num > 31 {
		return meaning{}, false
	}
	of := s.Clock.Stretch(calendar.AMonth, m.shiftOf()).Start // of this month, of the next
	year, month := of.Year(), of.Month()
	if mon := m.part("month", "mon"); mon != nil {
		year, month = 0, time.Month(int(mon.num))
		if !s.daysMeant(m, doms, mon) {
			return meaning{}, false
		}
	}
	if y := m.part("yyyy", "behind_year"); y != nil {
		year = int(y.num)
	}
	f := s.DaysOf(m.from, m.to-m.from, month, year, int(doms[0].num), int(doms[1].num))
	if f == nil {
		return meaning{}, false
	}
	v, ok := f.Value.(calendar.Interval)
	if !ok {
		return meaning{}, false
	}
	a := &find.Find{From: doms[0].from, To: doms[0].to}
	b := &find.Find{From: doms[1].from, To: m.to}
	if s.SymbolAt(a.To, ".") && s.Glued(a.To) {
		a.To++
	}
	if mon := m.part("month"); mon != nil {
		a.From = min(a.From, mon.from)
	}
	for _, f := range [...]*find.Find{a, b} {
		if f.From > m.from && s.IsTerm(f.From-1, "the") {
			f.From--
		}
	}
	f.Date, f.Time = dayAt(a, v.Start), dayAt(b, v.End)
	return meaning{find: f}, true
}

// daysMeant reports whether a month that is a verb as well is one beside the numbers of two days: not in
// "2 to 3 may come".
func (s reader) daysMeant(m *match, doms []*meaning, mon *meaning) bool {
	if s.WordAt(m.from) && m.from < min(doms[0].from, mon.from) || s.Capital(mon.from) || s.Ends(m.to) || m.part("yyyy", "behind_year") != nil {
		return true
	}
	return !s.IsTerm(mon.from, "doubtful_month") || mon.from > doms[0].from && s.WordAt(mon.from-1)
}

func dayAt(f *find.Find, t time.Time) *find.Find {
	d := when.DayFound(f.From, f.To, t)
	return &d
}

// pairOf makes a range of two days that keeps both, for params of type date.
func (s reader) pairOf(m *match, v calendar.Interval, a, b *find.Find) *find.Find {
	f := when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, v)
	f.LastDay = true
	f.Date, f.Time = dayAt(a, v.Start), dayAt(b, v.End)
	return f
}

// partsOfDay are the hours of the halves of a day that is named with one.
var partsOfDay = map[string]string{"": "8 12 am", "am": "8 12 am", "pm": "16 20 pm", "night": "20 24 pm"}

// buildPartDay is a part of one day: as a day it is the day, as a range its hours.
func buildPartDay(s reader, m *match) (meaning, bool) {
	f, _, half := s.dayIn(m)
	f.From, f.To = m.from, m.to
	if !s.Ranges {
		return meaning{find: f}, true
	}
	part, _, ok := s.partFind(m, partsOfDay[half], true)
	return meaning{find: when.OverDay(&when.Parts{Day: f, Last: f}, part)}, ok
}
