package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
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
