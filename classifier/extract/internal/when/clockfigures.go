package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/message"
)

// writtenTime reads 15:30, 3.30pm, 3 pm, five o'clock, and a bare hour after "at".
func writtenTime(s *Reader, i int) (calendar.TimeOfDay, int) {
	n := s.TimeCue(i)
	t, k, sure := hourMinute(s, i+n)
	if k == 0 {
		return calendar.TimeOfDay{}, 0
	}
	n += k
	if k := oclock(s, i+n); k > 0 {
		n, sure = n+k, true
	}
	before := n
	t, n = withHalf(s, i, t, n)
	if n > before || sure || s.Ranges && dayPartAhead(s, i, i+n) || bareInPart(s, i, n, t) || answersTime(s, i, n, t) || cuedHour(s, i, n) {
		return t, n
	}
	return calendar.TimeOfDay{}, 0
}

// answersTime reports whether the hour of n tokens at i answers a question for a time.
func answersTime(s *Reader, i, n int, t calendar.TimeOfDay) bool {
	return s.Asked == "time" && n == len(s.Tokens)-i && i == 0 || s.Timely() && t.Minute > 0 && s.HourEnds(i+n)
}

// cuedHour reports whether the hour of n tokens at i is one by the word before it: "at 5", but
// not "at one of your shops" and "around one or two".
func cuedHour(s *Reader, i, n int) bool {
	if s.Low(i+n) == "of" && s.Date(i+n+1) == nil || s.Low(i+n) == "or" && s.Tokens[i+n-1].Class == message.Letters {
		return false
	}
	return (s.TimeCue(i) > 0 || s.Low(i-1) == "around") && !s.IsTerm(i+n, "not_hour") && s.BareHourEnds(i+n)
}

// dayPartAhead reports whether what follows makes a time of the words of an hour at i:
// "five thirty this afternoon", "six tomorrow morning".
func dayPartAhead(s *Reader, i, after int) bool {
	if s.Tokens[i].Class != message.Letters {
		return false
	}
	if day, _ := relativePart(s, after); day != nil {
		return true
	}
	if _, n := s.TermAt(after, "named_day"); n > 0 {
		_, k := dayPartAt(s, after+n)
		return k > 0
	}
	return false
}

// BareHourEnds reports whether what follows "at 5" leaves it a time: an end, a
// preposition, a day, not a noun ("at 5 stores").
func (s *Reader) BareHourEnds(i int) bool {
	if s.Ends(i) || s.IsTerm(i, "day_cue") || s.IsTerm(i, "which") {
		return true
	}
	return s.IsTerm(i, "weekday") || s.IsTerm(i, "month") || s.IsTerm(i, "named_day") || s.IsTerm(i, "after_hour")
}

// hourMinute reads an hour and perhaps minutes; sure is set by a shape that is nothing else.
func hourMinute(s *Reader, i int) (t calendar.TimeOfDay, n int, sure bool) {
	d := s.Digits(i, 1, 2)
	if d == "" {
		return hourOtherwise(s, i)
	}
	if t, n = hourLettered(s, i); n > 0 {
		return t, n, true
	}
	t.Hour, n = message.Atoi(d), 1
	if m := s.Digits(i+1, 2, 2); t.Hour >= 1 && t.Hour <= 12 && m != "" && minutesApart(s, i+1) {
		t.Minute, t.Either, t.Doubt = message.Atoi(m), true, true // 7 30 pm
		return t, 2, false
	}
	if m := s.Marked(i+1, ":.", 2, 2); m != "" {
		t.Minute = message.Atoi(m)
		if n, sure = minutesMarked(s, i, &t); n == 0 {
			return t, 0, false // 6.45 is a number
		}
	}
	if t.Hour > 24 || t.Minute > 59 || t.Second > 59 || t.Hour == 24 && t.Minute > 0 {
		return t, 0, false
	}
	t.Hour %= 24
	t.Either = t.Hour >= 1 && t.Hour <= 12
	t.Doubt = t.Either && (len(d) < 2 || t.Hour >= 10)
	return t, n, sure
}

