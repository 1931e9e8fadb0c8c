package calendar

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Length is a duration by ISO 8601: each field counts its unit.
type Length struct {
	years, Months, weeks, days, Hours, Minutes, Seconds float64
	Vague                                               bool // it counts "a few"
}

// String renders an ISO 8601 duration; weeks stand alone, else they count as days.
func (d Length) String() string {
	if d.weeks > 0 {
		rest := d
		rest.weeks, rest.Vague = 0, false
		if rest == (Length{}) {
			return "P" + TrimFloat(d.weeks) + "W"
		}
		d.days += 7 * d.weeks
	}
	var b strings.Builder
	b.WriteByte('P')
	put := func(v float64, unit byte) {
		if v != 0 {
			b.WriteString(TrimFloat(v))
			b.WriteByte(unit)
		}
	}
	put(d.years, 'Y')
	put(d.Months, 'M')
	put(d.days, 'D')
	if d.Hours != 0 || d.Minutes != 0 || d.Seconds != 0 {
		b.WriteByte('T')
		put(d.Hours, 'H')
		put(d.Minutes, 'M')
		put(d.Seconds, 'S')
	}
	if b.Len() == 1 {
		return "PT0S"
	}
	return b.String()
}

// TrimFloat writes a number without trailing zeros.
func TrimFloat(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Calendar reports whether the length counts days or more.
func (d Length) Calendar() bool { return d.years+d.Months+d.weeks+d.days > 0 }

// ClockPart returns the part of the length below a day.
func (d Length) ClockPart() time.Duration {
	return time.Duration((d.Hours*3600 + d.Minutes*60 + d.Seconds) * float64(time.Second))
}

// Plus adds two lengths.
func (d Length) Plus(e Length) Length {
	return Length{
		d.years + e.years, d.Months + e.Months, d.weeks + e.weeks, d.days + e.days,
		d.Hours + e.Hours, d.Minutes + e.Minutes, d.Seconds + e.Seconds,
		d.Vague || e.Vague,
	}
}

// Most is the largest count of any unit.
func (d Length) Most() float64 {
	return max(d.years, d.Months, d.weeks, d.days, d.Hours, d.Minutes, d.Seconds)
}

// Days3 is the calendar part as years, months and days.
func (d Length) Days3() [3]int {
	return [3]int{int(d.years), int(d.Months), int(7*d.weeks) + int(d.days)}
}

// InSeconds counts a year as 365 days and a month as 30.
func (d Length) InSeconds() float64 {
	const day = 86400
	return d.years*365*day + d.Months*30*day + d.weeks*7*day + d.days*day + d.Hours*3600 + d.Minutes*60 + d.Seconds
}

// lengthUnits says which field of a length a unit counts, and how many of it. The tables of the
// languages name their words for the units so.
var lengthUnits = map[string]struct {
	field lengthField
	scale float64
}{
	"year": {inYears, 1}, "decade": {inYears, 10}, "century": {inYears, 100}, "month": {inMonths, 1}, "week": {inWeeks, 1},
	"fortnight": {inWeeks, 2}, "day": {inDays, 1}, "nights": {inDays, 1}, "weekends": {inDays, 2},
	"hour": {inHours, 1}, "minute": {inMinutes, 1}, "second": {inSeconds, 1},
}

// lengthField is one of the fields of a length.
type lengthField uint8

const (
	inYears lengthField = iota
	inMonths
	inWeeks
	inDays
	inHours
	inMinutes
	inSeconds
)

func (d *Length) at(f lengthField) *float64 {
	switch f {
	case inYears:
		return &d.years
	case inMonths:
		return &d.Months
	case inWeeks:
		return &d.weeks
	case inDays:
		return &d.days
	case inHours:
		return &d.Hours
	case inMinutes:
		return &d.Minutes
	}
	return &d.Seconds
}

// Of is a length of so many units; ok is false for no unit.
func Of(many float64, unit string) (d Length, ok bool) {
	u, ok := lengthUnits[unit]
	if ok {
		*d.at(u.field) = many * u.scale
	}
	return d, ok
}

// Shares reports whether two lengths count the same unit.
func (d Length) Shares(e Length) bool {
	for f := inYears; f <= inSeconds; f++ {
		if *d.at(f) != 0 && *e.at(f) != 0 {
			return true
		}
	}
	return false
}

// Scaled is so many times a length that counts one.
func (d Length) Scaled(by float64) Length {
	for f := inYears; f <= inSeconds; f++ {
		*d.at(f) *= by
	}
	return d
}

// Told is a length as people name it: a part of one unit is so many of the next where these are
// whole. Half a day is twelve hours, three quarters of an hour are 45 minutes.
func (d Length) Told() Length {
	for _, step := range [...]struct {
		from, to lengthField
		many     float64
	}{{inYears, inMonths, 12}, {inDays, inHours, 24}, {inHours, inMinutes, 60}} {
		from, to := d.at(step.from), d.at(step.to)
		if part := *from * step.many; *from > 0 && *from < 1 && math.Trunc(part) == part {
			*from, *to = 0, *to+part
		}
	}
	return d
}

// Steps are the years, months and days that a length moves a date; whole is false where it would
// move it by a part of a day.
func (d Length) Steps() (step [3]int, whole bool) {
	months, days := 12*d.years+d.Months, 7*d.weeks+d.days
	if math.Trunc(months) != months || math.Trunc(days) != days || d.ClockPart() != 0 {
		return step, false
	}
	return [3]int{0, int(months), int(days)}, true
}
