package extract

import "time"

// The ends of a range share what is said of one of them alone: the month of "1 to 15 june"
// (dayRange), the year of "jan to march 2024" (pair), and what stands here: the week of
// "monday to friday next week", and which of its figures is the day in "28/1 to 3/2".

// figureOrder is what the figures of a day without a year say of their order.
type figureOrder uint8

const (
	eitherOrder figureOrder = iota
	dayLeads
	monthLeads
)

// orderAt reads the order of the figures of a day at token i: above twelve there is no month.
func (s *scan) orderAt(i int) figureOrder {
	if s.digits(i, 1, 2) == "" || !s.symbolAt(i+1, "/-.") || s.digits(i+2, 1, 2) == "" {
		return eitherOrder
	}
	switch a, b := atoi(s.low(i)), atoi(s.low(i+2)); {
	case a > 12 && b <= 12:
		return dayLeads
	case b > 12 && a <= 12:
		return monthLeads
	}
	return eitherOrder
}

// rangeEnds reads both ends of a range, the first at token i, and where the second starts.
// An end whose order is plain settles the other's.
func (s *scan) rangeEnds(i int, between bool) (a, b *found, second int) {
	if a = s.rangeEnd(i); a == nil {
		return nil, nil, 0
	}
	k := s.joiner(a.to, between)
	if k == 0 {
		return a, nil, 0
	}
	second = a.to + k
	saved := s.clock.dayFirst
	defer func() { s.clock.dayFirst = saved }()
	switch first, then := s.orderAt(a.from), s.orderAt(second); {
	case first != eitherOrder && then == eitherOrder:
		s.clock.dayFirst = first == dayLeads
	case then != eitherOrder && first == eitherOrder && s.clock.dayFirst != (then == dayLeads):
		s.clock.dayFirst = then == dayLeads
		if c := s.rangeEnd(i); c != nil && c.to == a.to {
			a = c
		}
	}
	b = s.rangeEnd(second)
	if b != nil {
		s.shareWeek(a, b)
	}
	return a, b, second
}

// shareWeek moves a bare weekday into the week that is said of the other end.
func (s *scan) shareWeek(a, b *found) {
	w, ok := weekdays[s.low(a.from)]
	if _, other := weekdays[s.low(b.from)]; !ok || !other || a.cycle != weekly || a.to != a.from+1 {
		return
	}
	week, n := s.weekAfter(b.from + 1)
	if n == 0 {
		return
	}
	t := s.clock.weekday(w, week).next
	if end, isDay := b.value.(time.Time); isDay && end.Before(t) {
		return // friday to monday next week
	}
	a.value, a.readings, a.cycle = t, []interval{point(t)}, once
}

// presentWords are the moment of speaking as the end of a range: "from 2014 to present".
var presentWords = []string{"present", "the present", "date"}

// weekdayCount reads "two mondays from now", "three fridays ago": the nth such day on that
// side of today.
func (s *scan) weekdayCount(i int) (days, int) {
	if !s.weekdayWithin(i + 1) {
		return days{}, 0
	}
	v, k := s.below100(i)
	if figures := s.digits(i, 1, 2); figures != "" {
		v, k = float64(atoi(figures)), 1
	}
	if k == 0 || v < 2 {
		return days{}, 0
	}
	w, ok := pluralWeekdays[s.low(i+k)]
	if !ok {
		return days{}, 0
	}
	n := k + 1
	step := s.clock.weekday(w, "coming").next
	if tail := s.phrase(i+n, laterWords); tail > 0 && s.low(i+n) != "time" {
		return oneDay(step.AddDate(0, 0, 7*(int(v)-1))), n + tail
	}
	if tail := s.phrase(i+n, agoWords[:2]); tail > 0 {
		return oneDay(s.clock.weekday(w, "past").next.AddDate(0, 0, -7*(int(v)-1))), n + tail
	}
	return days{}, 0
}

// weekdayWithin reports whether one of the next three tokens looks like weekdays.
func (s *scan) weekdayWithin(i int) bool {
	for k := i; k < i+3; k++ {
		if w := s.low(k); len(w) > 6 && w[len(w)-1] == 's' && w[len(w)-2] == 'y' {
			return true
		}
	}
	return false
}

var pluralWeekdays = map[string]time.Weekday{
	"mondays": 1, "tuesdays": 2, "wednesdays": 3, "thursdays": 4, "fridays": 5, "saturdays": 6, "sundays": 0,
}

// dayHalf is a half of a day that an edge names, in hours.
type dayHalf struct{ from, to int }

// dayEdges are the parts of a day that "early", "mid" and "late" in it mean.
var dayEdges = map[edge]dayHalf{head: {0, 12}, middle: {10, 14}, tail: {12, 24}}

var inTheDay = []string{"in the day", "in the day on", "in the day of"}

// edgeOfDay reads "early in the day wednesday", "late on friday", "early tomorrow".
func (s *scan) edgeOfDay(i int) *found {
	e := edges[s.low(i)]
	if w := s.low(i); e == whole || w != "early" && w != "late" && w != "mid" && w != "middle" {
		return nil
	}
	n := s.phrase(i+1, inTheDay)
	if n == 0 && (e == middle || s.atRangeEnd) {
		return nil
	}
	if n == 0 && s.low(i+1) == "on" {
		n = 1
	}
	day := s.date(i + 1 + n)
	if day == nil || len(day.readings) == 0 || s.clockTime(day.to) != nil {
		return nil
	}
	if _, part := s.dayPartAt(day.to); part > 0 {
		return nil // early on thursday morning
	}
	h := dayEdges[e]
	f := &found{kind: "datetimerange", from: i, to: day.to, confidence: 0.88, temporal: temporal{cycle: day.cycle}}
	d := day.readings[len(day.readings)-1].start // the next one, as in Microsoft's cases
	v := interval{d.Add(time.Duration(h.from) * time.Hour), d.Add(time.Duration(h.to) * time.Hour)}
	f.value, f.readings = v, []interval{v}
	return f
}
