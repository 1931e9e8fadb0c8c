package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// RoundYears reports whether both ends look rather like amounts: 1500 to 2000.
func RoundYears(a, b *find.Find) bool {
	return a.Readings[0].Start.Year()%100 == 0 && b.Readings[0].Start.Year()%100 == 0
}

// Join makes a range of two ends. A stretch counts by its start, unless its end was named.
func (s *Reader) Join(a, b *find.Find) *find.Find {
	ka, kb := a.Kind, b.Kind
	switch {
	case ka == "daterange" && kb == "datetime", ka == "date" && kb == "datetime" && b.Date == nil:
		b = dayOf(s, b) // between aug 2019 and now
	case ka == "datetime" && (kb == "date" || kb == "daterange") && a.Date == nil:
		a = dayOf(s, a)
	}
	if !isDays(a) || !isDays(b) {
		return joinMoments(s, a, b)
	}
	f := &find.Find{Kind: "daterange", Temporal: find.Temporal{LastDay: b.Kind == "date"}}
	if len(a.Readings) == 0 || len(b.Readings) == 0 {
		return f // an end that no calendar settles
	}
	starts, later := a.EndPoints(), b.Cycle == calendar.Monthly || b.Cycle == calendar.Weekly
	if a.Cycle == calendar.Yearly && later { // the second day is the next of its name: the 5th of april to the 12th
		for _, start := range starts {
			f.Readings = append(f.Readings, pair([]time.Time{start}, b.EndPoints(), calendar.Once, b.Cycle)...)
		}
	} else {
		f.Readings = pair(starts, b.EndPoints(), a.Cycle, b.Cycle)
	}
	if len(f.Readings) == 0 {
		return f
	}
	f.Value = f.Readings[len(f.Readings)-1]
	if len(f.Readings) > 1 {
		f.Cycle = a.Cycle
	}
	f.Through = a.Unit == calendar.AMonth && b.Unit == calendar.AMonth && b.Edge == calendar.Whole
	ahead := a.Cycle == calendar.Weekly || a.Cycle == calendar.Monthly && s.Asked == "daterange"
	if day, ok := a.Value.(time.Time); ok && ahead && a.Cycle == b.Cycle { // not one that has begun
		f.Value = pair([]time.Time{day}, b.EndPoints(), calendar.Once, b.Cycle)[0]
	}
	return f
}

func isDays(f *find.Find) bool { return f.Kind == "date" || f.Kind == "daterange" }

// dayOf is the day of a moment.
func dayOf(s *Reader, f *find.Find) *find.Find {
	g := *f
	g.Kind, g.Readings = "date", []calendar.Interval{calendar.Point(s.Clock.Today())}
	return &g
}

// pair settles which of the days that two ends may be belong together: an end comes
// after its start, and not a whole round later.
func pair(a, b []time.Time, ca, cb calendar.Cycle) []calendar.Interval {
	switch {
	case len(a) == 1 && len(b) == 1:
		if b[0].Before(a[0]) {
			return nil
		}
		return []calendar.Interval{{Start: a[0], End: b[0]}}
	case len(a) == 1:
		end := b[0]
		for k := 0; k < 400 && end.Before(a[0]); k++ {
			end, _ = cb.Move(end, 1)
		}
		for range 400 { // the first behind the start
			before, ok := cb.Move(end, -1)
			if !ok || !before.After(a[0]) {
				break
			}
			end = before
		}
		return []calendar.Interval{{Start: a[0], End: end}}
	case len(b) == 1:
		start := a[len(a)-1]
		if ca == calendar.Yearly {
			moved, ok := calendar.Yearly.Move(start, b[0].Year()-start.Year())
			if !ok {
				return nil
			}
			start = moved
		}
		for k := 0; k < 400 && start.After(b[0]); k++ {
			start, _ = ca.Move(start, -1)
		}
		return []calendar.Interval{{Start: start, End: b[0]}}
	}
	past, next := calendar.Interval{Start: a[0], End: b[0]}, calendar.Interval{Start: a[1], End: b[1]}
	if past.End.Before(past.Start) {
		past.End = b[1]
	}
	if next.End.Before(next.Start) {
		next.Start = a[0]
	}
	if cb == calendar.Yearly {
		for end := past.End.AddDate(-1, 0, 0); !end.Before(past.Start); end = end.AddDate(-1, 0, 0) {
			past.End = end
		}
	}
	if past == next {
		return []calendar.Interval{next}
	}
	return []calendar.Interval{past, next}
}

// joinMoments makes a range of two moments, of which one may lack its day.
func joinMoments(s *Reader, a, b *find.Find) *find.Find {
	switch {
	case a.Kind == "datetime" && b.Kind == "datetime":
	case a.Kind == "datetime" && b.Kind == "time" && a.Date != nil:
		b = TimesOn(b, a.Date)
	case a.Kind == "date" && b.Kind == "datetime" && b.Date != nil:
		a = TimesOn(&find.Find{Temporal: find.Temporal{Readings: []calendar.Interval{calendar.Point(calendar.NoDay)}}}, a)
	case a.Kind == "time" && b.Kind == "datetime" && b.Date != nil:
		a = TimesOn(a, b.Date)
	default:
		return nil
	}
	f := &find.Find{Kind: "datetimerange"}
	for _, r := range a.Readings {
		for _, e := range b.Readings {
			if e.Start.After(r.Start) {
				f.Readings = append(f.Readings, calendar.Interval{Start: r.Start, End: e.Start})
				break
			}
		}
	}
	if len(f.Readings) == 0 {
		return nil
	}
	f.Value = f.Readings[len(f.Readings)-1]
	if first, ok := a.Value.(find.Instant); ok {
		for _, r := range f.Readings {
			if r.Start.Equal(time.Time(first)) {
				f.Value = r
			}
		}
	}
	return f
}

// TimesOn puts times on the days of a date.
func TimesOn(t, day *find.Find) *find.Find {
	g := &find.Find{Kind: "datetime"}
	for _, d := range day.Readings {
		for _, r := range t.Readings {
			g.Readings = append(g.Readings, r.OnDay(d.Start))
		}
	}
	return g
}

// Shifts maps the words for this, the last and the next to the units that they move.
var Shifts = map[string]int{"this": 0, "next": 1, "coming": 1, "last": -1, "past": -1}

// shiftAt is how far the word at token i counts from this unit.
func (s *Reader) shiftAt(i int) (shift int, ok bool) {
	t, n := s.TermAt(i, "which")
	return Shifts[t.Value], n > 0
}

// DaysOf is a range of days in a month, of a year that was said or not.
func (s *Reader) DaysOf(i, n int, m time.Month, y, a, b int) *find.Find {
	if a >= b || s.Glued(i) && !s.OpenBefore(i) {
		return nil
	}
	var starts []time.Time
	if y > 0 {
		t, _ := s.Clock.Day(y, m, a)
		starts = append(starts, t)
	} else if d := s.Clock.Yearly(m, a); !d.Unreal {
		starts = append(starts, d.Past, d.Next)
	}
	f := RangeFound(i, n, calendar.NoUnit)
	f.LastDay = true
	for _, t := range starts {
		if end, ok := s.Clock.Day(t.Year(), m, b); ok && t.Day() == a {
			f.Readings = append(f.Readings, calendar.Interval{Start: t, End: end})
		}
	}
	if len(f.Readings) > 0 {
		f.Value = f.Readings[len(f.Readings)-1]
	}
	return f
}
