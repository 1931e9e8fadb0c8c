package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// RangeFound makes a find of one reading, or of the one before now and the next.
func RangeFound(i, n int, u calendar.Unit, readings ...calendar.Interval) *find.Find {
	f := &find.Find{Kind: "daterange", From: i, To: i + n, Confidence: 0.9, Temporal: find.Temporal{Readings: readings, Unit: u}}
	if len(readings) > 0 {
		f.Value = readings[len(readings)-1]
	}
	if len(readings) > 1 {
		f.Cycle = calendar.Yearly
	}
	return f
}

// SpanFromNow is the time from now for so long, or up to now where it is below zero.
func (s *Reader) SpanFromNow(i, n int, d time.Duration) *find.Find {
	v := calendar.Interval{Start: s.Clock.Now, End: s.Clock.Now.Add(d)}
	if d < 0 {
		v = calendar.Interval{Start: v.End, End: v.Start}
	}
	f := RangeFound(i, n, calendar.NoUnit, v)
	f.Kind = "datetimerange"
	return f
}

// LengthFromNow is a length of time ahead or behind. Whole days ahead start tomorrow, unless the
// words are "within".
func (s *Reader) LengthFromNow(i, n int, d calendar.Length, sign int, within bool) *find.Find {
	if d.ClockPart() != 0 {
		end := calendar.Move(s.Clock.Now, d.Days3(), sign).Add(time.Duration(sign) * d.ClockPart())
		return s.SpanFromNow(i, n, end.Sub(s.Clock.Now))
	}
	step, today := d.Days3(), s.Clock.Today()
	switch {
	case sign < 0:
		return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: calendar.Move(today, step, -1), End: today})
	case within:
		return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: today, End: calendar.Move(today, step, 1)})
	}
	first := today.AddDate(0, 0, 1)
	return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: first, End: calendar.Move(first, step, 1)})
}

// MonthStands reports whether the words around the month at token i, which is a name or a verb
// as well, make a month of it: not of "and may I", "for april".
func (s *Reader) MonthStands(i int, m time.Month) bool {
	may, lower := s.Low(i) == "may", !s.Capital(i)
	cues := "period_lead"
	if lower || s.Says(i, "may", "march") {
		cues = "short_lead"
	}
	if may && lower && s.Low(i-1) == "this" {
		return false // this may or may not be
	}
	if other, n := s.TermAt(i-2, "month"); s.Says(i-1, "and", "or") && n > 0 && other.Num != float64(m) {
		return true // may or june
	}
	return s.EndsTerm(i, cues) > 0 && (s.Ends(i+1) || !may || s.Low(i-1) == "in")
}

// YearStands reports whether the words around the digits at token i make a year of them.
func (s *Reader) YearStands(i int) bool {
	y := s.YearDigits(i)
	if !s.Ends(i+1) && !s.IsTerm(i+1, "year_tail") {
		return false
	}
	switch {
	case s.EndsTerm(i, "year_lead") > 0, s.SymbolAt(i-1, "=<>"):
		return true
	case s.Low(i-1) == "by" && y > 2000 && y < 2100:
		return true
	case s.EndsTerm(i, "weak_year_lead") > 0:
		return y >= 1900 && y < 2100 && y%100 != 0 && (s.Low(i-1) != "of" || s.EndsTerm(i-1, "year_holder") > 0) && (s.Says(i-1, "not", "of") || s.YearDigits(i-2) > 0)
	}
	return i == 0 && len(s.Tokens) == 1 && s.Asked == "daterange"
}
