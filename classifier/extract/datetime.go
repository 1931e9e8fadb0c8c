package extract

import (
	"slices"
	"time"
)

// ofTime recognises an expression of time at token i: without ranges a day, a time or
// both; with them the longest of all.
func (s *scan) ofTime(i int) *found {
	s.vague = false
	f := s.longestOfTime(i)
	if f == nil || !f.inCalendar() {
		return nil
	}
	f.vague = s.vague
	return f
}

// inCalendar drops the readings that lie outside of the years 1 to 9999, which are all
// that can be written, and reports whether the value is within.
func (f *found) inCalendar() bool {
	fits := func(t time.Time) bool { return t.IsZero() || t.Year() >= 1 && t.Year() <= 9999 }
	within := func(v interval) bool { return fits(v.start) && fits(v.end) }
	if f.kind != "time" && f.kind != "timerange" {
		f.readings = slices.DeleteFunc(f.readings, func(v interval) bool { return !within(v) })
	}
	switch v := f.value.(type) {
	case time.Time:
		return fits(v)
	case instant:
		return fits(time.Time(v))
	case interval:
		return within(v) && v != (interval{})
	}
	return true
}

func (s *scan) longestOfTime(i int) *found {
	if !s.ranges {
		if f := s.moment(i); f != nil {
			return f
		}
		return s.whenever(i)
	}
	var best *found
	for _, rule := range [...]func(*scan, int) *found{
		(*scan).moment, (*scan).recurrence, (*scan).bounded, (*scan).dayRange, (*scan).between, (*scan).whenever, (*scan).period, (*scan).nthDayAt, (*scan).edgeOfDay,
	} {
		if f := rule(s, i); f != nil && (best == nil || f.to > best.to) {
			best = f
		}
	}
	return best
}

// parts are the pieces of one expression, each at most once, in any order.
type parts struct {
	day, clock *found // a date and a time
	part, span *found // a part of the day and a range of times
	last       *found // the piece read last
	bare       bool   // no range of times is looked for
}

// whenever reads a day and a time together, or one of the two alone: "friday at 5",
// "3-5pm tomorrow", "monday morning". The pieces keep their own spans, for params of type
// date and time.
func (s *scan) whenever(i int) *found {
	var p parts
	if f := s.whole(i, &p); f != nil || p.span == nil {
		return f
	}
	return s.whole(i, &parts{bare: true}) // bare hours were no range: ten to five
}

func (s *scan) whole(i int, p *parts) *found {
	for j := i; ; j = p.last.to {
		f := s.piece(p, j)
		if f == nil && p.last != nil {
			if k := s.glue(p, j); k > 0 {
				f = s.piece(p, j+k)
			}
		}
		if f == nil {
			break
		}
		p.last = f
	}
	if p.last == nil {
		return nil
	}
	return s.compose(i, p)
}

// glue counts the tokens that may join the next piece to the ones before.
func (s *scan) glue(p *parts, i int) int {
	switch s.low(i) {
	case ",", "on":
		if s.low(i) == "," && s.low(i+1) == "on" {
			return 2
		}
		return 1
	case "at":
		if s.low(i+1) == "around" || s.low(i+1) == "about" {
			return 2
		}
	case "for":
		return 1
	case "of", "in":
		if p.day == nil && s.ranges {
			return 1
		}
	case "-", "around", "by":
		if p.day != nil && p.clock == nil && !(s.ranges && s.low(i) == "by") {
			return 1
		}
	}
	if s.isoTime(i) {
		return 1
	}
	return 0
}

// piece reads one more piece at token j and notes it in p.
func (s *scan) piece(p *parts, j int) *found {
	if s.ranges && p.day == nil && p.part == nil {
		if d, part := s.relativePart(j); d != nil {
			p.day, p.part = d, part
			return part
		}
	}
	timed := p.clock != nil || p.span != nil
	if s.ranges && !timed && !p.bare {
		if p.span = s.clockRange(j); p.span != nil {
			return p.span
		}
	}
	if p.day == nil {
		if p.day = s.date(j); p.day != nil {
			return p.day
		}
	}
	if !timed {
		if p.clock = s.clockTime(j); p.clock != nil {
			return p.clock
		}
	}
	if p.part == nil && (s.ranges || p.day != nil && (!timed || p.last == p.day)) {
		if p.part = s.daypart(j); p.part != nil {
			return p.part
		}
	}
	return nil
}

