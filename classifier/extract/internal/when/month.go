package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// MonthFound is the find of a month without its year in n tokens at i.
func (s *Reader) MonthFound(i, n int, m time.Month) *find.Find {
	past, next := s.Clock.YearsOf(m)
	return RangeFound(i, n, calendar.AMonth, s.Clock.Month(past, m), s.Clock.Month(next, m))
}

// YearDigits reads four digits that may be a year of recent centuries, else 0.
func (s *Reader) YearDigits(i int) int {
	if d := s.Digits(i, 4, 4); d != "" {
		if y := message.Atoi(d); y >= 1500 && y < 2200 {
			return y
		}
	}
	return 0
}

// nth reads first, 3rd or last; -1 is the last.
func nth(s *Reader, i int) (nth, n int) {
	if s.Low(i) == "last" {
		return -1, 1
	}
	if v, k := numbers.Ordinal(s.Message, i); k > 0 && v <= 366 {
		return int(v), k
	}
	return 0, 0
}

// nthDayAt reads "first monday evening of next month", with any time between.
func nthDayAt(s *Reader, i int) *find.Find {
	nth, k := nth(s, i)
	name, isName := s.TermAt(i+k, "weekday")
	w := time.Weekday(name.Num)
	if k == 0 || isName == 0 || nth > 5 {
		return nil
	}
	p := Parts{Day: &find.Find{}}
	f := piece(s, &p, i+k+1)
	if f == nil || !s.Says(f.To, "of", "in") {
		return nil
	}
	over := s.Other.Stretch(s, "month_year", f.To+1)
	if over == nil || over.Unit != calendar.AMonth {
		return nil
	}
	p.Day = &find.Find{Kind: "date", From: i, To: over.To, Confidence: 0.9}
	for _, v := range over.Readings {
		t := s.Clock.NthWeekday(v.Start.Year(), v.Start.Month(), w, nth)
		if nth < 0 {
			last := v.End.AddDate(0, 0, -1)
			t = s.Clock.NthWeekday(last.Year(), last.Month(), w, nth)
		}
		p.Day.Value, p.Day.Readings = t, append(p.Day.Readings, calendar.Point(t))
	}
	p.Last = p.Day
	return compose(s, i, &p)
}
