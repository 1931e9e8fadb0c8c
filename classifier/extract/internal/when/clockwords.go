package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// minutesTo tells the minutes before an hour from what else is counted to it: "twenty minutes
// to six", not "two to four people". Where ranges are looked for, the hours of "five to seven
// pm" are one.
func minutesTo(s *Reader, i, after, minutes int, said bool) bool {
	switch {
	case said:
		return !s.Is(after, notHours) || dayHalfFollows(s, after) || oclock(s, after) > 0
	case minutes == 15 || minutes == 45, s.TimeCue(i) > 0 && minutes%5 == 0:
		return true
	case s.Ranges && minutes <= 12:
		return false
	}
	return minutes%5 == 0 && dayHalfFollows(s, after)
}

var (
	minuteUnits = scan.Words("minutes min mins minute")
	clockWords  = []string{"o'clock", "oclock", "o clock", "o ' clock", "o' clock"}
)

// oclock counts the tokens of an o'clock behind an hour.
func oclock(s *Reader, i int) int {
	if w := s.Low(i); w == "" || w[0] != 'o' {
		return 0
	}
	return s.Phrase(i, clockWords)
}

// militaryTime reads 0930 hours, and at 1830 hours: without the "at" they are many hours.
func militaryTime(s *Reader, i int) (calendar.TimeOfDay, int) {
	four := s.Digits(i, 4, 4)
	if four == "" || !s.Is(i+1, hourUnits) || four[0] != '0' && s.TimeCue(i-1) == 0 {
		return calendar.TimeOfDay{}, 0
	}
	t := calendar.TimeOfDay{Hour: scan.Atoi(four[:2]), Minute: scan.Atoi(four[2:])}
	if t.Hour > 23 || t.Minute > 59 {
		return calendar.TimeOfDay{}, 0
	}
	return t, 2
}

var hourUnits = scan.Words("hours hour hrs hr h")

var (
	zoneNames = scan.Words("mountain pacific eastern central atlantic hawaii alaska greenwich")
	zoneTails = []string{"timezone", "time zone", "standard timezone", "standard time zone"}
)

// zone counts the tokens of a zone behind a time, which belong to its span and say nothing of
// its value: a time is the agent's own.
func zone(s *Reader, i int) int {
	if !s.Is(i, zoneNames) {
		return 0
	}
	if n := s.Phrase(i+1, zoneTails); n > 0 {
		return n + 1
	}
	return 0
}
