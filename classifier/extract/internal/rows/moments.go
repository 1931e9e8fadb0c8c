package rows

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/when"
	"github.com/slotway/slotway/classifier/message"
)

// Parts of days, and what a day and a time make together.

// buildPartHours is a part of the day by its hours: "in the morning", "late afternoon".
func buildPartHours(s reader, m *match) (meaning, bool) {
	p, solid := m.part("day_part"), len(m.args) > 0
	cued := solid && s.Says(m.from, "around", "during", "at") || slices.Contains(m.args, "meal")
	switch meal := strings.HasSuffix(p.word, "meal"); {
	case meal && !cued, !meal && slices.Contains(m.args, "meal"):
		return meaning{}, false
	case s.Low(m.from) == "at" && strings.HasSuffix(p.word, "am"), s.Inside(m.from, m.to):
		return meaning{}, false
	}
	f, half, ok := s.partFind(m, p.word, solid)
	return meaning{find: f, word: half}, ok
}

// partFind is the find of a part of the day, which is written as its hours and a word: "8 12 am". Half is
// its half of the day.
func (s reader) partFind(m *match, hours string, solid bool) (f *find.Find, half string, ok bool) {
	fields, pick := append(strings.Fields(hours), ""), calendar.Whole
	if edge := m.part("edge"); edge != nil {
		pick = edgesByName[edge.word]
	}
	if fields[2] == "am" || fields[2] == "pm" {
		half = fields[2]
	}
	f = when.PartFound(m.from, m.to, message.Atoi(fields[0]), message.Atoi(fields[1]), pick, solid || fields[2] == "alone")
	return f, half, pick != calendar.Middle
}

// buildPartNamed is a part of a day that is said: "tomorrow morning", "late last night", "tonight".
func buildPartNamed(s reader, m *match) (meaning, bool) {
	day, part := m.part("day"), m.part("part")
	hours := "20 24 pm"
	if p := m.part("day_part"); p != nil {
		hours = p.word
	}
	out := meaning{}
	if day != nil {
		out.day = day.day
	} else {
		if which := m.part("which"); which != nil && s.Low(which.from) == "same" || strings.HasSuffix(hours, "meal") || strings.HasSuffix(hours, "alone") {
			return meaning{}, false
		}
		out.day = calendar.OneDay(s.Clock.InDays(m.shiftOf()))
		day = &meaning{day: out.day, from: m.from, to: m.to}
	}
	f := &find.Find{Date: s.dateFind(day, day.from, day.to)}
	out.find = f
	if part != nil {
		f.Time, out.word = part.find, part.word
		return out, true
	}
	f.Time, out.word, _ = s.partFind(m, hours, true)
	return out, (m.part("day") == nil || out.word != "") && !s.Inside(m.from, m.to)
}

// dayIn is the day of a match, and the part of the day that was said with it.
func (s reader) dayIn(m *match) (day, part *find.Find, half string) {
	d := m.part("weekday_day", "this_part", "dated", "dayed", "day")
	if d == nil { // the first monday evening of may
		nth, _ := buildNthOf(s, m)
		if d = &nth; nth.day.Next.IsZero() {
			return nil, nil, ""
		}
		d.from, d.to = m.from, m.to
	}
	if day, half = s.dateFind(d, d.from, d.to), d.word; d.find != nil {
		day, part = d.find.Date, d.find.Time
	}
	if p := m.part("part"); p != nil {
		part = p.find
		if half == "" {
			half = p.word
		}
	}
	return day, part, half
}

// buildMoment is a day with a time, with a range of times or with a part of the day.
func buildMoment(s reader, m *match) (meaning, bool) {
	day, part, half := s.dayIn(m)
	if day == nil {
		return meaning{}, false
	}
	p := when.Parts{Day: day, Part: part, Last: &find.Find{To: m.to}}
	c := m.part("clock", "at", "bare", "hours_alone")
	switch hours := m.part("hours"); {
	case hours != nil:
		if !hours.find.Solid && s.IsTerm(hours.find.From-1, "numbered_noun") {
			return meaning{}, false // seats 3-5 on friday
		}
		f := when.OverDay(&p, halved(hours.find, half))
		if len(m.args) > 0 {
			f.From = m.from // from today 9am to 5pm
		}
		return meaning{find: f}, true
	case c == nil && !s.Ranges:
		return meaning{find: day}, true
	case c == nil:
		return meaning{find: when.OverDay(&p, part)}, part != nil
	}
	t, from := c.clock, c.from
	word := s.PartOf(day)
	if half == "" && !s.Ranges {
		half = calendar.DayHalves[word].Half
	}
	if half != "" && (t.Doubt || t.Either) {
		if t = t.Half(half); t.Hour == 12 && (half == "night" || !s.Ranges && strings.HasSuffix(word, "night")) {
			t.Hour = 24 // midnight
		}
		from += s.TimeCue(from)
	}
	p.Clock = s.timeFind(t, from, c.to)
	return meaning{find: s.Both(m.from, &p)}, true
}

