package when

import (
	"slices"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

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
	saved := s.Clock.DayFirst
	defer func() { s.Clock.DayFirst = saved }()
	again := func(f *find.Find, order figureOrder) {
		s.Clock.DayFirst = order == dayLeads
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
