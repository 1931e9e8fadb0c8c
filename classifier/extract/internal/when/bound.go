package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// Sides are the sides of an expression that the words of the tables open.
var Sides = map[string]calendar.Side{"before": calendar.BeforeIt, "by": calendar.ByIt, "after": calendar.AfterIt, "since": calendar.SinceIt, "until": calendar.UntilIt}

// boundAt reads the words that open an end.
func boundAt(s *Reader, i int) (calendar.Side, int) {
	t, n := s.TermAt(i, "opens")
	return Sides[t.Value], n
}

// bounded reads what is open at one end: "before 2010", "no later than friday", "3pm or
// later", "1/1/2015 after 2:00"; and what is near a point: "around 1pm".
func bounded(s *Reader, i int) *find.Find {
	if s.atRangeEnd {
		return nil
	}
	if f := moreOrLess(s, i); f != nil {
		return f
	}
	b, n := boundAt(s, i)
	if n > 0 {
		if s.IsTerm(i+n, "approximate") {
			n++
		}
		inner := expression(s, i+n)
		if inner == nil && n > 2 {
			inner = yearAlone(s, i+n) // as early as 2018
		}
		if inner == nil || s.Low(i+n-1) == "from" && joiner(s, inner.To, false) > 0 {
			return nil
		}
		f := Open(i, inner.To, b, inner)
		if s.Low(i) == "since" && len(f.Readings) > 0 {
			f.Value = f.Readings[0] // it has begun
		}
		return f
	}
	if w := s.Low(i); w == "around" || w == "circa" || w == "approximately" {
		return around(s, i)
	}
	return boundAfter(s, i)
}

// expression reads what a bound applies to.
func expression(s *Reader, i int) *find.Find {
	best := find.Longer(find.Longer(whenever(s, i), period(s, i)), endOfDay(s, i))
	if best == nil { // after lunch
		if p, k := dayPartAt(s, i); k > 0 && p.meal {
			best = s.PartFound(i, k, p, calendar.Whole, true)
		}
	}
	if best == nil && s.Low(i) == "the" {
		if f := period(s, i+1); f != nil && (f.Edge != calendar.Whole || f.Unit == calendar.AQuarter || f.Unit == calendar.ANumberedYear) {
			return f // since the end of 1989
		}
	}
	return best
}

// around reads "around 1pm": the point itself.
func around(s *Reader, i int) *find.Find {
	f := whenever(s, i+1)
	if f == nil || f.Kind != "time" && f.Kind != "datetime" && f.Kind != "date" {
		return nil
	}
	if f.From != i+1 && s.Low(i+1) != "at" || f.Kind == "date" && f.Cycle == calendar.Monthly {
		return nil
	}
	f.From = i
	return f
}

// boundAfter reads a bound that follows an expression, or the time on a day that has one.
func boundAfter(s *Reader, i int) *find.Find {
	if !s.opens {
		return nil
	}
	f := whenever(s, i)
	if f == nil {
		f = period(s, i)
	}
	if f == nil {
		f = yearAlone(s, i)
	}
	if f == nil {
		return nil
	}
	if g := tailBound(s, f); g != nil || f.Kind != "date" {
		return g
	}
	j := f.To + message.Btoi(s.SymbolAt(f.To, ","))
	b, n := boundAt(s, j)
	if n == 0 {
		return nil
	}
	t := s.ClockTime(j + n)
	if t == nil {
		return nil
	}
	g := timesOn(t, f)
	g.From = i
	return Open(i, t.To, b, g)
}

// tailBound opens the end of a find by the words behind it: "3pm or later".
func tailBound(s *Reader, f *find.Find) *find.Find {
	andAfter := s.Low(f.To) == "and" && s.Low(f.To+1) == "after"
	t, n := s.TermAt(f.To, "bound_tail")
	end := f.To + n
	on := f.Kind == "time" && s.Low(end) == "on"
	if n == 0 || !s.Ends(end) && (!on || andAfter) {
		return nil
	}
	if on {
		if day := s.Date(end + 1); day != nil {
			return Open(f.From, day.To, Sides[t.Value], timesOn(f, day))
		}
	}
	if andAfter && end < len(s.Tokens) && s.Tokens[end].Class == message.Letters {
		return nil
	}
	return Open(f.From, end, Sides[t.Value], f)
}

