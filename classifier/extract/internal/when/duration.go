package when

import (
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// DurationFound is the find of a length of time in n tokens at i.
func DurationFound(i, n int, d calendar.Length) *find.Find {
	return &find.Find{Kind: "duration", From: i, To: i + n, Value: d.Told().String(), Confidence: 0.92, Temporal: find.Temporal{Seconds: d.InSeconds(), Vague: d.Vague}}
}

// clockUnits are the units below a day.
var clockUnits = map[calendar.Unit]time.Duration{calendar.AnHour: time.Hour, calendar.AMinute: time.Minute, calendar.ASecond: time.Second}

func unitFound(s *Reader, i, n int, u calendar.Unit, shift int) *find.Find {
	if step := clockUnits[u]; step > 0 {
		if shift == 0 {
			return nil
		}
		return spanFromNow(s, i, n, time.Duration(shift)*step)
	}
	return RangeFound(i, n, u, s.Clock.Stretch(u, shift))
}

// spanFromNow is the time from now for so long, or up to now where it is below zero.
func spanFromNow(s *Reader, i, n int, d time.Duration) *find.Find {
	v := calendar.Interval{Start: s.Clock.Now, End: s.Clock.Now.Add(d)}
	if d < 0 {
		v = calendar.Interval{Start: v.End, End: v.Start}
	}
	f := RangeFound(i, n, calendar.NoUnit, v)
	f.Kind = "datetimerange"
	return f
}

// countedPeriod reads "next 3 days", "past two weeks", "5 coming minutes", "within 9
// months", "within the next day and 5 hours", "next 4 business days".
func countedPeriod(s *Reader, i int) *find.Find {
	n := s.Skip(i, "within")
	within := n > 0
	if within {
		n += s.Skip(i+n, "the")
	}
	shift := relatives[s.Low(i+n)]
	n += message.Btoi(shift != 0)
	if f := businessDays(s, i, n, shift); f != nil {
		return f
	}
	d, k := s.length(i + n)
	if k == 0 && shift == 0 {
		d, k, shift = lengthWhich(s, i+n)
	}
	if k == 0 && (within || shift != 0) {
		d, k = quarters(s, i+n)
	}
	if k == 0 && within && shift > 0 { // within the next day and 5 hours
		d, k = s.unitAlone(i + n)
		if e, m := s.length(i + n + k + 1); k > 0 && m > 0 && s.Low(i+n+k) == "and" {
			d, k = d.Plus(e), k+1+m
		}
	}
	if k == 0 || !within && shift == 0 || d.Most() > MostUnits || s.Low(i+n+k-1) == "weekends" { // of every week in between
		return nil
	}
	return lengthFromNow(s, i, n+k, d, shift, within)
}

// length reads a length of time.
func (s *Reader) length(i int) (calendar.Length, int) {
	d, n := s.Other.Length(s, i)
	s.vague = s.vague || d.Vague
	return d, n
}

// unitAlone reads a unit of time without its count as one of it.
func (s *Reader) unitAlone(i int) (d calendar.Length, n int) {
	for _, class := range [...]string{"date_unit", "clock_unit"} {
		if t, k := s.TermAt(i, class); k > n {
			d, _ = calendar.Of(1, t.Value)
			n = k
		}
	}
	return d, n
}

// lengthWhich reads a length with the word inside it that says which one is meant: "5 past
// years".
func lengthWhich(s *Reader, i int) (d calendar.Length, n, shift int) {
	v, m := amount(s, i)
	shift = relatives[s.Low(i+m)]
	if m == 0 || s.Low(i) == "a" || shift == 0 || v <= 0 {
		return d, 0, 0
	}
	d, k := s.unitAlone(i + m + 1)
	if k == 0 || v != 1 && !strings.HasSuffix(s.Low(i+m+1), "s") {
		return d, 0, 0
	}
	return d.Scaled(v), m + 2, shift
}

// quarters reads a count of quarters of a year. A number there would take the quarters for
// fourths.
func quarters(s *Reader, i int) (d calendar.Length, n int) {
	v, k := numbers.Below100(s.Message, i)
	if figures := s.Digits(i, 1, 2); figures != "" {
		v, k = float64(message.Atoi(figures)), 1
	}
	if s.Low(i+k) != "quarters" || v < 1 {
		return d, 0
	}
	d.Months = 3 * v
	return d, k + 1
}

// lengthFromNow is a length of time ahead or behind. Whole days ahead start tomorrow,
// unless the words are "within".
func lengthFromNow(s *Reader, i, n int, d calendar.Length, shift int, within bool) *find.Find {
	if d.ClockPart() != 0 {
		sign := 1
		if shift < 0 {
			sign = -1
		}
		end := calendar.Move(s.Clock.Now, d.Days3(), sign).Add(time.Duration(sign) * d.ClockPart())
		return spanFromNow(s, i, n, end.Sub(s.Clock.Now))
	}
	step, today := d.Days3(), s.Clock.Today()
	switch {
	case shift < 0:
		return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: calendar.Move(today, step, -1), End: today})
	case within:
		return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: today, End: calendar.Move(today, step, 1)})
	}
	first := today.AddDate(0, 0, 1)
	return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: first, End: calendar.Move(first, step, 1)})
}

// businessDays reads "4 business days" after next or last.
func businessDays(s *Reader, i, n, shift int) *find.Find {
	v, k := amount(s, i+n)
	if k == 0 || shift == 0 || s.Phrase(i+n+k, workDays) == 0 || v != float64(int(v)) || v < 1 || v > MostUnits {
		return nil
	}
	day := s.Clock.Today()
	edge := day
	for left := int(v); left > 0; {
		day = day.AddDate(0, 0, shift)
		if w := day.Weekday(); w != time.Saturday && w != time.Sunday {
			if left == int(v) {
				edge = day
			}
			left--
		}
	}
	if shift < 0 {
		edge, day = day, edge
	}
	return RangeFound(i, n+k+2, calendar.NoUnit, calendar.Interval{Start: edge, End: day.AddDate(0, 0, 1)})
}

var workDays = []string{"business days", "business day", "working days", "working day", "work days"}
