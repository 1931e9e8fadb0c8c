package when

import (
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
	"github.com/slotway/slotway/classifier/message"
)

// A part of a day that has no "in the" before it is a day as well: "tonight", "this morning",
// "tomorrow night". Times beside it are in its half of the day.

// partOf is the word for the part of the day that a day holds or has behind it; "" for none.
func partOf(s *Reader, day *find.Find) string {
	for _, i := range [...]int{day.To, day.To - 1} {
		if w := s.Low(i); calendar.DayHalves[w].Half != "" {
			return w
		}
	}
	return ""
}

// partAhead is the part of a day that starts at token i, and where it ends: "tonight", "this
// evening", "tomorrow night".
func partAhead(s *Reader, i int) (part string, end int) {
	if s.Ranges {
		return "", 0
	}
	_, n := s.TermAt(i, "named_day")
	if n == 0 {
		_, n = s.TermAt(i, "part_day")
	}
	if n == 0 {
		return "", 0
	}
	day := find.Find{From: i, To: i + n}
	if part = partOf(s, &day); part == "" {
		return "", 0
	}
	if s.Low(day.To) == part {
		day.To++
	}
	return part, day.To
}

// bareInPart reports whether the hour of n tokens at i, without a word that makes a time of
// it, is one by the part of the day beside it: "8 tonight", "tomorrow evening 7". Not where it
// counts people, and not where another time follows: "a table for 6 tonight at 9".
func bareInPart(s *Reader, i, n int, t calendar.TimeOfDay) bool {
	if part, end := partAhead(s, i+n); part != "" {
		counts := s.Peopled && s.Low(i-1) == "for" && !s.Timely()
		return (t.Minute > 0 || t.Likely(part)) && !counts && !timeFollows(s, end)
	}
	w := s.Low(i - 1)
	return !s.Ranges && calendar.DayHalves[w].Half != "" && t.Likely(w) && s.BareHourEnds(i+n) && s.Low(i-2) != "good" &&
		(w == "tonight" || s.Says(i-2, "this", "last") || s.EndsTerm(i-1, "named_day") > 0 || s.IsTerm(i-2, "weekday"))
}

// timeFollows reports whether a time of day in figures or words stands at token i.
func timeFollows(s *Reader, i int) bool {
	cued := s.IsTerm(i, "clock_lead") || s.IsTerm(i, "roughly") || s.SymbolAt(i, "@")
	if cued {
		i++
	}
	_, n, sure := hourMinute(s, i)
	return n > 0 && (cued || sure) && !s.IsTerm(i+n, "not_hour")
}

// Timely reports whether a time is asked for.
func (s *Reader) Timely() bool { return s.Asked == "time" || s.Asked == "datetime" }

// Halves puts the times of a message into the part of the day that stands apart from them:
// "tonight, a table for 4 at 8".
func (s *Reader) Halves(finds []find.Find) {
	part := ""
	for i := range finds {
		if finds[i].Kind != "date" {
			continue
		}
		if w := partOf(s, &finds[i]); w != "" {
			if part != "" && part != w {
				return // two of them
			}
			part = w
		}
	}
	for i := range finds {
		f := &finds[i]
		if t, ok := f.Value.(calendar.TimeOfDay); ok && f.Kind == "time" && t.Doubt && t.Likely(part) {
			t = t.Half(calendar.DayHalves[part].Half)
			f.Value, f.Confidence, f.Readings = t, 0.93, t.Readings()
		}
	}
}

// A number answers a question for a time where it stands as the answer, not before what it
// counts: "three vegetarians" are no time, "maybe 7 then" is one. So do the shapes that are a
// time nowhere else: 18.30, 18h30, half seven, seven thirty.

// hourTails may stand behind a bare hour that answers, beside what ends a phrase.

// HourEnds reports whether what stands at token i leaves the hour before it a time.
func (s *Reader) HourEnds(i int) bool {
	if !s.Language.Coded {
		return s.PhraseEnds(i)
	}
	return !s.WordAt(i) && s.Digits(i, 1, 99) == "" || s.IsTerm(i, "hour_tail") || s.Is(i, talk.NounStops) || s.BareHourEnds(i)
}

// BareClock is a plain number as an hour.
func (s *Reader) BareClock(f *find.Find) (t calendar.TimeOfDay, ok bool) {
	v, isNumber := f.Value.(float64)
	if !isNumber || f.Kind != "number" || f.To != f.From+1 && !numbers.IsTen(s.Low(f.From)) || numbers.IsScale(s.Low(f.From)) || v != float64(int(v)) || v < 0 || v >= 24 {
		return t, false
	}
	return calendar.TimeOfDay{Hour: int(v), Doubt: v >= 1 && v <= 12}, true
}

// dottedTime reports whether 18.30 at token i is a time: one is asked for, and it is no day.
func dottedTime(s *Reader, i int) bool {
	minute := message.Atoi(s.Low(i + 2))
	return (s.Asked == "time" || s.Asked == "datetime" && (minute > 12 || minute == 0)) && s.HourEnds(i+3)
}

// hourLettered reads 18h30 and 18h where a time is asked for, and behind a word for one.
func hourLettered(s *Reader, i int) (t calendar.TimeOfDay, n int) {
	d := s.Digits(i, 1, 2)
	if d == "" || s.Low(i+1) != "h" || !s.Timely() && !s.IsTerm(i-1, "hour_cue") || !s.Glued(i+1) || s.Low(i-1) == "for" || message.Atoi(d) > 23 {
		return t, 0
	}
	t, n = calendar.TimeOfDay{Hour: message.Atoi(d)}, 2
	if m := s.Digits(i+2, 2, 2); m != "" && s.Glued(i+2) && m[0] < '6' {
		t.Minute, n = message.Atoi(m), 3
	} else if s.Glued(i+2) && !s.CloseAfter(i+2) {
		return t, 0
	}
	t.Either = t.Hour >= 1 && t.Hour <= 12
	t.Doubt = t.Either && len(d) < 2
	return t, n * message.Btoi(s.HourEnds(i+n))
}

// hourCues make a time of 18h, which is a length of time without them.

// halfHour reads the "half seven" of an answer, half past it.
func halfHour(s *Reader, i int) (t calendar.TimeOfDay, n int) {
	n = s.TimeCue(i)
	if s.Low(i+n) != "half" || n == 0 && !s.Timely() {
		return t, 0
	}
	h, k := hourWord(s, i+n+1)
	if n += 1 + k; k == 0 || !s.HourEnds(i+n) && !dayHalfFollows(s, i+n) {
		return t, 0
	}
	return withHalf(s, i, calendar.TimeOfDay{Hour: h, Minute: 30, Doubt: true, Either: true}, n)
}

// ishTime reads 7ish, 7:30-ish, sevenish.
func ishTime(s *Reader, i int) (t calendar.TimeOfDay, n int) {
	n = s.TimeCue(i)
	if base, ok := strings.CutSuffix(s.Low(i+n), "ish"); ok && numbers.Units[base] >= 1 && numbers.Units[base] <= 12 {
		return calendar.TimeOfDay{Hour: int(numbers.Units[base]), Doubt: true, Either: true}, (n + 1) * message.Btoi(s.HourEnds(i+n+1))
	}
	t, k, _ := hourMinute(s, i+n)
	if k == 0 || t.Hour < 1 {
		return t, 0
	}
	if n += k; s.SymbolAt(i+n, "-") && s.Glued(i+n) {
		n++
	}
	if s.Low(i+n) != "ish" || !s.HourEnds(i+n+1) {
		return t, 0
	}
	return t, n + 1
}
