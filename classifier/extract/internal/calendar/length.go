package calendar

import (
	"strconv"
	"strings"
	"time"
)

// Length is a duration by ISO 8601: each field counts its unit.
type Length struct{ years, Months, weeks, days, Hours, Minutes, Seconds float64 }

// String renders an ISO 8601 duration; weeks stand alone, else they count as days.
func (d Length) String() string {
	if d.weeks > 0 {
		rest := d
		rest.weeks = 0
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

// LengthUnits says which field of a length a word counts, and how many of it. A quarter is a
// part of an hour or of a game as often as of a year, so periods alone count quarters.
var LengthUnits = lengthTable([]lengthUnit{
	{"year years yr yrs", inYears, 1},
	{"decade decades", inYears, 10},
	{"century centuries", inYears, 100},
	{"month months", inMonths, 1},
	{"week weeks wk wks", inWeeks, 1},
	{"fortnight fortnights", inWeeks, 2},
	{"day days night nights", inDays, 1},
	{"weekends", inDays, 2},
	{"hour hours hr hrs h", inHours, 1},
	{"minute minutes min mins", inMinutes, 1},
	{"second seconds sec secs", inSeconds, 1},
})

type lengthUnit struct {
	words string
	field lengthField
	Scale float64
}

func lengthTable(rows []lengthUnit) map[string]lengthUnit {
	out := map[string]lengthUnit{}
	for _, row := range rows {
		for w := range strings.FieldsSeq(row.words) {
			out[w] = row
		}
	}
	return out
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

// Unit returns the field that a unit word counts, or nil.
func (d *Length) Unit(word string) *float64 {
	if u, ok := LengthUnits[word]; ok {
		return d.at(u.field)
	}
	return nil
}

// ScaleOf is how many of its field a unit word counts.
func ScaleOf(unit string) float64 {
	if u, ok := LengthUnits[unit]; ok {
		return u.Scale
	}
	return 1
}
