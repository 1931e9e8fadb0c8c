package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// between reads a range by its ends: "from monday to friday", "between 2014 and 2018",
// "january 12 - january 22", "from 8am tomorrow to 5pm".
func between(s *Reader, i int) *find.Find {
	n := s.Skip(i, "from", "between", "in")
	if s.atRangeEnd || s.joins <= i+n {
		return nil
	}
	in := s.Low(i) == "in"
	a, b, second := rangeEnds(s, i+n, s.Low(i) == "between")
	switch {
	case a == nil || n == 0 && a.Kind == "time":
		return nil
	case second == 0 && s.Low(i) == "from" && a.Kind == "datetimerange" && a.Value != nil:
		a.From = i // from today 9am to 5pm
		return a
	case second == 0 || b == nil || in && a.Unit != calendar.ANumberedYear:
		return nil
	case a.Unit == calendar.ANumberedYear && b.Unit == calendar.ANumberedYear && roundYears(a, b):
		return nil
	}
	f := s.Join(a, b)
	if f == nil {
		return nil
	}
	f.From, f.To, f.Confidence = i, b.To, 0.9
	if in && b.Unit != calendar.ANumberedYear {
		f.From = i + 1
	}
	return f
}

// roundYears reports whether both ends look rather like amounts: 1500 to 2000.
func roundYears(a, b *find.Find) bool {
	return a.Readings[0].Start.Year()%100 == 0 && b.Readings[0].Start.Year()%100 == 0
}

// rangeEnd reads one end of a range: the longest day, moment, time or stretch at i.
func rangeEnd(s *Reader, i int) *find.Find {
	s.atRangeEnd = true
	defer func() { s.atRangeEnd = false }()
	var best *find.Find
	for _, rule := range [...]func(*Reader, int) *find.Find{moment, whenever, period} {
		best = find.Longer(best, rule(s, i))
	}
	return best
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
	f.Readings = pair(a.EndPoints(), b.EndPoints(), a.Cycle, b.Cycle)
	if len(f.Readings) == 0 {
		return f
	}
	f.Value = f.Readings[len(f.Readings)-1]
	if len(f.Readings) > 1 {
		f.Cycle = a.Cycle
	}
	if day, ok := a.Value.(time.Time); ok && a.Cycle == calendar.Weekly && b.Cycle == calendar.Weekly { // not a week that has begun
		f.Value = pair([]time.Time{day}, b.EndPoints(), calendar.Once, calendar.Weekly)[0]
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
		for k := 0; k < 400 && cb == calendar.Yearly && end.AddDate(-1, 0, 0).After(a[0]); k++ {
			end = end.AddDate(-1, 0, 0)
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
		b = timesOn(b, a.Date)
	case a.Kind == "date" && b.Kind == "datetime" && b.Date != nil:
		a = timesOn(&find.Find{Temporal: find.Temporal{Readings: []calendar.Interval{calendar.Point(calendar.NoDay)}}}, a)
	case a.Kind == "time" && b.Kind == "datetime" && b.Date != nil:
		a = timesOn(a, b.Date)
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

// timesOn puts times on the days of a date.
func timesOn(t, day *find.Find) *find.Find {
	g := &find.Find{Kind: "datetime"}
	for _, d := range day.Readings {
		for _, r := range t.Readings {
			g.Readings = append(g.Readings, r.OnDay(d.Start))
		}
	}
	return g
}

// dayRange reads two days of one month: "9 to 12 of june", "june 9-12, 2018", "from 4-23
// in next month", "from the 5th to the 9th of may".
func dayRange(s *Reader, i int) *find.Find {
	n, between := 0, false
	switch s.Low(i) {
	case "from", "between":
		n, between = 1, s.Low(i) == "between"
	}
	led := n > 0
	if m := monthAt(s, i+n); m > 0 {
		a, b, k := twoDays(s, i+n+1, between)
		if k == 0 || s.Low(i+n) == "may" && n == 0 && !s.Capital(i) && !s.Ends(i+n+1+k) {
			return nil
		}
		n += 1 + k
		y, k := s.YearAfter(i + n)
		return s.DaysOf(i, n+k, m, y, a, b)
	}
	a, b, k := twoDays(s, i+n, between)
	if k == 0 {
		return nil
	}
	n += k
	n += s.Skip(i+n, "of", "in")
	m := monthAt(s, i+n)
	if m > 0 {
		y, k := s.YearAfter(i + n + 1)
		if k == 0 && !led && s.IsTerm(i+n, "doubtful_month") && s.Tokens[i+n-1].Class == message.Digits && !s.Capital(i+n) && !s.Ends(i+n+1) {
			return nil // "2 to 3 may come"
		}
		n++
		return s.DaysOf(i, n+k, m, y, a, b)
	}
	r, ok := s.shiftAt(i + n)
	if s.Low(i+n) == "the" {
		r, ok = 0, true
	}
	if !ok || s.Low(i+n+1) != "month" {
		return nil
	}
	v := s.Clock.Stretch(calendar.AMonth, r)
	return s.DaysOf(i, n+2, v.Start.Month(), v.Start.Year(), a, b)
}

// monthAt is the month that token i names; 0 for none.
func monthAt(s *Reader, i int) time.Month {
	t, _ := s.TermAt(i, "month")
	return time.Month(t.Num)
}

// Shifts maps the words for this, the last and the next to the units that they move.
var Shifts = map[string]int{"this": 0, "next": 1, "coming": 1, "last": -1, "past": -1}

// shiftAt is how far the word at token i counts from this unit.
func (s *Reader) shiftAt(i int) (shift int, ok bool) {
	t, n := s.TermAt(i, "which")
	return Shifts[t.Value], n > 0
}

// twoDays reads two numbers of days with what joins them.
func twoDays(s *Reader, i int, between bool) (a, b, n int) {
	for k, v := range [2]*int{&a, &b} {
		if k == 1 {
			j := joiner(s, i+n, between)
			if j == 0 {
				return 0, 0, 0
			}
			n += j
		}
		n += s.Skip(i+n, "the")
		d, j, _ := s.DayNumber(i + n)
		if j == 0 || d < 1 || d > 31 {
			return 0, 0, 0
		}
		*v, n = d, n+j
	}
	if s.Glued(i+n) && !s.CloseAfter(i+n) {
		return 0, 0, 0
	}
	return a, b, n
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