// hourOtherwise reads an hour that is not one or two figures: 0930 hours, 430am, five thirty.
func hourOtherwise(s *Reader, i int) (t calendar.TimeOfDay, n int, sure bool) {
	if t, n = militaryTime(s, i); n > 0 {
		return t, n, true
	}
	four := s.Digits(i, 3, 4)
	if four == "" || !dayHalfFollows(s, i+1) {
		return spelledTime(s, i)
	}
	half := len(four) - 2
	t = calendar.TimeOfDay{Hour: message.Atoi(four[:half]), Minute: message.Atoi(four[half:]), Doubt: true, Either: true}
	if t.Hour < 1 || t.Hour > 12 || t.Minute > 59 {
		return t, 0, false
	}
	return t, 1, true
}

// minutesApart reports whether the two figures at token i, behind a space, are minutes.
func minutesApart(s *Reader, i int) bool {
	return !s.Glued(i) && s.Low(i)[0] < '6' && (dayHalfFollows(s, i+1) || s.Asked == "time" && s.HourEnds(i+1))
}

// minutesMarked reads what follows the minutes of the time at token i, and counts all of it.
func minutesMarked(s *Reader, i int, t *calendar.TimeOfDay) (n int, sure bool) {
	dotted, at := s.Low(i+1) == ".", s.Low(i-1) == "at"
	sure = !dotted || t.Hour > 12 && at
	if dotted && !dayHalfFollows(s, i+3) && !at {
		if sure = dottedTime(s, i); !sure {
			return 0, false
		}
	}
	n = 3
	if second := s.Marked(i+3, ":", 2, 2); second != "" {
		t.Second, n = message.Atoi(second), 5
	}
	if !dotted && s.Low(i+n) == "h" && s.Glued(i+n) {
		n++ // 18:30h
	}
	return n, sure
}

// minutesTo tells the minutes before an hour from what else is counted to it: "twenty minutes
// to six", not "two to four people". Where ranges are looked for, the hours of "five to seven
// pm" are one.
func minutesTo(s *Reader, i, after, minutes int, said bool) bool {
	switch {
	case said:
		return !s.IsTerm(after, "not_hour") || dayHalfFollows(s, after) || oclock(s, after) > 0
	case minutes == 15 || minutes == 45, s.TimeCue(i) > 0 && minutes%5 == 0:
		return true
	case s.Ranges && minutes <= 12:
		return false
	}
	return minutes%5 == 0 && dayHalfFollows(s, after)
}

// oclock counts the tokens of an o'clock behind an hour.
func oclock(s *Reader, i int) int {
	if w := s.Low(i); w == "" || w[0] != 'o' {
		return 0
	}
	return s.count(i, "oclock")
}

// militaryTime reads 0930 hours, and at 1830 hours: without the "at" they are many hours.
func militaryTime(s *Reader, i int) (calendar.TimeOfDay, int) {
	four := s.Digits(i, 4, 4)
	if four == "" || !s.IsTerm(i+1, "hour_unit") || four[0] != '0' && s.TimeCue(i-1) == 0 && !s.Timely() {
		return calendar.TimeOfDay{}, 0
	}
	t := calendar.TimeOfDay{Hour: message.Atoi(four[:2]), Minute: message.Atoi(four[2:])}
	if t.Hour > 23 || t.Minute > 59 {
		return calendar.TimeOfDay{}, 0
	}
	return t, 2
}

// zone counts the tokens of a time zone behind a time. They belong to its span and do not change
// its value: a time is in the agent's zone.
func zone(s *Reader, i int) int {
	if !s.IsTerm(i, "zone") {
		return 0
	}
	if n := s.count(i+1, "zone_tail"); n > 0 {
		return n + 1
	}
	return 0
}
