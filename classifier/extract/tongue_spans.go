package extract

import "time"

// Stretches of time in other languages. Their bounds are those of the English ones.

// unitNames are the units of stretches by the words of the tables.
var unitNames = map[string]unit{
	"week": aWeek, "weekend": aWeekend, "month": aMonth, "quarter": aQuarter, "year": aYear, "decade": aDecade, "century": aCentury,
}

// buildStretch is a unit of the calendar: "nächste Woche".
func buildStretch(s *scan, m *match) (meaning, bool) {
	u, ok := unitNames[m.part("calendar_unit", "weekend_unit").word]
	shift := 0
	if which := m.part("which", "which_after"); which != nil {
		shift = shifts[which.word]
	}
	f := rangeFound(m.from, m.to-m.from, u, s.clock.stretch(u, shift))
	return meaning{find: f}, ok
}

// buildMonth is a month, of a year that was said or not.
func buildMonth(s *scan, m *match) (meaning, bool) {
	mon := time.Month(int(m.part("month").num))
	if y := m.part("yyyy"); y != nil {
		return meaning{find: rangeFound(m.from, m.to-m.from, aMonth, s.clock.month(int(y.num), mon))}, true
	}
	if which := m.part("which", "which_after"); which != nil {
		y := s.clock.now.Year() + shifts[which.word]
		return meaning{find: rangeFound(m.from, m.to-m.from, aMonth, s.clock.month(y, mon))}, true
	}
	return meaning{find: s.monthFound(m.from, m.to-m.from, mon)}, true
}

func buildYear(s *scan, m *match) (meaning, bool) {
	return meaning{find: rangeFound(m.from, m.to-m.from, aNumberedYear, s.clock.year(int(m.part("yyyy").num)))}, true
}

// edgesByName are the parts of a stretch by the words of the tables.
var edgesByName = map[string]edge{"head": head, "middle": middle, "tail": tail}

// buildEdge is a part of a stretch: "Anfang Mai".
func buildEdge(_ *scan, m *match) (meaning, bool) {
	over := m.part("over").find
	e := edgesByName[m.part("edge").word]
	f := *over
	f.from, f.to, f.edge, f.readings = m.from, m.to, e, nil
	for _, v := range over.readings {
		cut, ok := v.cut(over.unit, e)
		if !ok {
			return meaning{}, false
		}
		f.readings = append(f.readings, cut)
	}
	f.value = f.readings[len(f.readings)-1]
	return meaning{find: &f}, true
}

// buildTwoDays is a range of two days: "vom 3. bis 5. Mai" shares its month, "von Montag bis
// Freitag" its week.
func buildTwoDays(s *scan, m *match) (meaning, bool) {
	days := append(m.all("day"), m.all("dom_day")...)
	if len(days) != 2 {
		return meaning{}, false
	}
	if m.parts[0].name == "dom_day" { // read in the order that they were said
		days[0], days[1] = days[1], days[0]
	}
	a, b := dateFind(days[0], days[0].from, days[0].to), dateFind(days[1], days[1].from, days[1].to)
	if a.from > b.from {
		a, b = b, a
	}
	f := s.join(a, b)
	if f == nil || f.value == nil {
		return meaning{}, false
	}
	v, ok := f.value.(interval)
	if !ok {
		return meaning{}, false
	}
	return meaning{find: s.pairOf(m, v, a, b)}, true
}

// buildDaysOf is a range of two days of one month.
func buildDaysOf(s *scan, m *match) (meaning, bool) {
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
	f := s.daysOf(m.from, m.to-m.from, time.Month(int(mon.num)), year, int(doms[0].num), int(doms[1].num))
	if f == nil {
		return meaning{}, false
	}
	v, ok := f.value.(interval)
	if !ok {
		return meaning{}, false
	}
	a := &found{from: doms[0].from, to: doms[0].to}
	b := &found{from: doms[1].from, to: m.to}
	if s.symbolAt(a.to, ".") && s.glued(a.to) {
		a.to++
	}
	f.date, f.time = dayAt(a, v.start), dayAt(b, v.end)
	return meaning{find: f}, true
}

func dayAt(f *found, t time.Time) *found {
	d := dayFound(f.from, f.to, t)
	return &d
}

// pairOf makes a range of two days that keeps both, for params of type date.
func (s *scan) pairOf(m *match, v interval, a, b *found) *found {
	f := rangeFound(m.from, m.to-m.from, noUnit, v)
	f.date, f.time = dayAt(a, v.start), dayAt(b, v.end)
	return f
}

// buildBetween is a range by its ends, of which one may lack its day.
func buildBetween(s *scan, m *match) (meaning, bool) {
	ends := m.all("end")
	if len(ends) != 2 || ends[0].find == nil || ends[1].find == nil || ends[0].find.kind == "" || ends[1].find.kind == "" {
		return meaning{}, false
	}
	f := s.join(ends[0].find, ends[1].find)
	if f == nil {
		return meaning{}, false
	}
	f.from, f.to, f.confidence = m.from, m.to, 0.9
	return meaning{find: f}, true
}

// sides are what is meant of an open stretch.
var sides = map[string]side{"before": beforeIt, "after": afterIt, "since": sinceIt, "until": untilIt}

// buildOpen is what is open at one end: "ab Montag".
func buildOpen(_ *scan, m *match) (meaning, bool) {
	inner := m.part("end")
	if inner.find == nil || inner.find.kind == "" {
		return meaning{}, false
	}
	f := open(m.from, m.to, sides[m.part("opens").word], inner.find)
	if m.part("opens").word == "since" && len(m.args) > 0 && len(f.readings) > 0 {
		f.value = f.readings[0] // it has begun
	}
	return meaning{find: f}, true
}

// buildHours is a range of times: "von 9 bis 17 Uhr".
func buildHours(_ *scan, m *match) (meaning, bool) {
	var times []timeOfDay
	for k := range m.parts {
		switch p := &m.parts[k]; p.name {
		case "hour":
			times = append(times, timeOfDay{hour: int(p.num), doubt: p.num >= 1 && p.num <= 12, either: p.num >= 1 && p.num <= 12})
		case "clock", "at", "point_time":
			times = append(times, p.clock)
		}
	}
	if len(times) != 2 {
		return meaning{}, false
	}
	if half := m.part("part", "half"); half != nil && half.word != "" {
		for k := range times {
			if times[k].either {
				times[k] = times[k].half(half.word)
			}
		}
	}
	return meaning{find: spanFound(m.from, m.to, clockSpan{times[0], times[1]}, true)}, true
}

// partsByName are the parts of the day by the words of the tables.
var partsByName = map[string]dayPart{"am": dayParts["morning"], "pm": dayParts["afternoon"], "eve": dayParts["evening"], "night": dayParts["night"]}

// buildPart is a part of the day: "am Abend".
func buildPart(s *scan, m *match) (meaning, bool) {
	p, ok := partsByName[m.args[0]]
	return meaning{find: s.partFound(m.from, m.to-m.from, p, whole, true)}, ok
}

// buildPartDay is a part of one day: as a day it is the day, as a range its hours.
func buildPartDay(s *scan, m *match) (meaning, bool) {
	d, half := dayIn(m)
	f := dateFind(d, m.from, m.to)
	f.half = half
	if !s.ranges {
		return meaning{find: f}, true
	}
	p := dayParts["morning"]
	switch half {
	case "pm":
		p = dayParts["evening"]
	case "night":
		p = dayParts["night"]
	}
	over := overDay(&parts{day: f, last: f}, s.partFound(m.from, m.to-m.from, p, whole, true))
	over.from, over.to = m.from, m.to
	return meaning{find: over}, true
}
