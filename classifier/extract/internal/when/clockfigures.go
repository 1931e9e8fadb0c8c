package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// writtenTime reads 15:30, 3.30pm, 3 pm, five o'clock, and a bare hour after "at".
func writtenTime(s *Reader, i int) (calendar.TimeOfDay, int) {
	n := s.TimeCue(i)
	cued := n > 0 || s.Is(i-1, timeCues)
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
	if n > before || sure || s.Ranges && dayPartAhead(s, i, i+n) || bareInPart(s, i, n, t) {
		return t, n
	}
	if s.Asked == "time" && n == len(s.Tokens)-i && i == 0 || s.Timely() && t.Minute > 0 && s.HourEnds(i+n) {
		return t, n
	}
	if s.Low(i+n) == "of" && s.Date(i+n+1) == nil || s.Low(i+n) == "or" && s.Tokens[i+n-1].Class == scan.Letters {
		return calendar.TimeOfDay{}, 0 // "at one of your shops", "around one or two"
	}
	exact := s.Low(i) == "at" || s.SymbolAt(i, "@") || s.Low(i-1) == "around"
	if !cued || !exact || s.Is(i+n, notHours) || !s.BareHourEnds(i+n) {
		return calendar.TimeOfDay{}, 0
	}
	return t, n
}

// dayPartAhead reports whether what follows makes a time of the words of an hour at i:
// "five thirty this afternoon", "six tomorrow morning".
func dayPartAhead(s *Reader, i, after int) bool {
	if s.Tokens[i].Class != scan.Letters {
		return false
	}
	if day, _ := relativePart(s, after); day != nil {
		return true
	}
	if d, n := relativeDay(s, after); n > 0 && !d.Next.IsZero() {
		_, k := dayPartAt(s, after+n)
		return k > 0
	}
	return false
}

// BareHourEnds reports whether what follows "at 5" leaves it a time: an end, a
// preposition, a day, not a noun ("at 5 stores").
func (s *Reader) BareHourEnds(i int) bool {
	if s.Ends(i) || s.Is(i, dayCues) || s.Is(i, Which) {
		return true
	}
	_, day := calendar.Weekdays[s.Low(i)]
	_, month := calendar.Months[s.Low(i)]
	_, relative := relativeDay(s, i)
	return day || month || relative > 0 || s.Is(i, afterHour)
}

var afterHour = scan.Words("with but so is works would if when then sharp instead for under")

// hourMinute reads an hour and perhaps minutes; sure is set by a shape that is nothing else.
func hourMinute(s *Reader, i int) (t calendar.TimeOfDay, n int, sure bool) {
	d := s.Digits(i, 1, 2)
	if d == "" {
		if t, n = militaryTime(s, i); n > 0 {
			return t, n, true
		}
		if four := s.Digits(i, 3, 4); four != "" && dayHalfFollows(s, i+1) { // 1140 a.m., 430am
			half := len(four) - 2
			t = calendar.TimeOfDay{Hour: scan.Atoi(four[:half]), Minute: scan.Atoi(four[half:]), Doubt: true, Either: true}
			if t.Hour < 1 || t.Hour > 12 || t.Minute > 59 {
				return t, 0, false
			}
			return t, 1, true
		}
		return spelledTime(s, i)
	}
	if t, n = hourLettered(s, i); n > 0 {
		return t, n, true
	}
	t.Hour, n = scan.Atoi(d), 1
	if t.Hour > 24 {
		return t, 0, false
	}
	if m := s.Digits(i+1, 2, 2); m != "" && !s.Glued(i+1) && m[0] < '6' && t.Hour >= 1 && t.Hour <= 12 && (dayHalfFollows(s, i+2) || s.Asked == "time" && s.HourEnds(i+2)) {
		t.Minute, t.Either, t.Doubt = scan.Atoi(m), true, true // 7 30 pm
		return t, 2, false
	}
	if s.SymbolAt(i+1, ":.") && s.Glued(i+1) && s.Glued(i+2) && s.Digits(i+2, 2, 2) != "" {
		dotted := s.Low(i+1) == "."
		t.Minute, n = scan.Atoi(s.Low(i+2)), 3
		sure = !dotted || t.Hour > 12 && s.Low(i-1) == "at"
		switch {
		case !dotted || dayHalfFollows(s, i+3) || s.Low(i-1) == "at":
		case dottedTime(s, i):
			sure = true
		default:
			return t, 0, false // 6.45 is a number
		}
		if s.SymbolAt(i+3, ":") && s.Glued(i+3) && s.Glued(i+4) && s.Digits(i+4, 2, 2) != "" {
			t.Second, n = scan.Atoi(s.Low(i+4)), 5
		}
		if !dotted && s.Low(i+n) == "h" && s.Glued(i+n) {
			n++ // 18:30h
		}
	}
	if t.Minute > 59 || t.Second > 59 || t.Hour == 24 && t.Minute > 0 {
		return t, 0, false
	}
	t.Hour %= 24
	t.Either = t.Hour >= 1 && t.Hour <= 12
	t.Doubt = t.Hour >= 1 && t.Hour <= 12 && len(d) < 2 || t.Hour >= 10 && t.Hour <= 12
	return t, n, sure
}
