package when

import (
	"slices"
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

// rangeEnds reads both ends of a range, the first at token i, and where the second starts.
// An end whose order is plain settles the other's.
func rangeEnds(s *Reader, i int, between bool) (a, b *find.Find, second int) {
	if a = rangeEnd(s, i); a == nil {
		return nil, nil, 0
	}
	k := joiner(s, a.To, between)
	if k == 0 {
		return a, nil, 0
	}
	second = a.To + k
	saved := s.Clock
	defer func() { s.Clock = saved }()
	switch first, then := orderAt(s, a.From), orderAt(s, second); {
	case first != eitherOrder && then == eitherOrder:
		s.lead(first)
	case then != eitherOrder && first == eitherOrder && (saved.EitherFirst || saved.DayFirst != (then == dayLeads)):
		s.lead(then)
		if c := rangeEnd(s, i); c != nil && c.To == a.To {
			a = c
		}
	}
	b = rangeEnd(s, second)
	if b != nil {
		shareWeek(s, a, b)
	}
	return a, b, second
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

// presentWords are the moment of speaking as the end of a range: "from 2014 to present".

// halfDay is a half of a day that an edge names, in hours.
type halfDay struct{ from, to int }

// dayEdges are the parts of a day that "early", "mid" and "late" in it mean.
var dayEdges = map[calendar.Edge]halfDay{calendar.Head: {0, 12}, calendar.Middle: {10, 14}, calendar.Tail: {12, 24}}

// edgeOfDay reads "early in the day wednesday", "late on friday", "early tomorrow".
func edgeOfDay(s *Reader, i int) *find.Find {
	e := edges[s.Low(i)]
	if w := s.Low(i); e == calendar.Whole || w != "early" && w != "late" && w != "mid" && w != "middle" {
		return nil
	}
	n := s.count(i+1, "in_the_day")
	if n == 0 && (e == calendar.Middle || s.atRangeEnd) {
		return nil
	}
	if n == 0 && s.Low(i+1) == "on" {
		n = 1
	}
	day := s.Date(i + 1 + n)
	if day == nil || len(day.Readings) == 0 || s.ClockTime(day.To) != nil {
		return nil
	}
	if _, part := dayPartAt(s, day.To); part > 0 {
		return nil // early on thursday morning
	}
	h := dayEdges[e]
	f := &find.Find{Kind: "datetimerange", From: i, To: day.To, Confidence: 0.88, Temporal: find.Temporal{Cycle: day.Cycle}}
	d := day.Readings[len(day.Readings)-1].Start // the next one, as in Microsoft's cases
	v := calendar.Interval{Start: d.Add(time.Duration(h.from) * time.Hour), End: d.Add(time.Duration(h.to) * time.Hour)}
	f.Value, f.Readings = v, []calendar.Interval{v}
	return f
}

// A task with two days, such as an arrival and a departure, takes the two ends of one range:
// of "from 2 to 3 february" the first figure is a day as well, and no number of guests.

// BothDays puts the two days of a range of days in the place of what was found in its words,
// and lets the ends of other ranges share what is said of one of them.
func (s *Reader) BothDays(finds []find.Find) []find.Find {
	for j := 1; j+1 < len(s.Tokens); j++ {
		if joiner(s, j, true) == 0 {
			continue
		}
		if f := daysAround(s, j); f != nil {
			finds = asEnds(s, finds, f, j)
		}
	}
	for i := 1; i < len(finds); i++ {
		a, b := &finds[i-1], &finds[i]
		if a.Kind == "date" && b.Kind == "date" && b.From == a.To+1 && joiner(s, a.To, s.Low(a.From-1) == "between") > 0 {
			shareOrder(s, a, b)
			shareWeek(s, a, b)
		}
	}
	return finds
}

// longestHead is how many tokens may stand before the word that joins two days: "from
// february the twenty - third".
const longestHead = 6

// daysAround reads the range of days of one month that is joined at token j.
func daysAround(s *Reader, j int) *find.Find {
	for i := max(0, j-longestHead); i < j; i++ {
		f := dayRange(s, i)
		if f == nil || f.To <= j+1 {
			continue
		}
		if v, ok := f.Value.(calendar.Interval); ok && !v.Start.IsZero() && !s.AnyTaken(f.From, f.To) {
			return f
		}
	}
	return nil
}

// asEnds replaces the finds within a range by its two days, joined at token j.
func asEnds(s *Reader, finds []find.Find, f *find.Find, j int) []find.Find {
	v, ok := f.Value.(calendar.Interval)
	if !ok {
		return finds
	}
	at := slices.IndexFunc(finds, func(g find.Find) bool { return g.To > f.From })
	if at < 0 {
		at = len(finds)
	}
	behind := at
	for behind < len(finds) && finds[behind].From < f.To {
		if g := &finds[behind]; g.From < f.From || g.To > f.To {
			return finds // a part of something longer: 2-3 february at 5
		}
		behind++
	}
	from := f.From
	if w := s.Low(from); w == "from" || w == "between" {
		from++
	}
	for k := f.From; k < f.To; k++ {
		s.Exact[k] = k != j
	}
	return slices.Replace(finds, at, behind, DayFound(from, j, v.Start), DayFound(j+1, f.To, v.End))
}

// DayFound is the find of one day in the tokens [from, to).
func DayFound(from, to int, t time.Time) find.Find {
	return find.Find{Kind: "date", From: from, To: to, Value: t, Confidence: 0.93, Temporal: find.Temporal{Readings: []calendar.Interval{calendar.Point(t)}}}
}

// shareOrder reads a day again whose figures the other end of its range puts in order.
func shareOrder(s *Reader, a, b *find.Find) {
	saved := s.Clock
	defer func() { s.Clock = saved }()
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
