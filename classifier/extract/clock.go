package extract

import (
	"fmt"
	"time"
)

// timeOfDay is a time without a day. Its doubt is set when no word said which half of
// the day is meant.
type timeOfDay struct {
	hour, minute, second int
	doubt                bool
	either               bool // 1 to 12 without am or pm, whatever its shape says
}

func (t timeOfDay) String() string {
	if t.second != 0 {
		return fmt.Sprintf("%02d:%02d:%02d", t.hour%24, t.minute, t.second)
	}
	return fmt.Sprintf("%02d:%02d", t.hour%24, t.minute)
}

func (t timeOfDay) on(day time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, t.hour, t.minute, t.second, 0, day.Location())
}

// settle chooses the half of the day where nothing said it: 1 to 6 are in the afternoon,
// the rest is as read. Callers see the doubt in the confidence.
func (t timeOfDay) settle() timeOfDay {
	if t.doubt && t.hour >= 1 && t.hour <= 6 {
		t.hour += 12
	}
	return t
}

// half moves a time to a half of the day, am or pm, or to the night, which has some of both.
func (t timeOfDay) half(part string) timeOfDay {
	if part == "night" {
		if part = "pm"; t.hour == 12 || t.hour < 5 {
			part = "am"
		}
	}
	switch {
	case part == "am" && t.hour == 12:
		t.hour = 0
	case part == "pm" && t.hour < 12:
		t.hour += 12
	}
	t.doubt, t.either = false, false
	return t
}

// readings returns the time in both halves of the day where either may be meant.
func (t timeOfDay) readings() []interval {
	if !t.either || t.hour > 12 {
		return []interval{point(t.on(noDay))}
	}
	return []interval{point(t.half("am").on(noDay)), point(t.half("pm").on(noDay))}
}

var (
	timeCues = words("at by around about @ before after until till from for")
	notHours = words("st nd rd th percent dollars euros bucks pounds people persons guests items orders % minutes minute hours hour days day weeks week months month years year seconds times am pm least most all once first last o'clock oclock")
	dayparts = []struct {
		phrases []string
		half    string
	}{
		{[]string{"in the morning"}, "am"}, // "this morning" is a day, too
		{[]string{"in the afternoon", "in the evening"}, "pm"},
		{[]string{"at night", "in the night"}, "night"},
	}
)

// clockTime recognises a time of day at token i: 3pm, 15:30, half past two, at 5, noon.
func (s *scan) clockTime(i int) *found {
	if s.tongue != nil {
		return s.spokenClock(i)
	}
	for _, rule := range [...]func(*scan, int) (timeOfDay, int){
		(*scan).daypartTime, (*scan).namedTime, (*scan).ishTime, (*scan).halfHour, (*scan).pastTime, (*scan).writtenTime,
	} {
		t, n := rule(s, i)
		if n == 0 {
			continue
		}
		if s.isoTime(i - 1) {
			t.either, t.doubt = false, false
			if s.low(i+n) == "z" && s.glued(i+n) {
				n++
			}
		}
		if s.ranges {
			n += s.zone(i + n)
		}
		if s.glued(i) && !s.openBefore(i) && !s.symbolAt(i-1, "@-") && !s.isoTime(i-1) || s.glued(i+n) && !s.closeAfter(i+n) {
			continue
		}
		t.either = t.either && t.hour > 0 && t.hour <= 12
		if w := s.low(i - 1); t.either && t.likely(w) && s.low(i-2) != "good" {
			t = t.half(dayHalves[w].half) // "evening 7:30"
		}
		confidence := 0.93
		if t.doubt && t.hour > 0 && t.hour <= 12 {
			confidence = 0.75
		} else {
			t.doubt = false
		}
		from := i
		if !t.doubt && s.timeCue(i) > 0 {
			from++ // "at" makes a time of a bare hour only
		}
		return &found{kind: "time", from: from, to: i + n, value: t, confidence: confidence, temporal: temporal{readings: t.readings()}}
	}
	return nil
}

// daypartTime reads "in the morning at 7".
func (s *scan) daypartTime(i int) (timeOfDay, int) {
	for _, p := range dayparts {
		n := s.phrase(i, p.phrases)
		if n == 0 || s.low(i) != "in" || s.low(i+n) != "at" {
			continue
		}
		if t, k := s.writtenTime(i + n); k > 0 {
			return t.half(p.half), n + k
		}
	}
	return timeOfDay{}, 0
}

func (s *scan) namedTime(i int) (timeOfDay, int) {
	n := s.timeCue(i)
	if s.low(i+n) == "12" && (s.low(i+n+1) == "noon" || s.low(i+n+1) == "midnight") {
		n++
	}
	switch s.low(i + n) {
	case "noon", "midday", "noonish":
		return timeOfDay{hour: 12}, n + 1
	case "midnight":
		return timeOfDay{}, n + 1
	case "mid":
		if s.symbolAt(i+n+1, "-") {
			n++
		}
		if h, ok := middays[s.low(i+n+1)]; ok && (s.ranges || h == 12) {
			return timeOfDay{hour: h}, n + 2
		}
	}
	return timeOfDay{}, 0
}

// middays are the hours of mid-morning and the like.
var middays = map[string]int{"day": 12, "morning": 10, "afternoon": 14, "night": 0}

