package extract

// minutesTo tells the minutes before an hour from what else is counted to it: "twenty minutes
// to six", not "two to four people". Where ranges are looked for, the hours of "five to seven
// pm" are one.
func (s *scan) minutesTo(i, after, minutes int, said bool) bool {
	switch {
	case said:
		return !s.is(after, notHours) || s.dayHalfFollows(after) || s.oclock(after) > 0
	case minutes == 15 || minutes == 45, s.timeCue(i) > 0 && minutes%5 == 0:
		return true
	case s.ranges && minutes <= 12:
		return false
	}
	return minutes%5 == 0 && s.dayHalfFollows(after)
}

var (
	minuteUnits = words("minutes min mins minute")
	clockWords  = []string{"o'clock", "oclock", "o clock", "o ' clock", "o' clock"}
)

// oclock counts the tokens of an o'clock behind an hour.
func (s *scan) oclock(i int) int {
	if w := s.low(i); w == "" || w[0] != 'o' {
		return 0
	}
	return s.phrase(i, clockWords)
}

// militaryTime reads 0930 hours, and at 1830 hours: without the "at" they are many hours.
func (s *scan) militaryTime(i int) (timeOfDay, int) {
	four := s.digits(i, 4, 4)
	if four == "" || !s.is(i+1, hourUnits) || four[0] != '0' && s.timeCue(i-1) == 0 {
		return timeOfDay{}, 0
	}
	t := timeOfDay{hour: atoi(four[:2]), minute: atoi(four[2:])}
	if t.hour > 23 || t.minute > 59 {
		return timeOfDay{}, 0
	}
	return t, 2
}

var hourUnits = words("hours hour hrs hr h")

var (
	zoneNames = words("mountain pacific eastern central atlantic hawaii alaska greenwich")
	zoneTails = []string{"timezone", "time zone", "standard timezone", "standard time zone"}
)

// zone counts the tokens of a zone behind a time, which belong to its span and say nothing of
// its value: a time is the agent's own.
func (s *scan) zone(i int) int {
	if !s.is(i, zoneNames) {
		return 0
	}
	if n := s.phrase(i+1, zoneTails); n > 0 {
		return n + 1
	}
	return 0
}
