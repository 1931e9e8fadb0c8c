package extract

import (
	"time"

	"github.com/slotway/slotway/classifier"
)

// half gives a param of type datetime what a day alone or a time alone says together with
// the other half: of what the param holds, or of what stands elsewhere in the message. What
// a param holds may be a whole datetime, or a day that was said before: "2006-01-02".
func (x *Extractor) half(s *scan, in *classifier.Input, param string, f *found, finds []found) (value string, ok bool) {
	known, hasDay, hasTime := moment(in.Params[param], s.clock.now.Location())
	switch v := f.value.(type) {
	case timeOfDay:
		day, one := onlyDay(finds)
		if !one {
			day, one = known, hasDay
		}
		if !one {
			return "", false
		}
		at := v.settle().on(day)
		if v.doubt && at.Hour() < 12 && at.Before(s.clock.now) && day.Equal(s.clock.today()) {
			at = at.Add(12 * time.Hour)
		}
		return at.Format(dateTime), true
	case time.Time:
		if clock, one := onlyTime(finds); one {
			return clock.settle().on(v).Format(dateTime), true
		}
		if hasTime {
			t := timeOfDay{hour: known.Hour(), minute: known.Minute(), second: known.Second()}
			return t.on(v).Format(dateTime), true
		}
	}
	return "", false
}

// moment reads what a param of type datetime holds.
func moment(value any, in *time.Location) (t time.Time, hasDay, hasTime bool) {
	text, ok := value.(string)
	if !ok {
		return t, false, false
	}
	if t, err := time.ParseInLocation(dateTime, text, in); err == nil {
		y, m, d := t.Date()
		if len(text) == len(dateTime) {
			return t, y > 0 && m > 0 && d > 0, true
		}
	}
	t, err := time.ParseInLocation(time.DateOnly, text, in)
	return t, err == nil, false
}

// onlyDay is the day that a message names, if it names one without a time.
func onlyDay(finds []found) (day time.Time, one bool) {
	for i := range finds {
		if finds[i].kind != "date" {
			continue
		}
		t, ok := finds[i].value.(time.Time)
		if !ok || one {
			return time.Time{}, false
		}
		day, one = t, true
	}
	return day, one
}

// onlyTime is the time that a message names, if it names one without a day.
func onlyTime(finds []found) (clock timeOfDay, one bool) {
	for i := range finds {
		if finds[i].kind != "time" {
			continue
		}
		t, ok := finds[i].value.(timeOfDay)
		if !ok || one {
			return timeOfDay{}, false
		}
		clock, one = t, true
	}
	return clock, one
}
