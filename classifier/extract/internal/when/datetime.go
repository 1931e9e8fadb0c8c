package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// OfTime recognises an expression of time at token i: without ranges a day, a time or
// both; with them the longest of all.
func (s *Reader) OfTime(i int) *find.Find {
	s.vague = false
	f := longestOfTime(s, i)
	if f == nil || !f.InCalendar() {
		return nil
	}
	f.Vague = s.vague
	return f
}

func longestOfTime(s *Reader, i int) *find.Find {
	if !s.Ranges {
		if f := moment(s, i); f != nil {
			return f
		}
		return whenever(s, i)
	}
	var best *find.Find
	for _, rule := range [...]func(*Reader, int) *find.Find{
		moment, bounded, dayRange, between, whenever, period, nthDayAt, edgeOfDay,
	} {
		best = find.Longer(best, rule(s, i))
	}
	return best
}

// Parts holds the pieces of one expression, each at most once, in any order.
type Parts struct {
	Day, Clock *find.Find // a date and a time
	part, span *find.Find // a part of the day and a range of times
	Last       *find.Find // the piece read last
	bare       bool       // no range of times is looked for
}

// whenever reads a day and a time together, or one of the two alone: "friday at 5",
// "3-5pm tomorrow", "monday morning". The pieces keep their own spans, for params of type
// date and time.
func whenever(s *Reader, i int) *find.Find {
	var p Parts
	if f := whole(s, i, &p); f != nil || p.span == nil {
		return f
	}
	return whole(s, i, &Parts{bare: true}) // bare hours were no range: ten to five
}

func whole(s *Reader, i int, p *Parts) *find.Find {
	for j := i; ; j = p.Last.To {
		f := piece(s, p, j)
		if f == nil && p.Last != nil {
			if k := glue(s, p, j); k > 0 {
				f = piece(s, p, j+k)
			}
		}
		if f == nil {
			break
		}
		p.Last = f
	}
	if p.Last == nil {
		return nil
	}
	return compose(s, i, p)
}

// glue counts the tokens that may join the next piece to the ones before.
func glue(s *Reader, p *Parts, i int) int {
	switch s.Low(i) {
	case ",", "on":
		if s.Low(i) == "," && s.Low(i+1) == "on" {
			return 2
		}
		return 1
	case "at":
		if s.Says(i+1, "around", "about") {
			return 2
		}
	case "for":
		return 1
	case "of", "in":
		if p.Day == nil && s.Ranges {
			return 1
		}
	case "-", "around", "by":
		if p.Day != nil && p.Clock == nil && !(s.Ranges && s.Low(i) == "by") {
			return 1
		}
	}
	if isoTime(s, i) {
		return 1
	}
	return 0
}

// piece reads one more piece at token j and notes it in p.
func piece(s *Reader, p *Parts, j int) *find.Find {
	if s.Ranges && p.Day == nil && p.part == nil {
		if d, part := relativePart(s, j); d != nil {
			p.Day, p.part = d, part
			return part
		}
	}
	timed := p.Clock != nil || p.span != nil
	if s.Ranges && !timed && !p.bare {
		if p.span = clockRange(s, j); p.span != nil {
			return p.span
		}
	}
	if p.Day == nil {
		if p.Day = s.Date(j); p.Day != nil {
			return p.Day
		}
	}
	if !timed {
		if p.Clock = s.ClockTime(j); p.Clock != nil {
			return p.Clock
		}
	}
	if p.part == nil && (s.Ranges || p.Day != nil && (!timed || p.Last == p.Day)) {
		if p.part = daypart(s, j); p.part != nil {
			return p.part
		}
	}
	return nil
}

