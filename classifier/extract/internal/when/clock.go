package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// ClockTime recognises a time of day at token i: 3pm, 15:30, half past two, at 5, noon.
func (s *Reader) ClockTime(i int) *find.Find {
	if !s.Language.Coded {
		return s.Other.Time(s, i)
	}
	for _, rule := range [...]func(*Reader, int) (calendar.TimeOfDay, int){
		daypartTime, namedTime, ishTime, halfHour, pastTime, writtenTime,
	} {
		if t, n := rule(s, i); n > 0 {
			if f := timeFound(s, i, n, t); f != nil {
				return f
			}
		}
	}
	return nil
}

// timeFound is the find of a time of n tokens at i; nil for a part of a longer word.
func timeFound(s *Reader, i, n int, t calendar.TimeOfDay) *find.Find {
	iso := isoTime(s, i-1)
	if iso {
		t.Either, t.Doubt = false, false
		n += message.Btoi(s.Low(i+n) == "z" && s.Glued(i+n))
	}
	if s.Ranges {
		n += zone(s, i+n)
	}
	if s.Glued(i) && !s.OpenBefore(i) && !s.SymbolAt(i-1, "@-") && !iso || s.Glued(i+n) && !s.CloseAfter(i+n) {
		return nil
	}
	t.Either = t.Either && t.Hour > 0 && t.Hour <= 12
	if w := s.Low(i - 1); t.Either && t.Likely(w) && s.Low(i-2) != "good" {
		t = t.Half(calendar.DayHalves[w].Half) // "evening 7:30"
	}
	confidence := 0.75
	if t.Doubt = t.Doubt && t.Hour > 0 && t.Hour <= 12; !t.Doubt {
		confidence = 0.93
		i, n = i+s.TimeCue(i), n-s.TimeCue(i) // "at" makes a time of a bare hour only
	}
	return &find.Find{Kind: "time", From: i, To: i + n, Value: t, Confidence: confidence, Temporal: find.Temporal{Readings: t.Readings()}}
}

// daypartTime reads "in the morning at 7".
func daypartTime(s *Reader, i int) (calendar.TimeOfDay, int) {
	p, n := s.TermAt(i, "half_day")
	if n == 0 || s.Low(i) != "in" || s.Low(i+n) != "at" {
		return calendar.TimeOfDay{}, 0
	}
	t, k := writtenTime(s, i+n)
	return t.Half(p.Value), (n + k) * min(k, 1)
}

func namedTime(s *Reader, i int) (calendar.TimeOfDay, int) {
	n := s.TimeCue(i)
	if s.Low(i+n) == "12" && s.Says(i+n+1, "noon", "midnight") {
		n++
	}
	switch s.Low(i + n) {
	case "noon", "midday", "noonish":
		return calendar.TimeOfDay{Hour: 12}, n + 1
	case "midnight":
		return calendar.TimeOfDay{}, n + 1
	case "mid":
		n += message.Btoi(s.SymbolAt(i+n+1, "-"))
		if h, ok := middays[s.Low(i+n+1)]; ok && (s.Ranges || h == 12) {
			return calendar.TimeOfDay{Hour: h}, n + 2
		}
	}
	return calendar.TimeOfDay{}, 0
}

// middays are the hours of mid-morning and the like.
var middays = map[string]int{"day": 12, "morning": 10, "afternoon": 14, "night": 0}

// TimeCue counts the words before a time that belong to its span.
func (s *Reader) TimeCue(i int) int {
	if s.Low(i) == "at" || s.SymbolAt(i, "@") {
		return 1
	}
	return 0
}

// hourWord reads an hour of 1 to 12, in words or figures.
func hourWord(s *Reader, i int) (int, int) {
	if d := s.Digits(i, 1, 2); d != "" && message.Atoi(d) >= 1 && message.Atoi(d) <= 12 {
		return message.Atoi(d), 1
	}
	if v, ok := numbers.Units[s.Low(i)]; ok && v >= 1 && v <= 12 {
		return int(v), 1
	}
	return 0, 0
}

