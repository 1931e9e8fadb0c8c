package extract

import (
	"strings"
	"time"
)

// These make finds of meanings: what the pipeline takes from any language.

func (m *match) find(kind string, value any, confidence float64) meaning {
	return meaning{find: &found{kind: kind, from: m.from, to: m.to, value: value, confidence: confidence}}
}

// buildDate is a day that stands by itself.
func buildDate(s *scan, m *match) (meaning, bool) {
	p := m.part("day")
	return meaning{find: dateFind(p, m.from, m.to)}, true
}

// buildDayAlone is a day named by its number alone, behind a word that leads to a day.
func buildDayAlone(s *scan, m *match) (meaning, bool) {
	d, ok := buildDayOfMonth(s, m)
	return meaning{find: dateFind(&d, m.from, m.to)}, ok
}

// buildDayAsked is the same where a day is asked for and nothing leads to it.
func buildDayAsked(s *scan, m *match) (meaning, bool) {
	if !s.datesAsked() {
		return meaning{}, false
	}
	return meaning{find: dateFind(m.part("dom_day"), m.from, m.to)}, true
}

// buildFiguresSaid is a day in figures, 24/12, that may be a share of something unless it can
// be nothing else, a word leads to it or a day is asked for.
func buildFiguresSaid(s *scan, m *match) (meaning, bool) {
	if s.datesAsked() || m.part("dom").num > 12 || s.endsTerm(m.from, "day_lead") > 0 {
		return buildMonthDay(s, m)
	}
	return meaning{}, false
}

// buildCounted is so many units before now or from now on: "die letzten drei Tage".
func buildCounted(s *scan, m *match) (meaning, bool) {
	step, ok := dateUnits[m.part("date_unit").word]
	n := m.part("count").num
	if !ok || n < 1 || n > mostUnits {
		return meaning{}, false
	}
	for k := range step {
		step[k] *= int(n)
	}
	today := s.clock.today()
	v := interval{today.AddDate(0, 0, 1), move(today.AddDate(0, 0, 1), step, 1)}
	if shifts[m.part("which").word] < 0 {
		v = interval{move(today, step, -1), today}
	}
	return meaning{find: rangeFound(m.from, m.to-m.from, noUnit, v)}, true
}

// buildPartOf is a part of a day that is named without the day: "esta noche".
func buildPartOf(s *scan, m *match) (meaning, bool) {
	shift := 0
	if len(m.args) > 1 {
		shift = -1
	}
	return meaning{day: oneDay(s.clock.inDays(shift)), word: m.args[0]}, true
}

// buildJoined is a weekday with a part of the day in one word: "Freitagabend".
func buildJoined(s *scan, m *match) (meaning, bool) {
	number, part, _ := strings.Cut(m.part("weekday_part").word, " ")
	return meaning{day: s.clock.weekday(time.Weekday(atoi(number)), ""), word: part}, true
}

// dayIn is the day of a match, and the half of the day that was said with it.
func dayIn(m *match) (d *meaning, half string) {
	if d = m.part("weekday_day", "this_part"); d != nil {
		return d, d.word
	}
	if part := m.part("part"); part != nil {
		half = part.word
	}
	return m.part("day"), half
}

// dateFind is the find of a day, as [scan.date] makes it.
func dateFind(p *meaning, from, to int) *found {
	d := p.day
	f := &found{kind: "date", from: from, to: to, confidence: 0.93, temporal: temporal{cycle: d.cycle, unreal: d.unreal, clash: d.clash}}
	if d.unreal {
		return f
	}
	f.value = d.picked()
	f.readings = []interval{point(d.next)}
	if !d.sure() && !d.past.IsZero() {
		f.readings = []interval{point(d.past), point(d.next)}
	}
	return f
}

// buildTime is a time of day that stands by itself, in the half of the day beside it.
func buildTime(s *scan, m *match) (meaning, bool) {
	if s.ranges && len(m.args) > 0 && m.args[0] == "end" {
		return meaning{}, false // what stands before it makes a range of it
	}
	p := m.part("clock", "bare", "told", "hours_alone")
	t := p.clock
	if half := m.part("part"); half != nil && half.word != "" {
		if t.hour > 12 && half.word == "am" {
			return meaning{}, false
		}
		if t.doubt || t.either {
			t = t.half(half.word)
		}
	}
	from := m.from
	if t.either && len(m.args) == 0 { // "at" makes a time of an hour that may be of either half of the day
		from = m.lead
	}
	return meaning{find: timeFind(t, from, m.to)}, true
}

// buildTimeSaid is a time whose words are those of a length of time, too: not behind "pendant",
// and not where a length is asked for.
func buildTimeSaid(s *scan, m *match) (meaning, bool) {
	if s.asked == "duration" || s.endsTerm(m.lead, "length_lead") > 0 {
		return meaning{}, false
	}
	return buildTime(s, m)
}

// buildHoursSaid is the same of hours alone, "deux heures". Where nothing tells which they are,
// nothing is read.
func buildHoursSaid(s *scan, m *match) (meaning, bool) {
	switch {
	case s.timely():
		return buildTime(s, m)
	case s.asked == "duration" || s.endsTerm(m.lead, "length_lead") > 0:
		return meaning{}, false
	}
	return buildSkip(s, m)
}

func timeFind(t timeOfDay, from, to int) *found {
	confidence := 0.93
	if t.either = t.either && t.hour > 0 && t.hour <= 12; t.doubt && t.hour > 0 && t.hour <= 12 {
		confidence = 0.75
	} else {
		t.doubt = false
	}
	return &found{kind: "time", from: from, to: to, value: t, confidence: confidence, temporal: temporal{readings: t.readings()}}
}

// buildMoment is a day and a time together.
func buildMoment(s *scan, m *match) (meaning, bool) {
	d, half := dayIn(m)
	c := m.part("clock", "at", "bare", "hours_alone")
	t := c.clock
	if half != "" && (t.doubt || t.either) {
		if t = t.half(half); t.hour == 12 && half == "night" {
			t.hour = 24
		}
	}
	p := parts{day: dateFind(d, d.from, d.to), clock: timeFind(t, c.from, c.to)}
	p.last = &found{to: m.to}
	f := s.both(m.from, &p)
	f.from, f.to = m.from, m.to
	return meaning{find: f}, true
}

// buildFromNow is a moment so long from now: "in zwei Stunden". One that counts days is a day.
func buildFromNow(s *scan, m *match) (meaning, bool) {
	d := m.part("length").length
	if d.calendar() || d.most() > mostHours {
		return meaning{}, false
	}
	step := d.clockPart()
	if m.args[0] == "-" {
		step = -step
	}
	return meaning{find: momentFound(m.from, m.to-m.from, s.clock.now.Add(step), 0.93)}, true
}

// buildSkip is what looks like a value and is none: "guten Morgen".
func buildSkip(_ *scan, m *match) (meaning, bool) { return m.find("", nil, 0), true }
