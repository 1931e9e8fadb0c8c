package extract

import (
	"slices"
	"time"
)

// A task with two days, such as an arrival and a departure, takes the two ends of one range:
// of "from 2 to 3 february" the first figure is a day as well, and no number of guests.

// bothDays puts the two days of a range of days in the place of what was found in its words,
// and lets the ends of other ranges share what is said of one of them.
func (s *scan) bothDays(finds []found) []found {
	for j := 1; j+1 < len(s.tokens); j++ {
		if s.joiner(j, true) == 0 {
			continue
		}
		if f := s.daysAround(j); f != nil {
			finds = s.asEnds(finds, f, j)
		}
	}
	for i := 1; i < len(finds); i++ {
		a, b := &finds[i-1], &finds[i]
		if a.kind == "date" && b.kind == "date" && b.from == a.to+1 && s.joiner(a.to, s.low(a.from-1) == "between") > 0 {
			s.shareOrder(a, b)
			s.shareWeek(a, b)
		}
	}
	return finds
}

// longestHead is how many tokens may stand before the word that joins two days: "from
// february the twenty - third".
const longestHead = 6

// daysAround reads the range of days of one month that is joined at token j.
func (s *scan) daysAround(j int) *found {
	for i := max(0, j-longestHead); i < j; i++ {
		f := s.dayRange(i)
		if f == nil || f.to <= j+1 {
			continue
		}
		if v, ok := f.value.(interval); ok && !v.start.IsZero() && !s.anyTaken(f.from, f.to) {
			return f
		}
	}
	return nil
}

// asEnds replaces the finds within a range by its two days, joined at token j.
func (s *scan) asEnds(finds []found, f *found, j int) []found {
	v, ok := f.value.(interval)
	if !ok {
		return finds
	}
	at := slices.IndexFunc(finds, func(g found) bool { return g.to > f.from })
	if at < 0 {
		at = len(finds)
	}
	behind := at
	for behind < len(finds) && finds[behind].from < f.to {
		if g := &finds[behind]; g.from < f.from || g.to > f.to {
			return finds // a part of something longer: 2-3 february at 5
		}
		behind++
	}
	from := f.from
	if w := s.low(from); w == "from" || w == "between" {
		from++
	}
	for k := f.from; k < f.to; k++ {
		s.exact[k] = k != j
	}
	return slices.Replace(finds, at, behind, dayFound(from, j, v.start), dayFound(j+1, f.to, v.end))
}

func dayFound(from, to int, t time.Time) found {
	return found{kind: "date", from: from, to: to, value: t, confidence: 0.93, temporal: temporal{readings: []interval{point(t)}}}
}

// shareOrder reads a day again whose figures the other end of its range puts in order.
func (s *scan) shareOrder(a, b *found) {
	saved := s.clock.dayFirst
	defer func() { s.clock.dayFirst = saved }()
	again := func(f *found, order figureOrder) {
		s.clock.dayFirst = order == dayLeads
		if g := s.date(f.from); g != nil && g.to == f.to {
			*f = *g
		}
	}
	switch first, then := s.orderAt(a.from), s.orderAt(b.from); {
	case first != eitherOrder && then == eitherOrder:
		again(b, first)
	case then != eitherOrder && first == eitherOrder:
		again(a, then)
	}
}