// yearAlone reads a year that a tail such as "or later" makes one.
func yearAlone(s *Reader, i int) *find.Find {
	if y := s.YearDigits(i); y > 0 {
		return RangeFound(i, 1, calendar.ANumberedYear, s.Clock.Year(y))
	}
	return nil
}

// Open makes a range of a find that is open at one end.
func Open(from, to int, b calendar.Side, f *find.Find) *find.Find {
	kind := map[string]string{"date": "daterange", "time": "timerange", "datetime": "datetimerange"}[f.Kind]
	if kind == "" {
		kind = f.Kind
	}
	g := &find.Find{Kind: kind, From: from, To: to, Confidence: 0.88, Temporal: find.Temporal{Cycle: f.Cycle, Unit: f.Unit}}
	g.LastDay = f.Kind == "date" && (b == calendar.ByIt || b == calendar.UntilIt)
	for _, r := range f.Readings {
		g.Readings = append(g.Readings, r.Open(b, f.Edge))
	}
	switch v := f.Value.(type) {
	case time.Time:
		g.Value = calendar.Point(v).Open(b, f.Edge)
	case find.Instant:
		g.Value = calendar.Point(time.Time(v)).Open(b, f.Edge)
	case calendar.TimeOfDay:
		g.Value = calendar.Point(v.Settle().On(calendar.NoDay)).Open(b, f.Edge)
	case calendar.Interval:
		g.Value = v.Open(b, f.Edge)
	default:
		if len(g.Readings) > 0 {
			g.Value = g.Readings[len(g.Readings)-1]
		}
	}
	return g
}

// moreOrLess reads "more than 2 days ago", "less than 3 days after tomorrow".
func moreOrLess(s *Reader, i int) *find.Find {
	more := s.Low(i) == "more"
	if !more && s.Low(i) != "less" || s.Low(i+1) != "than" {
		return nil
	}
	if f := moreOrLessNow(s, i, more); f != nil {
		return f
	}
	of, k := s.length(i + 2)
	step, whole := of.Steps()
	day := s.Date(i + 2)
	if k == 0 || !whole || day == nil || day.To <= i+2+k || len(day.Readings) == 0 {
		return nil
	}
	at := day.Readings[len(day.Readings)-1].Start
	sign := 1
	if w := s.Low(i + 2 + k); w == "ago" || w == "before" || w == "back" || w == "earlier" || w == "prior" {
		sign = -1
	}
	v := calendar.Interval{Start: at}
	switch {
	case more && sign < 0:
		v = calendar.Interval{End: at}
	case !more && sign < 0:
		v = calendar.Interval{Start: at, End: calendar.Move(at, step, 1)}
	case !more:
		v = calendar.Interval{Start: calendar.Move(at, step, -1), End: at}
	}
	return RangeFound(i, day.To-i, calendar.NoUnit, v)
}

// moreOrLessNow reads "less than 2 hours ago", "more than 30 minutes from now".
func moreOrLessNow(s *Reader, i int, more bool) *find.Find {
	at := moment(s, i+2)
	if at == nil || at.Kind != "datetime" {
		return nil
	}
	t, ok := at.Value.(find.Instant)
	if !ok {
		return nil
	}
	v, now := calendar.Interval{}, s.Clock.Now
	switch behind := time.Time(t).Before(now); {
	case more && behind:
		v.End = time.Time(t)
	case more:
		v.Start = time.Time(t)
	case behind:
		v = calendar.Interval{Start: time.Time(t), End: now}
	default:
		v = calendar.Interval{Start: now, End: time.Time(t)}
	}
	f := RangeFound(i, at.To-i, calendar.NoUnit, v)
	f.Kind = "datetimerange"
	return f
}
