package rows

import (
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/when"
	"github.com/slotway/slotway/classifier/message"
)

// These make finds of meanings: what the pipeline takes from any language.

func (m *match) find(kind string, value any, confidence float64) meaning {
	return meaning{find: &find.Find{Kind: kind, From: m.from, To: m.to, Value: value, Confidence: confidence}}
}

// buildDate is a day that stands by itself.
func buildDate(s reader, m *match) (meaning, bool) {
	p := m.part("day")
	return meaning{find: dateFind(p, m.from, m.to)}, true
}

// buildDayAlone is a day named by its number alone, behind a word that leads to a day.
func buildDayAlone(s reader, m *match) (meaning, bool) {
	d, ok := buildDayOfMonth(s, m)
	return meaning{find: dateFind(&d, m.from, m.to)}, ok
}

// buildDayAsked is the same where a day is asked for and nothing leads to it.
func buildDayAsked(s reader, m *match) (meaning, bool) {
	if !s.DatesAsked() {
		return meaning{}, false
	}
	return meaning{find: dateFind(m.part("dom_day"), m.from, m.to)}, true
}

// buildFiguresSaid is a day in figures, 24/12, that may be a share of something unless it can
// be nothing else, a word leads to it or a day is asked for.
func buildFiguresSaid(s reader, m *match) (meaning, bool) {
	if s.DatesAsked() || m.part("dom").num > 12 || s.EndsTerm(m.from, "day_lead") > 0 {
		return buildMonthDay(s, m)
	}
	return meaning{}, false
}

// buildCounted makes an interval of some units before or after now: "die letzten drei Tage".
func buildCounted(s reader, m *match) (meaning, bool) {
	n := m.part("count").num
	d, ok := calendar.Of(n, m.part("date_unit").word)
	step, whole := d.Steps()
	if !ok || !whole || n < 1 || n > when.MostUnits {
		return meaning{}, false
	}
	today := s.Clock.Today()
	v := calendar.Interval{Start: today.AddDate(0, 0, 1), End: calendar.Move(today.AddDate(0, 0, 1), step, 1)}
	if when.Shifts[m.part("which").word] < 0 {
		v = calendar.Interval{Start: calendar.Move(today, step, -1), End: today}
	}
	return meaning{find: when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, v)}, true
}

// buildPartOf is a part of a day that is named without the day: "esta noche".
func buildPartOf(s reader, m *match) (meaning, bool) {
	shift := 0
	if len(m.args) > 1 {
		shift = -1
	}
	return meaning{day: calendar.OneDay(s.Clock.InDays(shift)), word: m.args[0]}, true
}