// halved is a range of times whose open ends are in a half of the day.
func halved(f *find.Find, half string) *find.Find {
	if half == "" {
		return f
	}
	span := *f.Span
	if span.From.Either {
		span.From = span.From.Half(half)
	}
	if span.To.Either {
		span.To = span.To.Half(half)
	}
	return when.SpanFound(f.From, f.To, span, true)
}

// buildHours is a range of times: "von 9 bis 17 Uhr". Bare hours are no times by themselves; what stands
// around them must say so.
func buildHours(s reader, m *match) (meaning, bool) {
	var times []calendar.TimeOfDay
	solid := false
	for k := range m.parts {
		switch p := &m.parts[k]; p.name {
		case "hour":
			times = append(times, calendar.TimeOfDay{Hour: int(p.num), Doubt: p.num >= 1 && p.num <= 12, Either: p.num >= 1 && p.num <= 12})
			solid = true
		case "clock", "at", "point_time":
			times, solid = append(times, p.clock), true
		case "hours_end":
			times, solid = append(times, p.clock), solid || p.word != "bare"
		case "hhmm":
			if len(p.word) < 4 || p.word[0] > '1' {
				return meaning{}, false // a year
			}
			t := calendar.TimeOfDay{Hour: int(p.num) / 100, Minute: int(p.num) % 100}
			t.Either = t.Hour >= 1 && t.Hour <= 12
			t.Doubt = t.Either
			times, solid = append(times, t), true
		}
	}
	if len(times) != 2 || s.Inside(m.from, m.to) {
		return meaning{}, false
	}
	f := when.SpanFound(m.from, m.to, calendar.ClockSpan{From: times[0], To: times[1]}, solid)
	if half := m.part("part"); half != nil {
		f = halved(f, half.word)
	}
	return meaning{find: f}, true
}

// buildHoursFound is a range of times that needs no day.
func buildHoursFound(_ reader, m *match) (meaning, bool) {
	f := *m.part("hours").find
	if p := m.part("part"); p != nil {
		f = *halved(&f, p.word)
		f.From, f.To = min(f.From, p.from), max(f.To, p.to)
	}
	return meaning{find: &f}, f.Solid
}

// buildPartAlone is a part of the day that needs no day.
func buildPartAlone(_ reader, m *match) (meaning, bool) {
	f := m.part("part").find
	return meaning{find: f}, f.Solid
}

// buildNow is the moment of speaking.
func buildNow(s reader, m *match) (meaning, bool) {
	return meaning{find: when.MomentFound(m.from, m.to-m.from, s.Clock.Now, 0.8)}, true
}

// buildEndOfDay is the last second of a day.
func buildEndOfDay(s reader, m *match) (meaning, bool) {
	d := calendar.OneDay(s.Clock.Today())
	if p := m.part("day"); p != nil {
		d = p.day
	}
	if d.Unreal {
		return meaning{}, false
	}
	last := func(t time.Time) time.Time { return t.AddDate(0, 0, 1).Add(-time.Second) }
	f := when.MomentFound(m.from, m.to-m.from, last(d.Picked()), 0.9)
	f.Readings = nil
	for _, r := range s.dateFind(&meaning{day: d}, m.from, m.to).Readings {
		f.Readings = append(f.Readings, calendar.Point(last(r.Start)))
	}
	return meaning{find: f}, true
}

// dayEdges are the hours of a day that "early", "mid" and "late" in it mean.
var dayEdges = map[string][2]time.Duration{"early": {0, 12}, "mid": {10, 14}, "middle": {10, 14}, "late": {12, 24}}

// buildEdgeOfDay is "early in the day wednesday", "late on friday". The next such day is meant, as in
// Microsoft's cases.
func buildEdgeOfDay(s reader, m *match) (meaning, bool) {
	d := m.part("day").day
	if d.Unreal || s.time(m.to) != nil || s.IsTerm(m.to, "day_part") {
		return meaning{}, false
	}
	hours := dayEdges[s.Low(m.from)]
	v := calendar.Interval{Start: d.Next.Add(hours[0] * time.Hour), End: d.Next.Add(hours[1] * time.Hour)}
	f := when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, v)
	f.Kind, f.Cycle, f.Confidence = "datetimerange", d.Cycle, 0.88
	return meaning{find: f}, true
}

// buildNear is "around 1pm": the point itself.
func buildNear(s reader, m *match) (meaning, bool) {
	f := *m.part("when", "moment").find
	if !f.OfDay() || f.From != m.from+1 && s.Low(m.from+1) != "at" || f.Kind == "date" && f.Cycle == calendar.Monthly {
		return meaning{}, false
	}
	f.From = m.from
	return meaning{find: &f}, true
}

