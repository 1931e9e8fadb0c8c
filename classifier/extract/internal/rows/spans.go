package rows

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/when"
)

// Stretches of time in other languages. Their bounds are those of the English ones.

// unitNames are the units of stretches by the words of the tables.
var unitNames = map[string]calendar.Unit{
	"week": calendar.AWeek, "weekend": calendar.AWeekend, "month": calendar.AMonth, "quarter": calendar.AQuarter, "year": calendar.AYear, "decade": calendar.ADecade, "century": calendar.ACentury,
}

// buildStretch is a unit of the calendar: "nächste Woche".
func buildStretch(s reader, m *match) (meaning, bool) {
	u, ok := unitNames[m.part("calendar_unit", "weekend_unit").word]
	shift := 0
	if which := m.part("which", "which_after"); which != nil {
		shift = shifts[which.word]
	}
	f := when.RangeFound(m.from, m.to-m.from, u, s.Clock.Stretch(u, shift))
	return meaning{find: f}, ok
}

// buildMonth is a month, of a year that was said or not.
func buildMonth(s reader, m *match) (meaning, bool) {
	mon := time.Month(int(m.part("month").num))
	if y := m.part("yyyy"); y != nil {
		return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.AMonth, s.Clock.Month(int(y.num), mon))}, true
	}
	if which := m.part("which", "which_after"); which != nil {
		y := s.Clock.Now.Year() + shifts[which.word]
		return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.AMonth, s.Clock.Month(y, mon))}, true
	}
	return meaning{find: s.MonthFound(m.from, m.to-m.from, mon)}, true
}

func buildYear(s reader, m *match) (meaning, bool) {
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.ANumberedYear, s.Clock.Year(int(m.part("yyyy").num)))}, true
}

// edgesByName are the parts of a stretch by the words of the tables.
var edgesByName = map[string]calendar.Edge{"head": calendar.Head, "middle": calendar.Middle, "tail": calendar.Tail}

// buildEdge is a part of a stretch: "Anfang Mai".
func buildEdge(_ reader, m *match) (meaning, bool) {
	over := m.part("over").find
	e := edgesByName[m.part("edge").word]
	f := *over
	f.From, f.To, f.Edge, f.Readings = m.from, m.to, e, nil
	for _, v := range over.Readings {
		cut, ok := v.Cut(over.Unit, e)
		if !ok {
			return meaning{}, false
		}
		f.Readings = append(f.Readings, cut)
	}
	f.Value = f.Readings[len(f.Readings)-1]
	return meaning{find: &f}, true
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
	a, b := dateFind(days[0], days[0].from, days[0].to), dateFind(days[1], days[1].from, days[1].to)
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

// buildDaysOf is a range of two days of one month.
func buildDaysOf(s reader, m *match) (meaning, bool) {
	doms, mon := m.all("dom"), m.part("month", "mon")
	if len(doms) != 2 {
		doms = m.all("day_word")
	}
	if len(doms) != 2 || mon == nil || doms[0].num >= doms[1].num || doms[1].num > 31 {
		return meaning{}, false
	}
	year := 0
	if y := m.part("yyyy"); y != nil {
		year = int(y.num)
	}
	f := s.DaysOf(m.from, m.to-m.from, time.Month(int(mon.num)), year, int(doms[0].num), int(doms[1].num))
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
	f.Date, f.Time = dayAt(a, v.Start), dayAt(b, v.End)
	return meaning{find: f}, true
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

// buildBetween is a range by its ends, of which one may lack its day.
func buildBetween(s reader, m *match) (meaning, bool) {
	ends := m.all("end")
	if len(ends) != 2 || ends[0].find == nil || ends[1].find == nil || ends[0].find.Kind == "" || ends[1].find.Kind == "" {
		return meaning{}, false
	}
	f := s.Join(ends[0].find, ends[1].find)
	if f == nil {
		return meaning{}, false
	}
	f.From, f.To, f.Confidence = m.from, m.to, 0.9
	return meaning{find: f}, true
}

// sides maps the words of the tables to the sides of an open interval.
var sides = map[string]calendar.Side{"before": calendar.BeforeIt, "after": calendar.AfterIt, "since": calendar.SinceIt, "until": calendar.UntilIt}

// buildOpen makes an interval with one open end: "ab Montag".
func buildOpen(_ reader, m *match) (meaning, bool) {
	inner := m.part("end")
	if inner.find == nil || inner.find.Kind == "" {
		return meaning{}, false
	}
	f := when.Open(m.from, m.to, sides[m.part("opens").word], inner.find)
	if m.part("opens").word == "since" && len(m.args) > 0 && len(f.Readings) > 0 {
		f.Value = f.Readings[0] // it has begun
	}
	return meaning{find: f}, true
}

// buildHours is a range of times: "von 9 bis 17 Uhr".
func buildHours(_ reader, m *match) (meaning, bool) {
	var times []calendar.TimeOfDay
	for k := range m.parts {
		switch p := &m.parts[k]; p.name {
		case "hour":
			times = append(times, calendar.TimeOfDay{Hour: int(p.num), Doubt: p.num >= 1 && p.num <= 12, Either: p.num >= 1 && p.num <= 12})
		case "clock", "at", "point_time":
			times = append(times, p.clock)
		}
	}
	if len(times) != 2 {
		return meaning{}, false
	}
	if half := m.part("part", "half"); half != nil && half.word != "" {
		for k := range times {
			if times[k].Either {
				times[k] = times[k].Half(half.word)
			}
		}
	}
	return meaning{find: when.SpanFound(m.from, m.to, calendar.ClockSpan{From: times[0], To: times[1]}, true)}, true
}

// partsByName are the parts of the day by the words of the tables.
var partsByName = map[string]when.DayPart{"am": when.DayParts["morning"], "pm": when.DayParts["afternoon"], "eve": when.DayParts["evening"], "night": when.DayParts["night"]}

// buildPart is a part of the day: "am Abend".
func buildPart(s reader, m *match) (meaning, bool) {
	p, ok := partsByName[m.args[0]]
	return meaning{find: s.PartFound(m.from, m.to-m.from, p, calendar.Whole, true)}, ok
}

// buildPartDay is a part of one day: as a day it is the day, as a range its hours.
func buildPartDay(s reader, m *match) (meaning, bool) {
	d, half := dayIn(m)
	f := dateFind(d, m.from, m.to)
	f.Half = half
	if !s.Ranges {
		return meaning{find: f}, true
	}
	p := when.DayParts["morning"]
	switch half {
	case "pm":
		p = when.DayParts["evening"]
	case "night":
		p = when.DayParts["night"]
	}
	over := when.OverDay(&when.Parts{Day: f, Last: f}, s.PartFound(m.from, m.to-m.from, p, calendar.Whole, true))
	over.From, over.To = m.from, m.to
	return meaning{find: over}, true
}