// buildJoined is a weekday with a part of the day in one word: "Freitagabend".
func buildJoined(s reader, m *match) (meaning, bool) {
	number, part, _ := strings.Cut(m.part("weekday_part").word, " ")
	return meaning{day: s.Clock.Weekday(time.Weekday(message.Atoi(number)), ""), word: part}, true
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

// dateFind is the find of a day, as the English rules make it.
func dateFind(p *meaning, from, to int) *find.Find {
	d := p.day
	f := &find.Find{Kind: "date", From: from, To: to, Confidence: 0.93, Temporal: find.Temporal{Cycle: d.Cycle, Unreal: d.Unreal, Clash: d.Clash, EitherFirst: d.EitherFirst, Moves: d.Moves, Vague: p.vague}}
	if d.Unreal {
		return f
	}
	f.Value = d.Picked()
	f.Readings = []calendar.Interval{calendar.Point(d.Next)}
	if !d.Sure() && !d.Past.IsZero() {
		f.Readings = []calendar.Interval{calendar.Point(d.Past), calendar.Point(d.Next)}
	}
	return f
}

// buildTime is a time of day that stands by itself, in the half of the day beside it.
func buildTime(s reader, m *match) (meaning, bool) {
	if s.Ranges && len(m.args) > 0 && m.args[0] == "end" {
		return meaning{}, false // what stands before it makes a range of it
	}
	p := m.part("clock", "bare", "told", "hours_alone")
	t := p.clock
	if half := m.part("part"); half != nil && half.word != "" {
		if t.Hour > 12 && half.word == "am" {
			return meaning{}, false
		}
		if t.Doubt || t.Either {
			t = t.Half(half.word)
		}
	}
	from := m.from
	if t.Either && len(m.args) == 0 { // "at" makes a time of an hour that may be of either half of the day
		from = m.lead
	}
	return meaning{find: timeFind(t, from, m.to)}, true
}

// buildTimeSaid makes a time of words that are also those of a length of time: not behind
// "pendant", and not where a length is asked for.
func buildTimeSaid(s reader, m *match) (meaning, bool) {
	if s.Asked == "duration" || s.EndsTerm(m.lead, "length_lead") > 0 {
		return meaning{}, false
	}
	return buildTime(s, m)
}

// buildHoursSaid does so for hours alone, "deux heures". Where nothing decides between a time and a
// length, nothing is read.
func buildHoursSaid(s reader, m *match) (meaning, bool) {
	switch {
	case s.Timely():
		return buildTime(s, m)
	case s.Asked == "duration" || s.EndsTerm(m.lead, "length_lead") > 0:
		return meaning{}, false
	}
	return buildSkip(s, m)
}

func timeFind(t calendar.TimeOfDay, from, to int) *find.Find {
	confidence := 0.93
	if t.Either = t.Either && t.Hour > 0 && t.Hour <= 12; t.Doubt && t.Hour > 0 && t.Hour <= 12 {
		confidence = 0.75
	} else {
		t.Doubt = false
	}
	return &find.Find{Kind: "time", From: from, To: to, Value: t, Confidence: confidence, Temporal: find.Temporal{Readings: t.Readings()}}
}

// buildMoment is a day and a time together.
func buildMoment(s reader, m *match) (meaning, bool) {
	d, half := dayIn(m)
	c := m.part("clock", "at", "bare", "hours_alone")
	t := c.clock
	if half != "" && (t.Doubt || t.Either) {
		if t = t.Half(half); t.Hour == 12 && half == "night" {
			t.Hour = 24
		}
	}
	p := when.Parts{Day: dateFind(d, d.from, d.to), Clock: timeFind(t, c.from, c.to)}
	p.Last = &find.Find{To: m.to}
	f := s.Both(m.from, &p)
	f.From, f.To = m.from, m.to
	return meaning{find: f}, true
}

// buildFromNow makes a moment at some distance from now: "in zwei Stunden". A distance in days
// makes a day.
func buildFromNow(s reader, m *match) (meaning, bool) {
	d := m.part("length").length
	if d.Calendar() || d.Most() > when.MostHours {
		return meaning{}, false
	}
	step := d.ClockPart()
	if m.args[0] == "-" {
		step = -step
	}
	return meaning{find: when.MomentFound(m.from, m.to-m.from, s.Clock.Now.Add(step), 0.93)}, true
}

// buildSkip makes a find without a value of words that only look like one: "guten Morgen".
func buildSkip(_ reader, m *match) (meaning, bool) { return m.find("", nil, 0), true }

// buildClock is a time of day: an hour and what is added to it or taken away. "halb acht" is
// half an hour before eight.
func buildClock(s reader, m *match) (meaning, bool) {
	hour := m.part("hour", "hour12", "hh")
	t := calendar.TimeOfDay{Hour: int(hour.num)}
	t.Either = t.Hour >= 1 && t.Hour <= 12
	t.Doubt = t.Either && len(hour.word) < 2
	minutes := 0
	if mm := m.part("minute", "mm", "five"); mm != nil {
		minutes = int(mm.num)
	}
	if len(m.args) > 0 && m.args[0] == "before" {
		minutes = -minutes
	}
	for _, a := range m.args {
		if v, err := strconv.Atoi(a); err == nil {
			minutes += v
		}
	}
	if seconds := m.all("mm"); len(seconds) > 1 {
		t.Second = int(seconds[1].num)
	}
	if t.Hour == 24 && minutes > 0 {
		return meaning{}, false
	}
	at := 60*t.Hour + minutes
	if at < 0 {
		at += 24 * 60
	}
	if t.Hour = at / 60; t.Hour == 0 && t.Doubt && minutes < 0 {
		t.Hour = 12 // quarter to one
	}
	t.Minute = at % 60
	half := m.part("half", "half_day")
	if half == nil {
		return meaning{clock: t}, true
	}
	if t.Hour > 12 && half.word == "am" {
		return meaning{}, false
	}
	return meaning{clock: t.Half(half.word)}, true
}

// buildFixed is a time that has a name, with what is added to it: "midi et quart".
func buildFixed(_ reader, m *match) (meaning, bool) {
	minutes := int(60 * m.part("noon").num)
	for _, a := range m.args {
		if v, err := strconv.Atoi(a); err == nil {
			minutes += v
		}
	}
	if mm := m.part("minute"); mm != nil {
		if len(m.args) > 0 && m.args[0] == "before" {
			minutes -= int(mm.num)
		} else {
			minutes += int(mm.num)
		}
	}
	minutes = (minutes + 24*60) % (24 * 60)
	return meaning{clock: calendar.TimeOfDay{Hour: minutes / 60, Minute: minutes % 60}}, true
}
