package extract

import (
	"strconv"
	"strings"
	"time"
)

// length is a duration by ISO 8601: each field counts its unit.
type length struct{ years, months, weeks, days, hours, minutes, seconds float64 }

var (
	notLasting = words("ago old")
	lasting    = words("for takes lasts about")
)

// String renders an ISO 8601 duration; weeks stand alone, else they count as days.
func (d length) String() string {
	if d.weeks > 0 {
		rest := d
		rest.weeks = 0
		if rest == (length{}) {
			return "P" + trimFloat(d.weeks) + "W"
		}
		d.days += 7 * d.weeks
	}
	var b strings.Builder
	b.WriteByte('P')
	put := func(v float64, unit byte) {
		if v != 0 {
			b.WriteString(trimFloat(v))
			b.WriteByte(unit)
		}
	}
	put(d.years, 'Y')
	put(d.months, 'M')
	put(d.days, 'D')
	if d.hours != 0 || d.minutes != 0 || d.seconds != 0 {
		b.WriteByte('T')
		put(d.hours, 'H')
		put(d.minutes, 'M')
		put(d.seconds, 'S')
	}
	if b.Len() == 1 {
		return "PT0S"
	}
	return b.String()
}

func trimFloat(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// calendar reports whether the length counts days or more.
func (d length) calendar() bool { return d.years+d.months+d.weeks+d.days > 0 }

func (d length) clockPart() time.Duration {
	return time.Duration((d.hours*3600 + d.minutes*60 + d.seconds) * float64(time.Second))
}

// plus adds two lengths.
func (d length) plus(e length) length {
	return length{
		d.years + e.years, d.months + e.months, d.weeks + e.weeks, d.days + e.days,
		d.hours + e.hours, d.minutes + e.minutes, d.seconds + e.seconds,
	}
}

// most is the largest count of any unit.
func (d length) most() float64 {
	return max(d.years, d.months, d.weeks, d.days, d.hours, d.minutes, d.seconds)
}

// days3 is the calendar part as years, months and days.
func (d length) days3() [3]int {
	return [3]int{int(d.years), int(d.months), int(7*d.weeks) + int(d.days)}
}

// inSeconds counts a year as 365 days and a month as 30.
func (d length) inSeconds() float64 {
	const day = 86400
	return d.years*365*day + d.months*30*day + d.weeks*7*day + d.days*day + d.hours*3600 + d.minutes*60 + d.seconds
}

// length reads "2 hours and 30 minutes", "half an hour", "an hour and a half", 1h30.
func (s *scan) length(i int) (d length, n int) {
	if k := s.phrase(i, quarterHours); k > 0 {
		d.minutes = 15
		return d, k
	}
	if w := s.low(i); w != "half" && w != "a" && w != "one" {
		if wordValues[w].kind != noNumber {
			if d, k := s.partOfUnit(i); k > 0 {
				return d, k
			}
		}
		return s.counts(i)
	}
	if d, k := s.partOfUnit(i); k > 0 {
		return d, k
	}
	if k := s.phrase(i, halfHours); k > 0 {
		d.minutes = 30
		return d, k
	}
	if k := s.phrase(i, oneAndHalf); k > 0 {
		if field := d.unit(s.low(i + k)); field != nil {
			*field = 1.5
			return d, k + 1
		}
	}
	return s.counts(i)
}

// counts reads counted units, one after the other.
func (s *scan) counts(i int) (d length, n int) {
	for {
		at := i + n
		if n > 0 && (s.low(at) == "and" || s.symbolAt(at, ",")) {
			at++
		}
		if w := s.low(at); n > 0 && at == i+n && (w == "a" || w == "an") {
			break // 7 days a week
		}
		v, k := s.amount(at)
		if k == 0 || n > 0 && s.tokens[at].class == letters && s.low(at) == "a" && s.low(at+1) == "half" {
			break
		}
		u := s.low(at + k)
		if n > 0 && at == i+n && d.hours > 0 && d.minutes == 0 && s.glued(at) && s.digits(at, 2, 2) != "" && (u == "m" && s.glued(at+1) || !s.glued(at+1)) && v < 60 {
			d.minutes = v // 1h30, 2h30m
			if n++; u == "m" && s.glued(at+1) {
				n++
			}
			return d, n
		}
		if s.symbolAt(at+k, "-") {
			k++
			u = s.low(at + k)
		}
		field := d.unit(u)
		if field == nil && u == "m" && d.hours > 0 && s.glued(at+k) {
			field = &d.minutes // 1h 20m
		}
		if field == nil || *field != 0 || v < 0 || len(u) == 1 && !s.glued(at+k) {
			break
		}
		if v == 1 && k == 1 && s.tokens[at].class == letters && (u == "second" || u == "sec" || u == "minute" || u == "min") {
			break // "a second", "one minute": wait
		}
		*field = v * scaleOf(u)
		n = at + k + 1 - i
		for k := 0; s.low(i+n) == "and" && k < len(unitParts); k++ {
			if m := s.phrase(i+n, unitParts[k].phrases); m > 0 && lengthUnits[s.low(i+n+m)].scale == 0 {
				*field += unitParts[k].value * scaleOf(u)
				n += m
			}
		}
	}
	return d, n
}

// duration is a length of time that stands by itself.
func (s *scan) duration(i int) *found {
	if s.ranges {
		if f := s.looseDuration(i); f != nil {
			return f
		}
	}
	d, n := s.length(i)
	if n == 0 || s.glued(i) && !s.openBefore(i) || s.glued(i+n) && !s.closeAfter(i+n) {
		return nil
	}
	if s.ranges && s.low(i+n) == "old" {
		s.vague = true // an age
		return durationFound(i, n, d)
	}
	if s.is(i+n, notLasting) || s.low(i) == "a" && s.asked != "duration" && n == 2 && !s.is(i-1, lasting) && !(s.ranges && oneOfUnits[s.low(i+1)]) {
		return nil // "a day like this", "once a week"
	}
	if s.low(i) == "a" && s.low(i+1) == "night" && n == 2 && !s.ends(i+2) {
		return nil // a night out
	}
	return durationFound(i, n, d)
}

func durationFound(i, n int, d length) *found {
	return &found{kind: "duration", from: i, to: i + n, value: d.String(), confidence: 0.92, temporal: temporal{seconds: d.inSeconds()}}
}

var (
	halfHours    = []string{"half an hour", "half hour", "a half hour"}
	quarterHours = []string{"quarter of an hour", "a quarter of an hour", "quarter hour"}
	oneAndHalf   = []string{"one and half", "one and a half"}
	// oneOfUnits behind "a" are a length of time, where nothing is done with it.
	oneOfUnits = words("day week month year decade century fortnight")
	// unitParts follow a unit and are a part of it.
	unitParts  = []unitPart{{[]string{"and a half", "and half"}, 0.5}, {[]string{"and a quarter"}, 0.25}, {[]string{"and three quarters"}, 0.75}}
	moreOrLess = []string{"more than", "less than"}
)

// looseDuration reads what only means a length: "all day", "another week", "the hour",
// "half a year", "more than 2 hours".
func (s *scan) looseDuration(i int) *found {
	if k := s.phrase(i, moreOrLess); k > 0 {
		d, n := s.length(i + k)
		if n == 0 || s.is(i+k+n, lengthTails) {
			return nil
		}
		return durationFound(i, k+n, d)
	}
	n := 0
	switch s.low(i) {
	case "all", "another", "whole", "entire", "full":
		n = 1
		if s.low(i) == "all" && s.low(i+1) == "the" {
			return nil
		}
	case "the":
		n = 1
		if s.low(i+1) == "whole" || s.low(i+1) == "entire" {
			return nil
		}
		if u := unitWords[s.low(i+1)]; u != anHour || !s.ends(i+2) || s.low(i-1) != "for" {
			return nil
		}
	case "half":
		var d length
		if n = 1; s.low(i+1) == "a" || s.low(i+1) == "an" {
			n = 2
		}
		if field := d.unit(s.low(i + n)); field != nil && len(s.low(i+n)) > 2 && field != &d.minutes && field != &d.seconds && field != &d.hours {
			*field = 0.5
			return durationFound(i, n+1, d)
		}
		return nil
	default:
		return nil
	}
	var d length
	field := d.unit(s.low(i + n))
	if field == nil || len(s.low(i+n)) < 3 || strings.HasSuffix(s.low(i+n), "s") || field == &d.seconds {
		return nil
	}
	*field = scaleOf(s.low(i + n))
	return durationFound(i, n+1, d)
}

var lengthTails = words("ago before after from later old back")
