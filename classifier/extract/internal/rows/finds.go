package rows

import (
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
	return meaning{find: s.dateFind(p, m.from, m.to)}, true
}

// buildDayAlone is a day named by its number alone, behind a word that leads to a day.
func buildDayAlone(s reader, m *match) (meaning, bool) {
	d, ok := buildDayOfMonth(s, m)
	return meaning{find: s.dateFind(&d, m.from, m.to)}, ok
}

// buildDayAsked is the same where a day is asked for and nothing leads to it.
func buildDayAsked(s reader, m *match) (meaning, bool) {
	if !s.DatesAsked() {
		return meaning{}, false
	}
	return meaning{find: s.dateFind(m.part("dom_day"), m.from, m.to)}, true
}

// buildFiguresSaid is a day in figures, 24/12, that may be a share of something unless it can
// be nothing else, a word leads to it or a day is asked for.
func buildFiguresSaid(s reader, m *match) (meaning, bool) {
	if s.DatesAsked() || m.part("dom").num > 12 || s.EndsTerm(m.from, "day_lead") > 0 {
		return buildMonthDay(s, m)
	}
	return meaning{}, false
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

// dateFind is the find of a day, as the English rules make it.
func (s reader) dateFind(p *meaning, from, to int) *find.Find {
	d := p.day
	f := &find.Find{Kind: "date", From: from, To: to, Confidence: 0.93, Temporal: find.Temporal{Cycle: d.Cycle, Unreal: d.Unreal, Clash: d.Clash, EitherFirst: d.EitherFirst, Moves: d.Moves, Vague: p.vague}}
	if d.Unreal {
		return f
	}
	f.Value = d.Picked()
	f.Readings = []calendar.Interval{calendar.Point(d.Next)}
	if !d.Sure() && !d.Past.IsZero() {
		f.Readings = []calendar.Interval{calendar.Point(d.Past), calendar.Point(d.Next)}
		if s.EndsTerm(from, "since_word") > 0 {
			f.Value = d.Past // it has begun
		}
	}
	return f
}

// buildTime is a time of day that stands by itself, in the half of the day beside it.
func buildTime(s reader, m *match) (meaning, bool) {
	if s.Ranges && len(m.args) > 0 && m.args[0] == "end" {
		return meaning{}, false // what stands before it makes a range of it
	}
	p := m.part("clock", "at", "bare", "told", "hours_alone")
	t, from := p.clock, p.from
	if half := m.part("part"); half != nil {
		from = min(from, half.from)
		if t.Hour > 12 && half.word == "am" {
			return meaning{}, false
		}
		if half.word != "" && (t.Doubt || t.Either) {
			t = t.Half(half.word)
		}
	}
	if t.Doubt && len(m.args) == 0 { // "at" makes a time of an hour that may be of either half of the day
		from = min(from, m.lead)
	}
	return meaning{find: s.timeFind(t, from, m.to)}, true
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

// timeFind is the find of a time, in the half of the day before it: "evening 7:30".
func (s reader) timeFind(t calendar.TimeOfDay, from, to int) *find.Find {
	cue := s.TimeCue(from - 1)
	if half, part := s.PartBefore(from - cue); t.Either && t.Likely(part) && s.Low(from-cue-2) != "good" {
		t, from = t.Half(half), from+s.TimeCue(from)
	}
	confidence := 0.93
	if t.Either = t.Either && t.Hour > 0 && t.Hour <= 12; t.Doubt && t.Hour > 0 && t.Hour <= 12 {
		confidence = 0.75
	} else {
		t.Doubt = false
	}
	return &find.Find{Kind: "time", From: from, To: to, Value: t, Confidence: confidence, Temporal: find.Temporal{Readings: t.Readings()}}
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
	f := when.MomentFound(m.from, m.to-m.from, s.Clock.Now.Add(step), 0.93)
	f.Vague = d.Vague
	return meaning{find: f}, true
}

// buildSkip makes a find without a value of words that only look like one: "guten Morgen".
func buildSkip(_ reader, m *match) (meaning, bool) { return m.find("", nil, 0), true }
