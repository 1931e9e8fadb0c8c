package extract

import (
	"strings"
	"time"
)

// clockUnits are the units below a day.
var clockUnits = map[unit]time.Duration{anHour: time.Hour, aMinute: time.Minute, aSecond: time.Second}

func (s *scan) unitFound(i, n int, u unit, shift int) *found {
	if step := clockUnits[u]; step > 0 {
		if shift == 0 {
			return nil
		}
		return s.spanFromNow(i, n, time.Duration(shift)*step)
	}
	return rangeFound(i, n, u, s.clock.stretch(u, shift))
}

// spanFromNow is the time from now for so long, or up to now where it is below zero.
func (s *scan) spanFromNow(i, n int, d time.Duration) *found {
	v := interval{s.clock.now, s.clock.now.Add(d)}
	if d < 0 {
		v = interval{v.end, v.start}
	}
	f := rangeFound(i, n, noUnit, v)
	f.kind = "datetimerange"
	return f
}

// countedPeriod reads "next 3 days", "past two weeks", "5 coming minutes", "within 9
// months", "within the next day and 5 hours", "next 4 business days".
func (s *scan) countedPeriod(i int) *found {
	n, within := 0, false
	if s.low(i) == "within" {
		within = true
		if n = 1; s.low(i+n) == "the" {
			n++
		}
	}
	shift, said := relatives[s.low(i+n)]
	if said && shift != 0 {
		n++
	}
	if f := s.businessDays(i, n, shift); f != nil {
		return f
	}
	d, k := s.length(i + n)
	if k == 0 && shift == 0 { // 5 past years
		if v, m := s.amount(i + n); m > 0 && s.low(i+n) != "a" && relatives[s.low(i+n+m)] != 0 && v > 0 {
			if d, k = s.lengthOf(v, i+n+m+1); k > 0 && (v == 1 || strings.HasSuffix(s.low(i+n+m+1), "s")) {
				shift, k = relatives[s.low(i+n+m)], m+2
			} else {
				k = 0
			}
		}
	}
	if k == 0 && (within || shift != 0) {
		d, k = s.quarters(i + n)
	}
	if k == 0 && within && shift > 0 { // within the next day and 5 hours
		d, k = s.lengthOf(1, i+n)
		if e, m := s.length(i + n + k + 1); k > 0 && m > 0 && s.low(i+n+k) == "and" {
			d, k = d.plus(e), k+1+m
		}
	}
	if s.low(i+n+k-1) == "weekends" {
		return nil // of every week in between
	}
	if k == 0 || !within && shift == 0 || d.most() > mostUnits {
		return nil
	}
	return s.lengthFromNow(i, n+k, d, shift, within)
}

// quarters reads a count of quarters of a year. A number there would take the quarters for
// fourths.
func (s *scan) quarters(i int) (d length, n int) {
	v, k := s.below100(i)
	if figures := s.digits(i, 1, 2); figures != "" {
		v, k = float64(atoi(figures)), 1
	}
	if s.low(i+k) != "quarters" || v < 1 {
		return d, 0
	}
	d.months = 3 * v
	return d, k + 1
}

// lengthOf reads a unit word that a number counts.
func (s *scan) lengthOf(v float64, i int) (d length, n int) {
	if field := d.unit(s.low(i)); field != nil && len(s.low(i)) > 1 {
		*field = v * scaleOf(s.low(i))
		return d, 1
	}
	return d, 0
}

// lengthFromNow is a length of time ahead or behind. Whole days ahead start tomorrow,
// unless the words are "within".
func (s *scan) lengthFromNow(i, n int, d length, shift int, within bool) *found {
	if d.clockPart() != 0 {
		sign := 1
		if shift < 0 {
			sign = -1
		}
		end := move(s.clock.now, d.days3(), sign).Add(time.Duration(sign) * d.clockPart())
		return s.spanFromNow(i, n, end.Sub(s.clock.now))
	}
	step, today := d.days3(), s.clock.today()
	switch {
	case shift < 0:
		return rangeFound(i, n, noUnit, interval{move(today, step, -1), today})
	case within:
		return rangeFound(i, n, noUnit, interval{today, move(today, step, 1)})
	}
	first := today.AddDate(0, 0, 1)
	return rangeFound(i, n, noUnit, interval{first, move(first, step, 1)})
}

// businessDays reads "4 business days" after next or last.
func (s *scan) businessDays(i, n, shift int) *found {
	v, k := s.amount(i + n)
	if k == 0 || shift == 0 || s.phrase(i+n+k, workDays) == 0 || v != float64(int(v)) || v < 1 || v > mostUnits {
		return nil
	}
	day := s.clock.today()
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
	return rangeFound(i, n+k+2, noUnit, interval{edge, day.AddDate(0, 0, 1)})
}

var workDays = []string{"business days", "business day", "working days", "working day", "work days"}