// buildTheEdge is a part of the calendar behind "the": the end of 1989.
func buildTheEdge(_ reader, m *match) (meaning, bool) {
	f := m.part("period").find
	return meaning{find: f}, f.Edge != calendar.Whole || f.Unit == calendar.AQuarter || f.Unit == calendar.ANumberedYear
}

// buildBetween is a range by its ends, of which one may lack its day.
func buildBetween(s reader, m *match) (meaning, bool) {
	ends := m.all("end")
	if len(ends) != 2 || ends[0].find == nil || ends[1].find == nil || ends[0].find.Kind == "" || ends[1].find.Kind == "" {
		return meaning{}, false
	}
	a, b := *ends[0].find, *ends[1].find
	s.Share(&a, &b)
	years := a.Unit == calendar.ANumberedYear && b.Unit == calendar.ANumberedYear
	switch {
	case slices.Contains(m.args, "dated") && a.Kind == "time", years && when.RoundYears(&a, &b):
		return meaning{}, false
	case slices.Contains(m.args, "years"):
		if a.Unit != calendar.ANumberedYear {
			return meaning{}, false
		}
		if years {
			m.from = m.lead
		}
	}
	f := s.Join(&a, &b)
	if f == nil {
		return meaning{}, false
	}
	f.From, f.To, f.Confidence, f.Vague = m.from, m.to, 0.9, a.Vague || b.Vague
	v, days := f.Value.(calendar.Interval)
	beside := days && f.LastDay && v.Start.AddDate(0, 0, 1).Equal(v.End)
	return meaning{find: f}, beside || !slices.Contains(m.args, "beside")
}

// buildOpen makes an interval with one open end: "ab Montag", "3pm or later", "1/1/2015 after 2:00".
func buildOpen(s reader, m *match) (meaning, bool) {
	opens, inner := m.part("opens", "bound_tail"), (*find.Find)(nil)
	if p := m.part("end", "opened"); p != nil {
		inner = p.find
	}
	if y := m.part("yyyy"); y != nil && (opens.name == "bound_tail" || opens.to-opens.from > 2) { // as early as 2018
		inner = when.RangeFound(y.from, 1, calendar.ANumberedYear, s.Clock.Year(int(y.num)))
	}
	if d, at := m.part("day"), m.part("at"); d != nil && at != nil {
		inner = when.TimesOn(s.timeFind(at.clock, at.from, at.to), s.dateFind(d, d.from, d.to))
		inner.From = min(d.from, at.from)
	}
	if inner == nil || inner.Kind == "" || s.Low(opens.to-1) == "from" && s.IsTerm(m.to, "joiner") {
		return meaning{}, false
	}
	if opens.name == "bound_tail" {
		m.from = inner.From
	}
	f := when.Open(m.from, m.to, when.Sides[opens.word], inner)
	f.Vague = inner.Vague
	begun := s.IsTerm(m.from, "since_word") || opens.word == "since" && len(m.args) > 0
	if begun && len(f.Readings) > 0 {
		f.Value = f.Readings[0]
	}
	return meaning{find: f}, true
}

// buildMoreLess is "more than 2 days ago", "less than 3 days after tomorrow", "less than 2 hours ago".
func buildMoreLess(s reader, m *match) (meaning, bool) {
	at, more := m.part("when", "moment"), s.Low(m.from) == "more"
	length, n := s.read("length", at.from)
	if t, ok := at.find.Value.(find.Instant); ok && at.find.Date == nil {
		v, now := calendar.Interval{Start: s.Clock.Now, End: time.Time(t)}, s.Clock.Now
		behind := time.Time(t).Before(now)
		if behind {
			v = calendar.Interval{Start: time.Time(t), End: now}
		}
		switch {
		case more && behind:
			v = calendar.Interval{End: time.Time(t)}
		case more:
			v = calendar.Interval{Start: time.Time(t)}
		}
		f := when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, v)
		f.Kind = "datetimerange"
		return meaning{find: f}, true
	}
	step, whole := length.length.Steps()
	if n == 0 || !whole || at.find.Kind != "date" || at.to <= at.from+n || len(at.find.Readings) == 0 {
		return meaning{}, false
	}
	v := calendar.Interval{Start: at.find.Readings[len(at.find.Readings)-1].Start}
	switch behind := s.In(at.from+n, "counts_back"); {
	case more && behind:
		v = calendar.Interval{End: v.Start}
	case behind:
		v.End = calendar.Move(v.Start, step, 1)
	case !more:
		v = calendar.Interval{Start: calendar.Move(v.Start, step, -1), End: v.Start}
	}
	f := when.RangeFound(m.from, m.to-m.from, calendar.NoUnit, v)
	f.Vague = at.find.Vague
	return meaning{find: f}, true
}