// timeCue counts the words before a time that belong to its span.
func (s *scan) timeCue(i int) int {
	if s.low(i) == "at" || s.symbolAt(i, "@") {
		return 1
	}
	return 0
}

// hourWord reads an hour of 1 to 12, in words or figures.
func (s *scan) hourWord(i int) (int, int) {
	if d := s.digits(i, 1, 2); d != "" && atoi(d) >= 1 && atoi(d) <= 12 {
		return atoi(d), 1
	}
	if v, ok := units[s.low(i)]; ok && v >= 1 && v <= 12 {
		return int(v), 1
	}
	return 0, 0
}

// pastTime reads half past two, quarter to five, ten past four.
func (s *scan) pastTime(i int) (timeOfDay, int) {
	n := s.timeCue(i)
	if s.low(i+n) == "a" {
		n++
	}
	minutes, said := 0, false
	switch s.low(i + n) {
	case "half":
		minutes, n = 30, n+1
	case "quarter":
		minutes, n = 15, n+1
	case "three":
		if w := s.low(i + n + 1); w == "quarters" || w == "quarter" {
			minutes, n = 45, n+2
			break
		}
		fallthrough
	default:
		v, k := s.below100(i + n)
		if d := s.digits(i+n, 1, 2); k == 0 && d != "" {
			v, k = float64(atoi(d)), 1
		}
		if k == 0 || v < 1 || v > 59 {
			return timeOfDay{}, 0
		}
		minutes, n = int(v), n+k
		if said = s.is(i+n, minuteUnits); said {
			n++
		}
	}
	word := s.low(i + n)
	h, k := s.hourWord(i + n + 1)
	if k == 0 {
		return timeOfDay{}, 0
	}
	n += 1 + k
	t := timeOfDay{hour: h, minute: minutes, doubt: true, either: true}
	switch word {
	case "past", "after":
	case "to", "till", "before":
		if !s.minutesTo(i, i+n, minutes, said) {
			return timeOfDay{}, 0
		}
		t.hour, t.minute = (h+11)%12, 60-minutes
		if t.hour == 0 {
			t.hour = 12
		}
	default:
		return timeOfDay{}, 0
	}
	n += s.oclock(i + n)
	before := n
	t, n = s.withHalf(i, t, n)
	if half, _ := s.dayHalf(i + before); n > before && t.minute == 60-minutes && word != "past" && word != "after" { // to 12pm: before noon
		at := timeOfDay{hour: h}.half(half).on(noDay).Add(-time.Duration(minutes) * time.Minute)
		t.hour, t.minute = at.Hour(), at.Minute()
	}
	return t, n
}

func (s *scan) dayHalfFollows(i int) bool {
	if _, n := s.dayHalf(i); n > 0 {
		return true
	}
	part, _ := s.partAhead(i)
	return part != ""
}

// spelledTime reads "five" and "five thirty".
func (s *scan) spelledTime(i int) (timeOfDay, int, bool) {
	h, n := s.hourWord(i)
	if n == 0 {
		return timeOfDay{}, 0, false
	}
	t := timeOfDay{hour: h, doubt: true, either: true}
	skip := 0
	if s.symbolAt(i+n, "-") && s.glued(i+n) && s.glued(i+n+1) {
		skip = 1 // five-thirty
	}
	if v, k := s.below100(i + n + skip); k > 0 && v >= 10 && v < 60 {
		t.minute, n = int(v), n+skip+k
		if s.ranges && s.low(i+n) == "minutes" && s.low(i-1) == "at" {
			n++
		}
	}
	if w := s.low(i + n); w == "oh" || w == "o" {
		if u := units[s.low(i+n+1)]; u > 0 && u < 10 { // ten oh five
			t.minute, n = int(u), n+2
		}
	}
	return t, n, false
}

// dayHalf reads am, p.m., "in the morning" after a time.
func (s *scan) dayHalf(i int) (half string, n int) {
	switch w := s.low(i); w {
	case "am", "pm":
		return w, 1
	case "a", "p":
		if s.symbolAt(i+1, ".") && s.low(i+2) == "m" {
			n = 3
			if s.symbolAt(i+3, ".") && (s.glued(i+3) && (s.glued(i+1) || len(s.tokens) == i+4) || !s.glued(i+1)) {
				n = 4
			}
			return w + "m", n
		}
		if s.low(i+1) == "m" {
			return w + "m", 2
		}
		if s.glued(i) && (!s.glued(i+1) || s.closeAfter(i+1)) && !s.lettered(i) {
			return w + "m", 1
		}
	}
	for _, p := range dayparts {
		if n := s.phrase(i, p.phrases); n > 0 {
			return p.half, n
		}
	}
	return "", 0
}

// lettered reports whether the letter at token i belongs to the number of a class or a house
// rather than to a time: 3A, flat 4a.
func (s *scan) lettered(i int) bool {
	return s.is(i-2, numberNouns) || s.tokens[i].text == "A" && !s.shouts() && !s.is(i-2, timeCues) && s.digits(i-1, 1, 1) != ""
}

func (s *scan) withHalf(i int, t timeOfDay, n int) (timeOfDay, int) {
	m := n
	if s.symbolAt(i+m, ".") && s.glued(i+m) && s.glued(i+m+1) {
		m++ // 9.am
	}
	half, k := s.dayHalf(i + m)
	if k == 0 || t.hour > 12 && half == "am" {
		return t, n
	}
	return t.half(half), m + k
}
