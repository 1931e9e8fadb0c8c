package extract

import (
	"slices"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/people"
)

// half completes a day alone or a time alone for a param of type datetime: with the known value of
// the param, or with a value elsewhere in the message. The known value may be a whole datetime, or
// a day: "2006-01-02".
func (x *Extractor) half(s *reading, in *classifier.Input, param string, f *find.Find, finds []find.Find) (value string, ok bool) {
	known, hasDay, hasTime := moment(in.Params[param], s.Clock.Now.Location())
	switch v := f.Value.(type) {
	case calendar.TimeOfDay:
		day, one := onlyDay(finds)
		if !one {
			day, one = known, hasDay
		}
		if !one {
			return "", false
		}
		at := v.Settle().On(day)
		if v.Doubt && at.Hour() < 12 && at.Before(s.Clock.Now) && day.Equal(s.Clock.Today()) {
			at = at.Add(12 * time.Hour)
		}
		return at.Format(calendar.DateTime), true
	case time.Time:
		if clock, one := onlyTime(finds); one {
			return clock.Settle().On(v).Format(calendar.DateTime), true
		}
		if hasTime {
			t := calendar.TimeOfDay{Hour: known.Hour(), Minute: known.Minute(), Second: known.Second()}
			return t.On(v).Format(calendar.DateTime), true
		}
	}
	return "", false
}

// moment reads the known value of a param of type datetime.
func moment(value any, in *time.Location) (t time.Time, hasDay, hasTime bool) {
	text, ok := value.(string)
	if !ok {
		return t, false, false
	}
	if t, err := time.ParseInLocation(calendar.DateTime, text, in); err == nil {
		y, m, d := t.Date()
		if len(text) == len(calendar.DateTime) {
			return t, y > 0 && m > 0 && d > 0, true
		}
	}
	t, err := time.ParseInLocation(time.DateOnly, text, in)
	return t, err == nil, false
}

// onlyDay returns the only day of a message that names no time with it.
func onlyDay(finds []find.Find) (day time.Time, one bool) {
	for i := range finds {
		if finds[i].Kind != "date" {
			continue
		}
		t, ok := finds[i].Value.(time.Time)
		if !ok || one {
			return time.Time{}, false
		}
		day, one = t, true
	}
	return day, one
}

// onlyTime returns the only time of a message that names no day with it.
func onlyTime(finds []find.Find) (clock calendar.TimeOfDay, one bool) {
	for i := range finds {
		if finds[i].Kind != "time" || finds[i].Vague {
			continue
		}
		t, ok := finds[i].Value.(calendar.TimeOfDay)
		if !ok || one {
			return calendar.TimeOfDay{}, false
		}
		clock, one = t, true
	}
	return clock, one
}

// standsAsTime reports whether a plain number may answer a question for a time: it counts no
// people, names nothing, and the message holds no other time.
func (x *Extractor) standsAsTime(s *reading, f *find.Find, companies []people.Company, finds []find.Find) bool {
	if !s.HourEnds(f.To) || people.Within(companies, f) || s.namesThing(f) || x.countsElse(s, f) {
		return false
	}
	clocked := slices.ContainsFunc(finds, func(g find.Find) bool { return g.Kind == "time" || g.Kind == "datetime" })
	return !clocked || s.Low(f.To) == "or" || s.In(f.From-1, "hour_link") || s.SymbolAt(f.From-1, ",") && s.In(f.From-2, "hour_link")
}

// bareHour gives a plain number to the params of a type of times that it answers.
func (x *Extractor) bareHour(s *reading, in *classifier.Input, r *recogniser, f *find.Find, finds []find.Find, c *collector) {
	if in.Asked == nil || !slices.Contains(r.params, in.Asked.Param) || s.inAddress(f) {
		return
	}
	clock, ok := s.BareClock(f)
	if !ok {
		return
	}
	g := find.Bent(f)
	g.Kind, g.Value = "time", clock
	dated := r.Builtin == "datetime" && slices.ContainsFunc(finds, func(f find.Find) bool { return f.Day() != nil })
	if x.leftOpen(s, r, g, in.Asked.Param, dated, c) {
		return
	}
	held := known(in, in.Asked.Param)
	g = s.likeKnown(g, held)
	v, _, ok := s.asTime(g, "time", true)
	if r.Builtin == "datetime" { // the other half of a day that was said before
		if _, day, _ := moment(held, s.Clock.Now.Location()); !day {
			return
		}
		v, ok = x.half(s, in, in.Asked.Param, g, finds)
	}
	if start, end := s.Tokens[f.From].Start, s.Tokens[f.To-1].End; ok && r.agrees(s.Text[start:end]) {
		c.bytes(in.Asked.Param, v, start, end, "builtin", g.Confidence)
	}
}
