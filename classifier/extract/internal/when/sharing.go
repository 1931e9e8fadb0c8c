package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// The ends of a range share what is said of one of them alone: the month of "1 to 15 june"
// (dayRange), the year of "jan to march 2024" (pair), and what stands here: the week of
// "monday to friday next week", and which of its figures is the day in "28/1 to 3/2".

// figureOrder is the order of the figures of a day without a year, as far as they show it.
type figureOrder uint8

const (
	eitherOrder figureOrder = iota
	dayLeads
	monthLeads
)

// orderAt reads the order of the figures of a day at token i: above twelve there is no month.
func orderAt(s *Reader, i int) figureOrder {
	if s.Digits(i, 1, 2) == "" || !s.SymbolAt(i+1, "/-.") || s.Digits(i+2, 1, 2) == "" {
		return eitherOrder
	}
	switch a, b := message.Atoi(s.Low(i)), message.Atoi(s.Low(i+2)); {
	case a > 12 && b <= 12:
		return dayLeads
	case b > 12 && a <= 12:
		return monthLeads
	}
	return eitherOrder
}

// lead makes an order that is plain hold for all figures.
func (s *Reader) lead(order figureOrder) {
	s.Clock.DayFirst, s.Clock.EitherFirst = order == dayLeads, false
	s.Other.Begin(s) // what was read in the other order is forgotten
}

// Share lets the ends of a range share what is said of one of them alone: the order of its figures, or
// its week.
func (s *Reader) Share(a, b *find.Find) {
	if a.Kind == "date" && b.Kind == "date" {
		shareOrder(s, a, b)
	}
	shareWeek(s, a, b)
}

// shareWeek moves a bare weekday into the week of the other end.
func shareWeek(s *Reader, a, b *find.Find) {
	w, n := s.TermAt(a.From, "weekday")
	if n == 0 || !s.IsTerm(b.From, "weekday") || a.Cycle != calendar.Weekly || a.To != a.From+1 {
		return
	}
	week, n := weekAfter(s, b.From+1)
	if n == 0 {
		return
	}
	t := s.Clock.Weekday(time.Weekday(w.Num), week).Next
	if end, isDay := b.Value.(time.Time); isDay && end.Before(t) {
		return // friday to monday next week
	}
	a.Value, a.Readings, a.Cycle = t, []calendar.Interval{calendar.Point(t)}, calendar.Once
}

// A task with two days, such as an arrival and a departure, takes the two ends of one range:
// of "from 2 to 3 february" the first figure is a day as well, and no number of guests.

// BothDays lets the days that are the ends of a range share what is said of one of them.
func (s *Reader) BothDays(finds []find.Find) {
	for i := 1; i < len(finds); i++ {
		a, b := &finds[i-1], &finds[i]
		if a.Kind == "date" && b.Kind == "date" && b.From == a.To+1 && joiner(s, a.To, s.Low(a.From-1) == "between") > 0 {
			s.Share(a, b)
		}
	}
}

// DayFound is the find of one day in the tokens [from, to).
func DayFound(from, to int, t time.Time) find.Find {
	return find.Find{Kind: "date", From: from, To: to, Value: t, Confidence: 0.93, Temporal: find.Temporal{Readings: []calendar.Interval{calendar.Point(t)}}}
}

// shareOrder reads a day again whose figures the other end of its range puts in order.
func shareOrder(s *Reader, a, b *find.Find) {
	saved := s.Clock
	defer func() {
		s.Clock = saved
		s.Other.Begin(s)
	}()
	again := func(f *find.Find, order figureOrder) {
		s.lead(order)
		if g := s.Date(f.From); g != nil && g.To == f.To {
			*f = *g
		}
	}
	switch first, then := orderAt(s, a.From), orderAt(s, b.From); {
	case first != eitherOrder && then == eitherOrder:
		again(b, first)
	case then != eitherOrder && first == eitherOrder:
		again(a, then)
	}
}
