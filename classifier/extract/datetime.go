package extract

import "time"

// datetime recognises a day and a time together, a moment counted from now, or one of
// the two parts alone. Parts keep their own spans, for params of type date and time.
func (s *scan) datetime(i int) *found {
	if f := s.moment(i); f != nil {
		return f
	}
	if d := s.date(i); d != nil {
		if t := s.timeAfter(d); t != nil {
			return s.both(d, t)
		}
		return d
	}
	t := s.clockTime(i)
	if t == nil {
		return nil
	}
	j := t.to
	if s.symbolAt(j, ",") || s.low(j) == "on" || s.low(j) == "for" {
		j++
	}
	if d := s.date(j); d != nil {
		return s.both(d, t)
	}
	return t
}

// timeAfter looks for the time that follows a date.
func (s *scan) timeAfter(d *found) *found {
	j := d.to
	if s.symbolAt(j, ",-") || s.isoTime(j) {
		j++
	}
	part := partOnly[s.low(j)]
	if part != "" { // tomorrow morning at 9
		j++
	}
	if s.low(j) == "for" || s.low(j) == "around" || s.low(j) == "by" {
		j++
	}
	t := s.clockTime(j)
	if t == nil {
		return nil
	}
	if part == "" && s.low(d.to-1) == "tonight" {
		part = "pm"
	}
	if v, ok := t.value.(timeOfDay); ok && part != "" && v.doubt {
		t.value, t.confidence = v.half(part), 0.93
	}
	return t
}

func (s *scan) both(d, t *found) *found {
	day, ok := d.value.(time.Time)
	clock, ok2 := t.value.(timeOfDay)
	if !ok || !ok2 {
		return nil // not reached: date and clockTime set these
	}
	at := clock.settle().on(day)
	if clock.doubt && at.Hour() < 12 && at.Before(s.clock.now) && day.Equal(s.clock.today()) {
		at = at.Add(12 * time.Hour) // "today at 9" said in the afternoon
	}
	return &found{
		kind: "datetime", from: min(d.from, t.from), to: max(d.to, t.to), value: instant(at),
		confidence: min(d.confidence, t.confidence), date: d, time: t,
	}
}

// moment reads now, "in 2 hours", "30 minutes ago", "an hour from now".
func (s *scan) moment(i int) *found {
	if s.low(i) == "now" && (s.asked == "datetime" || s.asked == "time") {
		return &found{kind: "datetime", from: i, to: i + 1, value: instant(s.clock.now), confidence: 0.8}
	}
	n, ahead := 0, false
	if s.low(i) == "in" {
		n, ahead = 1, true
	}
	d, k := s.length(i + n)
	if k == 0 || d.calendar() {
		return nil
	}
	n += k
	step := d.clockPart()
	if tail := s.phrase(i+n, []string{"ago"}); tail > 0 && !ahead {
		n, step = n+tail, -step
	} else if tail := s.phrase(i+n, []string{"from now", "later"}); tail > 0 {
		n += tail
	} else if !ahead {
		return nil
	}
	return &found{kind: "datetime", from: i, to: i + n, value: instant(s.clock.now.Add(step)), confidence: 0.93}
}
