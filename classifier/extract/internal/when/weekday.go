package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/message"
)

// SureDay reports whether "sat" or "sun" at token i is a day: what stands around it says so.
func (s *Reader) SureDay(i, after int) bool {
	if len(s.Tokens) == 1 || s.atRangeEnd {
		return true // mon-fri
	}
	if s.Low(i) == "sun" && s.Low(i-1) == "of" || s.Low(i-1) == "the" || s.Low(after) == "on" || s.Low(after) == "in" && s.Low(i) == "sat" {
		return false // "the sun", "sat on", "sat in"
	}
	return s.EndsTerm(i, "day_cue") > 0 && s.Ends(after) || s.Capital(i) && s.EndsTerm(i, "day_cue") > 0 || s.Low(after) == "at" || s.ClockTime(after) != nil
}

// weekAfter reads which week a weekday is of: "of next week", "last week".
func weekAfter(s *Reader, i int) (which string, n int) {
	if s.Says(i, "of", "in") {
		n = 1
	}
	n += s.Skip(i+n, "the")
	r, ok := s.shiftAt(i + n)
	if !ok || s.Low(i+n+1) != "week" {
		return "", 0
	}
	return [...]string{"last", "this", "next"}[r+1], n + 2
}

// DayOfName reads the number of a day behind its name, "sunday 31": the days around today
// that are both.
func (s *Reader) DayOfName(w time.Weekday, i int) (calendar.Days, int) {
	v := message.Atoi(s.Digits(i, 1, 2))
	if v < 1 || v > 31 || !s.Ends(i+1) || s.SymbolAt(i+1, ":./-–") || joiner(s, i+1, false) > 0 || !s.Ranges {
		return calendar.Days{}, 0
	}
	d := calendar.Days{Cycle: calendar.Once}
	for k := 0; k < 48 && d.Past.IsZero(); k++ {
		if t, _ := s.Clock.Day(s.Clock.Now.Year(), s.Clock.Now.Month()-time.Month(k), v); t.Day() == v && t.Weekday() == w && t.Before(s.Clock.Today()) {
			d.Past = t
		}
	}
	for k := 0; k < 48 && d.Next.IsZero(); k++ {
		if t, _ := s.Clock.Day(s.Clock.Now.Year(), s.Clock.Now.Month()+time.Month(k), v); t.Day() == v && t.Weekday() == w && !t.Before(s.Clock.Today()) {
			d.Next = t
		}
	}
	if d.Past.IsZero() || d.Next.IsZero() {
		return calendar.Days{}, 0
	}
	return d, 1
}
