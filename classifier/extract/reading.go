package extract

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// interval is a stretch of time, its end exclusive. A zero end of it is open; of a
// point (a day, a moment, a time of day) both are the same.
type interval struct{ start, end time.Time }

func point(t time.Time) interval { return interval{t, t} }

// temporal is what a find of a kind of time holds beside its value.
type temporal struct {
	readings []interval // what it may mean; none where no calendar settles it
	cycle    cycle      // how a day or a range that was named without its year repeats
	unit     unit       // of a range: what it is one of
	edge     edge       // of a range: which part of it was named
	span     *clockSpan // of a range of times: its ends as they were said
	half     string     // of a part of the day: am or pm
	solid    bool       // of a part of the day: it may stand by itself
	vague    bool       // it counts "a few": no value for a param
	seconds  float64    // of a duration
	unreal   bool       // of a day: it is in no calendar
	clash    bool       // of a day: it is not the weekday that was said with it
}

// days is what a date may mean. Where the words leave it open, as in "may 5" or
// "monday", there is a last one before today and a next one from today on.
type days struct {
	past, next time.Time
	pick       time.Time // what a param takes; zero: next
	cycle      cycle     // how the day repeats
	unreal     bool      // named, but in no calendar: feb 30
	clash      bool      // said with a weekday that it is not
}

func oneDay(t time.Time) days { return days{past: t, next: t} }

func (d days) sure() bool { return d.past.Equal(d.next) }

// cycle says what a day that was named without a year, a month or a week repeats by.
type cycle uint8

const (
	once cycle = iota
	weekly
	monthly
	yearly
)

// move returns the day k rounds later; ok is false where the calendar has none such.
func (c cycle) move(t time.Time, k int) (moved time.Time, ok bool) {
	switch c {
	case weekly:
		return t.AddDate(0, 0, 7*k), true
	case monthly:
		moved = t.AddDate(0, k, 0)
	case yearly:
		moved = t.AddDate(k, 0, 0)
	default:
		return t, k == 0
	}
	return moved, moved.Day() == t.Day()
}

// noDay carries times of day that have no day.
var noDay = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// The built-in types of stretches of time. Their values are ISO 8601 intervals
// START/END, the end exclusive, ".." (ISO 8601-2) for an end that is open; START and END
// are written as in the layouts here.
var rangeLayouts = map[string]string{
	"daterange":     time.DateOnly,
	"datetimerange": dateTime,
	"timerange":     "T15:04",
}

// unresolved stands in [Entity.Resolution] for what no calendar settles: a season, a
// fiscal year, a recurrence, feb 30.
const unresolved = "not resolved"

// plain makes the JSON-normal value of a find; nil where the words settle none. Dates
// hold a day, datetimes a moment; they are told apart by their kind before this.
func (f *found) plain() any {
	switch v := f.value.(type) {
	case timeOfDay:
		return v.settle().String()
	case instant:
		return time.Time(v).Format(dateTime)
	case time.Time:
		return v.Format(time.DateOnly)
	case interval:
		layout := rangeLayouts[f.kind]
		if f.kind == "timerange" && (v.start.Second() != 0 || v.end.Second() != 0) {
			layout = "T15:04:05"
		}
		return v.write(layout)
	case fmt.Stringer: // a sum of money
		return v.String()
	}
	return f.value
}

func (v interval) write(layout string) string {
	start, end := "..", ".."
	if !v.start.IsZero() {
		start = v.start.Format(layout)
	}
	if !v.end.IsZero() {
		end = v.end.Format(layout)
	}
	return start + "/" + end
}

// caseLayouts are how Microsoft's recogniser writes resolved values.
var caseLayouts = map[string]string{
	"date": time.DateOnly, "time": "15:04:05", "datetime": "2006-01-02 15:04:05",
	"daterange": time.DateOnly, "timerange": "15:04:05", "datetimerange": "2006-01-02 15:04:05",
}

// resolution lists every value that a find may have; nil for kinds that are not of time.
func (f *found) resolution() []string {
	switch {
	case f.kind == "duration":
		return []string{strconv.FormatFloat(f.seconds, 'f', -1, 64)}
	case f.kind == "recurrence":
		return []string{unresolved}
	case caseLayouts[f.kind] == "":
		return nil
	case len(f.readings) == 0:
		return []string{unresolved}
	}
	out := make([]string, 0, len(f.readings))
	for _, r := range f.readings {
		text := ""
		if rangeLayouts[f.kind] == "" {
			text = r.start.Format(caseLayouts[f.kind])
		} else {
			text = r.write(caseLayouts[f.kind])
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
