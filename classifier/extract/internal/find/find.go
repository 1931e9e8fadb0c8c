// Package find holds what the recognisers return: a value with its place and its readings.
package find

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/message"
)

// EndPoints returns the days for which a find stands at the end of a range.
func (f *Find) EndPoints() []time.Time {
	var out []time.Time
	for _, r := range f.Readings {
		t := r.Start
		switch {
		case f.Edge == calendar.Tail:
			t = r.End
		case f.Edge == calendar.Middle && f.Unit == calendar.AMonth:
			t = r.Start.AddDate(0, 0, 6) // the 16th
		case f.Edge == calendar.Middle && f.Unit == calendar.ANumberedYear:
			t = time.Date(t.Year(), 7, 2, 0, 0, 0, 0, t.Location())
		}
		out = append(out, t)
	}
	return out
}

// OfDay reports whether a find names a day, or a time that may belong to one.
func (f *Find) OfDay() bool { return f.Kind == "date" || f.Kind == "datetime" || f.Kind == "time" }

// Bent returns a find whose type comes from the question.
func Bent(f *Find) *Find {
	g := *f
	g.Confidence = 0.8
	return &g
}

// InCalendar drops the readings that lie outside of the years 1 to 9999, which are all
// that can be written, and reports whether the value is within.
func (f *Find) InCalendar() bool {
	fits := func(t time.Time) bool { return t.IsZero() || t.Year() >= 1 && t.Year() <= 9999 }
	within := func(v calendar.Interval) bool { return fits(v.Start) && fits(v.End) }
	if f.Kind != "time" && f.Kind != "timerange" {
		f.Readings = slices.DeleteFunc(f.Readings, func(v calendar.Interval) bool { return !within(v) })
	}
	switch v := f.Value.(type) {
	case time.Time:
		return fits(v)
	case Instant:
		return fits(time.Time(v))
	case calendar.Interval:
		return within(v) && v != (calendar.Interval{})
	}
	return true
}

// Find is a recognised span of tokens [from, to).
type Find struct {
	Kind       string // built-in type
	From, To   int
	Value      any
	Confidence float64
	Date, Time *Find // parts of a datetime
	Temporal
}

// RangeKinds are the built-in types of stretches of time and of what recurs.
var RangeKinds = message.Words("daterange timerange datetimerange recurrence")

// AsRange reads a find as a value of a range type. Only an answer may bend: a day is a
// range of one day when one is asked for, days are whole days of a range of moments.
func (f *Find) AsRange(kind string, asked bool) (value any, confidence float64, ok bool) {
	if f.Kind == kind {
		return f.ThroughLastDay().Plain(), f.Confidence, true
	}
	if !asked {
		return nil, 0, false
	}
	switch v := f.Value.(type) {
	case time.Time:
		if kind == "daterange" || kind == "datetimerange" {
			g := Find{Kind: kind, Value: calendar.Interval{Start: v, End: v.AddDate(0, 0, 1)}}
			return g.ThroughLastDay().Plain(), 0.8, true
		}
	case calendar.Interval:
		if f.Kind == "daterange" && kind == "datetimerange" {
			if f.LastDay && !v.End.IsZero() {
				v.End = v.End.AddDate(0, 0, 1) // the moments of its last day, too
			}
			g := Find{Kind: kind, Value: v}
			return g.Plain(), 0.8, true
		}
	}
	return nil, 0, false
}

// ThroughLastDay ends a range of days with its last day. The others end before their end.
func (f *Find) ThroughLastDay() *Find {
	v, ok := f.Value.(calendar.Interval)
	if !ok || f.Kind != "daterange" || f.LastDay || v.End.IsZero() {
		return f
	}
	g := *f
	if f.Through {
		v.End = v.End.AddDate(0, 1, 0)
	}
	v.End = v.End.AddDate(0, 0, -1)
	g.Value = v
	return &g
}