// compose makes one find of the pieces, or of the first ones where they do not fit.
func compose(s *Reader, from int, p *Parts) *find.Find {
	switch {
	case p.span != nil:
		return composeSpan(s, from, p)
	case p.Clock != nil:
		half, part := "", ""
		if p.part != nil {
			half = p.part.Half
		}
		if p.Day != nil && !s.Ranges {
			if part = partOf(s, p.Day); half == "" {
				half = calendar.DayHalves[part].Half
			}
		}
		if v, ok := p.Clock.Value.(calendar.TimeOfDay); ok && half != "" && (v.Doubt || v.Either) {
			if v = v.Half(half); v.Hour == 12 && (part == "night" || part == "tonight") {
				v.Hour = 24 // midnight
			}
			p.Clock.Value, p.Clock.Confidence, p.Clock.Readings = v, 0.93, v.Readings()
			p.Clock.From += s.TimeCue(p.Clock.From)
		}
		if p.Day == nil {
			p.Clock.To = max(p.Clock.To, p.Last.To)
			if p.part != nil {
				p.Clock.From = min(p.Clock.From, p.part.From)
			}
			return p.Clock
		}
		return s.Both(from, p)
	case p.part == nil || !s.Ranges:
		return p.Day
	case p.Day == nil:
		if !p.part.Solid {
			return nil
		}
		return p.part
	}
	return OverDay(p, p.part)
}

// composeSpan makes a find of a range of times and what stands beside it.
func composeSpan(s *Reader, from int, p *Parts) *find.Find {
	if !p.span.Solid && s.IsTerm(p.span.From-1, "numbered_noun") {
		return nil // seats 3-5 on friday
	}
	span := *p.span.Span
	if p.part != nil && p.part.Half != "" {
		if span.From.Either {
			span.From = span.From.Half(p.part.Half)
		}
		if span.To.Either {
			span.To = span.To.Half(p.part.Half)
		}
		p.span = SpanFound(p.span.From, p.span.To, span, true)
	}
	if p.Day != nil {
		return OverDay(p, p.span)
	}
	if !p.span.Solid {
		return nil
	}
	p.span.From, p.span.To = min(p.span.From, max(from, p.span.From)), max(p.span.To, p.Last.To)
	if p.part != nil {
		p.span.From = min(p.span.From, p.part.From)
	}
	return p.span
}

// numbered are nouns that numbers, not times, follow.

// OverDay puts a range of times on a day.
func OverDay(p *Parts, span *find.Find) *find.Find {
	day := p.Day
	f := &find.Find{Kind: "datetimerange", From: min(day.From, span.From), To: max(day.To, span.To, p.Last.To), Confidence: min(day.Confidence, span.Confidence)}
	if p.part != nil {
		f.From = min(f.From, p.part.From)
	}
	if len(day.Readings) == 0 {
		return day
	}
	for _, d := range day.Readings {
		for _, t := range span.Readings {
			f.Readings = append(f.Readings, t.OnDay(d.Start))
		}
	}
	t, ok := span.Value.(calendar.Interval)
	d, isDay := day.Value.(time.Time)
	if ok && isDay {
		f.Value = t.OnDay(d)
	}
	f.Cycle = day.Cycle
	return f
}

// Both makes a datetime of a day and a time.
func (s *Reader) Both(from int, p *Parts) *find.Find {
	d, t := p.Day, p.Clock
	day, ok := d.Value.(time.Time)
	clock, ok2 := t.Value.(calendar.TimeOfDay)
	if !ok || !ok2 {
		return d // a day that is in no calendar
	}
	at := clock.Settle().On(day)
	if want := clock.Settle(); want.Hour < 24 && at.Hour() != want.Hour {
		return &find.Find{Kind: "date", From: min(d.From, t.From), To: max(d.To, t.To), Confidence: d.Confidence, Temporal: find.Temporal{Unreal: true}} // the clocks leap over it
	}
	if clock.Doubt && at.Hour() < 12 && at.Before(s.Clock.Now) && day.Equal(s.Clock.Today()) {
		at = at.Add(12 * time.Hour) // "today at 9" said in the afternoon
	}
	f := &find.Find{
		Kind: "datetime", From: min(d.From, t.From), To: max(d.To, t.To), Value: find.Instant(at),
		Confidence: min(d.Confidence, t.Confidence), Date: d, Time: t,
	}
	if p.part != nil {
		f.From, f.To = min(f.From, p.part.From), max(f.To, p.part.To)
	}
	f.Cycle = d.Cycle
	for _, day := range d.Readings {
		for _, t := range t.Readings {
			f.Readings = append(f.Readings, t.OnDay(day.Start))
		}
	}
	return f
}

