package extract

import "strings"

// lengthUnits says which field of a length a word counts, and how many of it. A quarter is a
// part of an hour or of a game as often as of a year, so periods alone count quarters
// ([scan.quarters]).
var lengthUnits = lengthTable([]lengthUnit{
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
	scale float64
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

func (d *length) at(f lengthField) *float64 {
	switch f {
	case inYears:
		return &d.years
	case inMonths:
		return &d.months
	case inWeeks:
		return &d.weeks
	case inDays:
		return &d.days
	case inHours:
		return &d.hours
	case inMinutes:
		return &d.minutes
	}
	return &d.seconds
}

// unit returns the field that a unit word counts, or nil.
func (d *length) unit(word string) *float64 {
	if u, ok := lengthUnits[word]; ok {
		return d.at(u.field)
	}
	return nil
}

// scaleOf is how many of its field a unit word counts.
func scaleOf(unit string) float64 {
	if u, ok := lengthUnits[unit]; ok {
		return u.scale
	}
	return 1
}

// unitPart is a part of a unit that stands behind it.
type unitPart struct {
	phrases []string
	value   float64
}

// partOfUnit reads "three quarters of an hour", "a third of a year".
func (s *scan) partOfUnit(i int) (d length, n int) {
	of := i + 1
	for of < i+5 && s.low(of) != "of" {
		of++
	}
	if w := s.low(of + 1); s.low(of) != "of" || w != "a" && w != "an" {
		return d, 0
	}
	v, k := 0.5, 1
	if s.low(i) != "half" {
		v, k = s.fractionWords(i)
	}
	if k == 0 || v >= 1 || s.low(i+k) != "of" || s.low(i+k+1) != "a" && s.low(i+k+1) != "an" {
		return d, 0
	}
	field := d.unit(s.low(i + k + 2))
	switch {
	case field == nil:
		return d, 0
	case field == &d.hours && v*60 == float64(int(v*60)):
		d.minutes = v * 60
	default:
		*field = v * scaleOf(s.low(i+k+2))
	}
	return d, k + 3
}
