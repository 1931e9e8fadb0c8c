package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// DayNumber reads 21, 21st or twenty-first, a day of a month.
func (s *Reader) DayNumber(i int) (day, n int, ordinal bool) {
	if v, n := numbers.Ordinal(s.Message, i); n > 0 && v <= 31 {
		return int(v), n, true
	}
	if d := s.Digits(i, 1, 2); d != "" && !(s.Glued(i+1) && s.Tokens[i+1].Class == message.Letters) {
		return message.Atoi(d), 1, false
	}
	if v, n := numbers.Below100(s.Message, i); n > 0 && v >= 1 && v <= 31 {
		return int(v), n, false
	}
	return 0, 0, false
}

// YearAfter reads ", 2026" or "of 2026".
func (s *Reader) YearAfter(i int) (year, n int) {
	if s.SymbolAt(i, ",/-'") || s.Says(i, "of", "in") {
		n = 1
	}
	if d := s.Digits(i+n, 4, 4); d != "" && (d[0] == '1' || d[0] == '2') && !s.SymbolAt(i+n+1, ":") && !s.IsTerm(i+n+1, "half_day") {
		return message.Atoi(d), n + 1
	}
	if d := s.Digits(i+1, 2, 2); d != "" && s.SymbolAt(i, "'’") && s.Glued(i+1) {
		_, y := calendar.ShortYears(message.Atoi(d), 2)
		return y, 2
	}
	if y, k := s.SpelledYear(i + n); k > 0 {
		return y, n + k
	}
	return 0, 0
}

// SpelledYear reads nineteen ninety six, two thousand and fifteen.
func (s *Reader) SpelledYear(i int) (year, n int) {
	if s.Low(i) == "" || s.Tokens[i].Class != message.Letters {
		return 0, 0
	}
	if s.Low(i) == "two" && s.Low(i+1) == "thousand" {
		n = 2
		n += s.Skip(i+n, "and")
		if v, k := numbers.Below100(s.Message, i+n); k > 0 {
			return 2000 + int(v), n + k
		}
		return 0, 0
	}
	switch century := numbers.Units[s.Low(i)]; {
	case century >= 15:
		year = int(century) * 100
	case s.Low(i) == "twenty":
		year = 2000
	default:
		return 0, 0
	}
	n = 1
	if s.Low(i+1) == "hundred" && year < 2000 {
		if n++; s.Low(i+n) == "and" {
			n++
		}
		if v, k := numbers.Below100(s.Message, i+n); k > 0 {
			return year + int(v), n + k
		}
		return year, 2
	}
	if w := s.Low(i + 1); w == "oh" || w == "o" { // nineteen oh five
		if u := numbers.Units[s.Low(i+2)]; u > 0 && u < 10 {
			return year + int(u), 3
		}
	}
	if v, k := numbers.Below100(s.Message, i+1); k > 0 && v >= 10 {
		return year + int(v), 1 + k
	}
	return 0, 0
}

// MonthIsVerb reports whether the month at token i, behind a number, is rather a verb: "the 2 may be
// late", "the second may be late".
func (s *Reader) MonthIsVerb(i int, ordinal bool) bool {
	if s.Capital(i) || s.Ends(i+1) {
		return false
	}
	if ordinal {
		return s.Low(i) == "may"
	}
	return s.IsTerm(i, "doubtful_month") && s.YearDigits(i+1) == 0
}

// DayLeads reports whether a figure alone is a day behind "on": "on 21 at 5".
func (s *Reader) DayLeads(i int, article bool) bool {
	return s.Ranges && (article || len(s.Low(i)) == 2) && whenNext(s, i+1)
}

// DayNumberStands reports whether the question or the words around "the 21st" make a day of it.
// It starts at token i, its number at token at, and what stands behind it at token after.
func (s *Reader) DayNumberStands(i, at, after int, v float64) bool {
	before, typed := s.Low(i-1), s.Tokens[at].Class == message.Digits
	spelled := s.Ranges && before == "on" && v > 3 // "on the twenty-first", not "on the second"
	decorated := s.IsTerm(i-1, "weekday")
	switch {
	case decorated, s.Asked == "date", s.Asked == "datetime":
		return true
	case s.IsTerm(i-1, "day_number_cue") && (spelled || typed) && (s.Ends(after) || s.IsTerm(after, "day_number_end")):
		return true
	case s.Ranges && before == "of" && calendar.DayHalves[s.Low(i-2)].Half != "": // evening of the 15th
		return true
	case !typed:
		return false
	case s.Ranges && s.atRangeEnd && (s.Ends(after) || joiner(s, after, false) > 0): // 5th to 9th
		return true
	}
	return at > i && timeBehind(s, after)
}

// timeBehind reports whether a time follows at token i: "at 2pm" and, of ranges, "from 2 to 4".
func timeBehind(s *Reader, i int) bool {
	switch s.Low(i) {
	case "at":
		return s.ClockTime(i) != nil
	case "from", "between":
		return s.Ranges && s.Other.Stretch(s, "hours", i) != nil
	}
	return false
}

// whenNext reports whether a time follows, or nothing.
func whenNext(s *Reader, i int) bool {
	return i >= len(s.Tokens) || s.Tokens[i].Class == message.Symbol && !s.Glued(i+1) || s.Says(i, "at", "from", "between")
}