// moment reads now, "in 2 hours", "30 minutes ago", "an hour from now", "end of day".
func moment(s *Reader, i int) *find.Find {
	if n := nowAt(s, i); n > 0 {
		return MomentFound(i, n, s.Clock.Now, 0.8)
	}
	if s.Ranges {
		if f := endOfDay(s, i); f != nil {
			return f
		}
	}
	n := s.Skip(i, "in")
	ahead := n > 0
	d, k := s.length(i + n)
	if k == 0 || d.Calendar() || d.Most() > MostHours {
		return nil
	}
	n += k
	step := d.ClockPart()
	tail := s.Skip(i+n, "ago")
	switch {
	case tail > 0 && !ahead:
		step = -step
	default:
		if tail = fromNow(s, i+n); tail == 0 && !ahead {
			return nil
		}
	}
	return MomentFound(i, n+tail, s.Clock.Now.Add(step), 0.93)
}

// nowAt counts the tokens of a word for now.
func nowAt(s *Reader, i int) int {
	if s.Low(i-1) != "every" {
		if n := s.count(i, "now_word"); n > 0 && (s.Ranges || n == 1 && s.Low(i) == "now" && s.Timely()) {
			return n
		}
	}
	if s.atRangeEnd {
		return s.count(i, "present_word")
	}
	return 0
}

// fromNow counts the words behind a length that put it ahead: "from now", "later", but not
// "later than", "later this week" and "later in".
func fromNow(s *Reader, i int) int {
	n := s.count(i, "moment_tail")
	if n == 0 || s.Low(i+n) == "than" || s.IsTerm(i+n, "which") || n == 1 && s.Low(i+1) == "in" {
		return 0
	}
	return n
}

// MostHours is the greatest number of hours in a moment, so that no duration overflows.
const MostHours = 1e6

// MomentFound is the find of a moment in n tokens at i.
func MomentFound(i, n int, t time.Time, confidence float64) *find.Find {
	return &find.Find{Kind: "datetime", From: i, To: i + n, Value: find.Instant(t), Confidence: confidence, Temporal: find.Temporal{Readings: []calendar.Interval{calendar.Point(t)}}}
}

// endOfDay reads "end of day", "the end of tomorrow": its last second.
func endOfDay(s *Reader, i int) *find.Find {
	n := s.Skip(i, "the")
	if w := s.Low(i + n); w != "end" && w != "eod" {
		return nil
	}
	last := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 23, 59, 59, 0, t.Location())
	}
	if k := s.count(i, "day_end_word"); k > 0 {
		day := s.Clock.Today()
		if f := s.Date(i + k); f != nil && len(f.Readings) == 1 { // end of day tomorrow
			day, k = f.Readings[0].Start, f.To-i
		}
		return MomentFound(i, k, last(day), 0.9)
	}
	if s.Low(i+n+1) != "of" {
		return nil
	}
	j := i + n + 2
	if s.Low(j) == "the" && s.IsTerm(j+1, "weekday") {
		j++
	}
	day := s.Date(j)
	if day == nil || len(day.Readings) == 0 {
		return nil
	}
	t, ok := day.Value.(time.Time)
	if !ok {
		return nil
	}
	f := MomentFound(i, day.To-i, last(t), 0.9)
	f.Readings = nil
	for _, r := range day.Readings {
		f.Readings = append(f.Readings, calendar.Point(last(r.Start)))
	}
	return f
}