// compose makes one find of the pieces, or of the first ones where they do not fit.
func (s *scan) compose(from int, p *parts) *found {
	switch {
	case p.span != nil:
		return s.composeSpan(from, p)
	case p.clock != nil:
		half, part := "", ""
		if p.part != nil {
			half = p.part.half
		}
		if p.day != nil && !s.ranges {
			if part = s.partOf(p.day); half == "" {
				half = dayHalves[part].half
			}
		}
		if v, ok := p.clock.value.(timeOfDay); ok && half != "" && (v.doubt || v.either) {
			if v = v.half(half); v.hour == 12 && (part == "night" || part == "tonight") {
				v.hour = 24 // midnight
			}
			p.clock.value, p.clock.confidence, p.clock.readings = v, 0.93, v.readings()
			p.clock.from += s.timeCue(p.clock.from)
		}
		if p.day == nil {
			p.clock.to = max(p.clock.to, p.last.to)
			if p.part != nil {
				p.clock.from = min(p.clock.from, p.part.from)
			}
			return p.clock
		}
		return s.both(from, p)
	case p.part == nil || !s.ranges:
		return p.day
	case p.day == nil:
		if !p.part.solid {
			return nil
		}
		return p.part
	}
	return overDay(p, p.part)
}

// composeSpan makes a find of a range of times and what stands beside it.
func (s *scan) composeSpan(from int, p *parts) *found {
	if !p.span.solid && s.is(p.span.from-1, numbered) {
		return nil // seats 3-5 on friday
	}
	span := *p.span.span
	if p.part != nil && p.part.half != "" {
		if span.from.either {
			span.from = span.from.half(p.part.half)
		}
		if span.to.either {
			span.to = span.to.half(p.part.half)
		}
		p.span = spanFound(p.span.from, p.span.to, span, true)
	}
	if p.day != nil {
		return overDay(p, p.span)
	}
	if !p.span.solid {
		return nil
	}
	p.span.from, p.span.to = min(p.span.from, max(from, p.span.from)), max(p.span.to, p.last.to)
	if p.part != nil {
		p.span.from = min(p.span.from, p.part.from)
	}
	return p.span
}

// numbered are nouns that numbers, not times, follow.
var numbered = words(`seat seats gate gates room rooms row rows page pages chapter chapters step steps line lines lot lots unit units
	apartment channel channels table tables version versions item items order orders option options size sizes level levels floor floors`)

// overDay puts a range of times on a day.
func overDay(p *parts, span *found) *found {
	day := p.day
	f := &found{kind: "datetimerange", from: min(day.from, span.from), to: max(day.to, span.to, p.last.to), confidence: min(day.confidence, span.confidence)}
	if p.part != nil {
		f.from = min(f.from, p.part.from)
	}
	if len(day.readings) == 0 {
		return day
	}
	for _, d := range day.readings {
		for _, t := range span.readings {
			f.readings = append(f.readings, t.onDay(d.start))
		}
	}
	t, ok := span.value.(interval)
	d, isDay := day.value.(time.Time)
	if ok && isDay {
		f.value = t.onDay(d)
	}
	f.cycle = day.cycle
	return f
}

// both makes a datetime of a day and a time.
func (s *scan) both(from int, p *parts) *found {
	d, t := p.day, p.clock
	day, ok := d.value.(time.Time)
	clock, ok2 := t.value.(timeOfDay)
	if !ok || !ok2 {
		return d // a day that is in no calendar
	}
	at := clock.settle().on(day)
	if clock.doubt && at.Hour() < 12 && at.Before(s.clock.now) && day.Equal(s.clock.today()) {
		at = at.Add(12 * time.Hour) // "today at 9" said in the afternoon
	}
	f := &found{
		kind: "datetime", from: min(d.from, t.from), to: max(d.to, t.to), value: instant(at),
		confidence: min(d.confidence, t.confidence), date: d, time: t,
	}
	if p.part != nil {
		f.from, f.to = min(f.from, p.part.from), max(f.to, p.part.to)
	}
	f.cycle = d.cycle
	for _, day := range d.readings {
		for _, t := range t.readings {
			f.readings = append(f.readings, t.onDay(day.start))
		}
	}
	return f
}