// pastTime reads half past two, quarter to five, ten past four.
func pastTime(s *Reader, i int) (calendar.TimeOfDay, int) {
	n := s.TimeCue(i)
	n += s.Skip(i+n, "a")
	minutes, k, said := minutesSaid(s, i+n)
	if k == 0 {
		return calendar.TimeOfDay{}, 0
	}
	n += k
	word := s.Low(i + n)
	h, k := hourWord(s, i+n+1)
	if k == 0 {
		return calendar.TimeOfDay{}, 0
	}
	n += 1 + k
	t := calendar.TimeOfDay{Hour: h, Minute: minutes, Doubt: true, Either: true}
	switch word {
	case "past", "after":
		n += oclock(s, i+n)
		return withHalf(s, i, t, n)
	case "to", "till", "before":
		if !minutesTo(s, i, i+n, minutes, said) {
			return calendar.TimeOfDay{}, 0
		}
	default:
		return calendar.TimeOfDay{}, 0
	}
	t.Hour, t.Minute = (h+10)%12+1, 60-minutes
	n += oclock(s, i+n)
	before := n
	t, n = withHalf(s, i, t, n)
	if half, _ := dayHalf(s, i+before); n > before { // to 12pm: before noon
		at := calendar.TimeOfDay{Hour: h}.Half(half).On(calendar.NoDay).Add(-time.Duration(minutes) * time.Minute)
		t.Hour, t.Minute = at.Hour(), at.Minute()
	}
	return t, n
}

// minutesSaid reads the minutes past or to an hour: "half", "three quarters", "twenty minutes".
// It reports whether their unit was named.
func minutesSaid(s *Reader, i int) (minutes, n int, said bool) {
	switch {
	case s.Low(i) == "half":
		return 30, 1, false
	case s.Low(i) == "quarter":
		return 15, 1, false
	case s.Low(i) == "three" && s.Says(i+1, "quarters", "quarter"):
		return 45, 2, false
	}
	v, n := numbers.Below100(s.Message, i)
	if d := s.Digits(i, 1, 2); n == 0 && d != "" {
		v, n = float64(message.Atoi(d)), 1
	}
	if v < 1 || v > 59 {
		return 0, 0, false
	}
	said = n > 0 && s.IsTerm(i+n, "minute_unit")
	return int(v), n + message.Btoi(said), said
}

func dayHalfFollows(s *Reader, i int) bool {
	if _, n := dayHalf(s, i); n > 0 {
		return true
	}
	part, _ := partAhead(s, i)
	return part != ""
}

// spelledTime reads "five" and "five thirty".
func spelledTime(s *Reader, i int) (calendar.TimeOfDay, int, bool) {
	h, n := hourWord(s, i)
	if n == 0 {
		return calendar.TimeOfDay{}, 0, false
	}
	t := calendar.TimeOfDay{Hour: h, Doubt: true, Either: true}
	skip := 0
	if s.SymbolAt(i+n, "-") && s.Glued(i+n) && s.Glued(i+n+1) {
		skip = 1 // five-thirty
	}
	if v, k := numbers.Below100(s.Message, i+n+skip); k > 0 && v >= 10 && v < 60 {
		t.Minute, n = int(v), n+skip+k
		if s.Ranges && s.Low(i+n) == "minutes" && s.Low(i-1) == "at" {
			n++
		}
	}
	if w := s.Low(i + n); w == "oh" || w == "o" {
		if u := numbers.Units[s.Low(i+n+1)]; u > 0 && u < 10 { // ten oh five
			t.Minute, n = int(u), n+2
		}
	}
	return t, n, false
}

// dayHalf reads am, p.m., "in the morning" after a time.
func dayHalf(s *Reader, i int) (half string, n int) {
	switch w := s.Low(i); w {
	case "am", "pm":
		return w, 1
	case "a", "p":
		if s.SymbolAt(i+1, ".") && s.Low(i+2) == "m" {
			n = 3
			if s.SymbolAt(i+3, ".") && (s.Glued(i+3) && (s.Glued(i+1) || len(s.Tokens) == i+4) || !s.Glued(i+1)) {
				n = 4
			}
			return w + "m", n
		}
		if s.Low(i+1) == "m" {
			return w + "m", 2
		}
		if s.Glued(i) && (!s.Glued(i+1) || s.CloseAfter(i+1)) && !lettered(s, i) {
			return w + "m", 1
		}
	}
	p, n := s.TermAt(i, "half_day")
	return p.Value, n
}

// lettered reports whether the letter at token i belongs to the number of a class or a house
// rather than to a time: 3A, flat 4a.
func lettered(s *Reader, i int) bool {
	return s.IsTerm(i-2, "number_noun") || s.Tokens[i].Text == "A" && !s.Shouts() && !s.IsTerm(i-2, "time_cue") && s.Digits(i-1, 1, 1) != ""
}

func withHalf(s *Reader, i int, t calendar.TimeOfDay, n int) (calendar.TimeOfDay, int) {
	m := n
	if s.SymbolAt(i+m, ".") && s.Glued(i+m) && s.Glued(i+m+1) {
		m++ // 9.am
	}
	half, k := dayHalf(s, i+m)
	if k == 0 || t.Hour > 12 && half == "am" {
		return t, n
	}
	return t.Half(half), m + k
}