// Temporal holds the readings of an expression of time beside its value.
type Temporal struct {
	Readings []calendar.Interval // what it may mean; none where no calendar settles it
	Cycle    calendar.Cycle      // how a day or a range that was named without its year repeats
	Unit     calendar.Unit       // of a range: what it is one of
	Edge     calendar.Edge       // of a range: which part of it was named
	Span     *calendar.ClockSpan // of a range of times: its ends as they were said
	Solid    bool                // of a part of the day: it may stand by itself
	Vague    bool                // it counts "a few": no value for a param
	Seconds  float64             // of a duration
	LastDay  bool                // of a range of days: its end was said, and is in it
	Through  bool                // of a range of months: all of the last one is in it for a param, but not for the recogniser
	Unreal   bool                // of a day: it is in no calendar
	Clash    bool                // of a day: it is not the weekday that was said with it
	Moves    bool                // of a day: it is a feast that is on another one each year

	EitherFirst bool // of a day: its figures may be day and month or month and day
}

// The built-in types of stretches of time. Their values are ISO 8601 intervals START/END, ".."
// (ISO 8601-2) for an end that is open; START and END are written as in the layouts here. The
// value of a param ends with the last day of a range of days, as people say it.
var RangeLayouts = map[string]string{
	"daterange":     time.DateOnly,
	"datetimerange": calendar.DateTime,
	"timerange":     "T15:04",
}

// unresolved stands in [Entity.Resolution] for what no calendar settles: a season, a
// fiscal year, a recurrence, feb 30.
const unresolved = "not resolved"

// Plain makes the JSON-normal value of a find; nil where the words settle none. Dates
// hold a day, datetimes a moment; they are told apart by their kind before this.
func (f *Find) Plain() any {
	switch v := f.Value.(type) {
	case calendar.TimeOfDay:
		return v.Settle().String()
	case Instant:
		return time.Time(v).Format(calendar.DateTime)
	case time.Time:
		return v.Format(time.DateOnly)
	case calendar.Interval:
		layout := RangeLayouts[f.Kind]
		if f.Kind == "timerange" && (v.Start.Second() != 0 || v.End.Second() != 0) {
			layout = "T15:04:05"
		}
		return v.Write(layout)
	case fmt.Stringer: // a sum of money
		return v.String()
	}
	return f.Value
}

// CaseLayouts are how Microsoft's recogniser writes resolved values.
var CaseLayouts = map[string]string{
	"date": time.DateOnly, "time": "15:04:05", "datetime": "2006-01-02 15:04:05",
	"daterange": time.DateOnly, "timerange": "15:04:05", "datetimerange": "2006-01-02 15:04:05",
}

// Resolution lists every value that a find may have; nil for kinds that are not of time.
func (f *Find) Resolution() []string {
	switch {
	case f.Kind == "duration":
		return []string{strconv.FormatFloat(f.Seconds, 'f', -1, 64)}
	case f.Kind == "recurrence":
		return []string{unresolved}
	case CaseLayouts[f.Kind] == "":
		return nil
	case len(f.Readings) == 0:
		return []string{unresolved}
	}
	out := make([]string, 0, len(f.Readings))
	for _, r := range f.Readings {
		text := ""
		if RangeLayouts[f.Kind] == "" {
			text = r.Start.Format(CaseLayouts[f.Kind])
		} else {
			text = r.Write(CaseLayouts[f.Kind])
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// Instant is a day and a time, as against a time.Time, which here is a day.
type Instant time.Time

// Lasts reports whether a find is a stretch of more than a day; a season has no days that a
// calendar settles, and is one.
func (f *Find) Lasts() bool {
	if f.Kind != "daterange" && f.Kind != "datetimerange" {
		return false
	}
	v, ok := f.Value.(calendar.Interval)
	return !ok || v.Start.IsZero() || v.End.IsZero() || v.End.Sub(v.Start) > 25*time.Hour
}

// Day is the day that a find of time holds, or nil.
func (f *Find) Day() *Find {
	switch {
	case f.Kind == "date":
		return f
	case f.Kind == "datetime":
		return f.Date
	}
	return nil
}

// Span is a recognised piece of the text in bytes, before tokens are looked at.
type Span struct {
	Kind       string
	Start, End int
	Value      any
	Confidence float64
}

// Overlaps reports whether a span meets the bytes [start, end).
func Overlaps(spans []Span, start, end int) bool {
	for _, s := range spans {
		if start < s.End && s.Start < end {
			return true
		}
	}
	return false
}