var (
	nowWords = []string{
		"now", "right now", "just now", "as soon as possible", "asap", "recently", "previously", "at the present time", "at present",
		"at this time", "at this moment", "at the moment", "at the present moment", "present time", "this moment", "this minute", "currently",
	}
	nowHeads = words("now right just as asap recently previously at present this currently")
	dayEnds  = []string{"end of day", "the end of day", "end of the day", "the end of the day", "eod"}
)

// moment reads now, "in 2 hours", "30 minutes ago", "an hour from now", "end of day".
func (s *scan) moment(i int) *found {
	if s.is(i, nowHeads) && s.low(i-1) != "every" {
		if n := s.phrase(i, nowWords); n > 0 && (s.ranges || n == 1 && s.low(i) == "now" && (s.asked == "datetime" || s.asked == "time")) {
			return momentFound(i, n, s.clock.now, 0.8)
		}
	}
	if s.atRangeEnd {
		if n := s.phrase(i, presentWords); n > 0 {
			return momentFound(i, n, s.clock.now, 0.8)
		}
	}
	if s.ranges {
		if f := s.endOfDay(i); f != nil {
			return f
		}
	}
	n, ahead := 0, false
	if s.low(i) == "in" {
		n, ahead = 1, true
	}
	d, k := s.length(i + n)
	if v, m := s.amount(i + n); k == 0 && m > 0 && v == 1 && (ahead || s.low(i+n+m+1) == "ago") { // a minute ago
		if d, k = s.lengthOf(v, i+n+m); k > 0 {
			k += m
		}
	}
	if k == 0 || d.calendar() || d.most() > mostHours {
		return nil
	}
	n += k
	step := d.clockPart()
	if tail := s.phrase(i+n, agoWords[:1]); tail > 0 && !ahead {
		n, step = n+tail, -step
	} else if tail := s.phrase(i+n, momentTails); tail > 0 && s.low(i+n+tail) != "than" && !relativesAt(s, i+n+tail) && !(tail == 1 && s.low(i+n+1) == "in") {
		n += tail
	} else if !ahead {
		return nil
	}
	return momentFound(i, n, s.clock.now.Add(step), 0.93)
}

// mostHours bounds what is counted in a moment, so that no duration overflows.
const mostHours = 1e6

var momentTails = []string{"from now", "later"}

func momentFound(i, n int, t time.Time, confidence float64) *found {
	return &found{kind: "datetime", from: i, to: i + n, value: instant(t), confidence: confidence, temporal: temporal{readings: []interval{point(t)}}}
}

// endOfDay reads "end of day", "the end of tomorrow": its last second.
func (s *scan) endOfDay(i int) *found {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	if w := s.low(i + n); w != "end" && w != "eod" {
		return nil
	}
	last := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 23, 59, 59, 0, t.Location())
	}
	if k := s.phrase(i, dayEnds); k > 0 {
		day := s.clock.today()
		if f := s.date(i + k); f != nil && len(f.readings) == 1 { // end of day tomorrow
			day, k = f.readings[0].start, f.to-i
		}
		return momentFound(i, k, last(day), 0.9)
	}
	if s.low(i+n+1) != "of" {
		return nil
	}
	j := i + n + 2
	if s.low(j) == "the" && s.is(j+1, weekdayNames) {
		j++
	}
	day := s.date(j)
	if day == nil || len(day.readings) == 0 {
		return nil
	}
	t, ok := day.value.(time.Time)
	if !ok {
		return nil
	}
	f := momentFound(i, day.to-i, last(t), 0.9)
	f.readings = nil
	for _, r := range day.readings {
		f.readings = append(f.readings, point(last(r.start)))
	}
	return f
}
