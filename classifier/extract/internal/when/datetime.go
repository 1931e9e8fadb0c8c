package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// Parts holds the pieces of one expression, each at most once, in any order.
type Parts struct {
	Day, Clock *find.Find // a date and a time
	Part       *find.Find // a part of the day
	Last       *find.Find // the piece read last
}

// OverDay puts a range of times on a day.
func OverDay(p *Parts, span *find.Find) *find.Find {
	day := p.Day
	f := &find.Find{Kind: "datetimerange", From: min(day.From, span.From), To: max(day.To, span.To, p.Last.To), Confidence: min(day.Confidence, span.Confidence)}
	if p.Part != nil {
		f.From = min(f.From, p.Part.From)
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
	if p.Part != nil {
		f.From, f.To = min(f.From, p.Part.From), max(f.To, p.Part.To)
	}
	f.Cycle = d.Cycle
	for _, day := range d.Readings {
		for _, t := range t.Readings {
			f.Readings = append(f.Readings, t.OnDay(day.Start))
		}
	}
	return f
}

// MostHours is the greatest number of hours in a moment, so that no duration overflows.
const MostHours = 1e6

// MomentFound is the find of a moment in n tokens at i.
func MomentFound(i, n int, t time.Time, confidence float64) *find.Find {
	return &find.Find{Kind: "datetime", From: i, To: i + n, Value: find.Instant(t), Confidence: confidence, Temporal: find.Temporal{Readings: []calendar.Interval{calendar.Point(t)}}}
}
