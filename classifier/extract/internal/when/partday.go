package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

// A part of a day that has no "in the" before it is a day as well: "tonight", "this morning",
// "tomorrow night". Times beside it are in its half of the day.

// PartOf is the word for the part of the day that a day holds or has behind it; "" for none.
func (s *Reader) PartOf(day *find.Find) string {
	for _, i := range [...]int{day.To, day.To - 1} {
		if w := s.Low(i); calendar.DayHalves[w].Half != "" {
			return w
		}
	}
	return ""
}

// PartBefore is the word for a part of the day before token i, and its half of the day.
func (s *Reader) PartBefore(i int) (half, part string) {
	part = s.Low(i - 1)
	return calendar.DayHalves[part].Half, part
}

// InPart reports whether the hour in the tokens [from, to), without a word that makes a time of it, is one
// by the part of the day behind it: "8 tonight". Not where it counts people, and not where another time
// follows: "a table for 6 tonight at 9".
func (s *Reader) InPart(from, to int, t calendar.TimeOfDay) bool {
	_, n := s.TermAt(to, "named_day")
	if n == 0 {
		_, n = s.TermAt(to, "part_day")
	}
	day := find.Find{From: to, To: to + n}
	part := s.PartOf(&day)
	if s.Low(day.To) == part {
		day.To++
	}
	counts := s.Peopled && s.Low(from-1) == "for" && !s.Timely()
	return (t.Minute > 0 || t.Likely(part)) && !counts && !s.timeFollows(day.To)
}

// BehindPart reports whether an hour at token i is one by the part of the day before it: "tomorrow evening
// 7".
func (s *Reader) BehindPart(i int, t calendar.TimeOfDay) bool {
	_, w := s.PartBefore(i)
	return t.Likely(w) && s.Low(i-2) != "good" && (w == "tonight" || s.Says(i-2, "this", "last") || s.EndsTerm(i-1, "named_day") > 0 || s.IsTerm(i-2, "weekday"))
}

// timeFollows reports whether a time of day stands at token i, or a figure behind a word that leads to one.
func (s *Reader) timeFollows(i int) bool {
	if s.IsTerm(i, "clock_lead") || s.IsTerm(i, "roughly") || s.SymbolAt(i, "@") {
		return s.Digits(i+1, 1, 4) != "" && !s.IsTerm(i+2, "not_hour") || s.ClockTime(i+1) != nil
	}
	return s.ClockTime(i) != nil
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
		if w := s.PartOf(&finds[i]); w != "" {
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
	return !s.WordAt(i) && s.Digits(i, 1, 99) == "" || s.IsTerm(i, "hour_tail") || s.In(i, "noun_stop") || s.BareHourEnds(i)
}

// BareHourEnds reports whether what follows "at 5" leaves it a time: an end, a
// preposition, a day, not a noun ("at 5 stores").
func (s *Reader) BareHourEnds(i int) bool {
	if s.Ends(i) || s.IsTerm(i, "day_cue") || s.IsTerm(i, "which") {
		return true
	}
	return s.IsTerm(i, "weekday") || s.IsTerm(i, "month") || s.IsTerm(i, "named_day") || s.IsTerm(i, "after_hour")
}

// CuedHourEnds does so, but not for "at one of your shops" and "around one or two".
func (s *Reader) CuedHourEnds(i int) bool {
	if s.Low(i) == "of" && s.Date(i+1) == nil || s.Low(i) == "or" && s.Tokens[i-1].Class == message.Letters {
		return false
	}
	return !s.IsTerm(i, "not_hour") && s.BareHourEnds(i)
}

// TimeCue counts the words before a time that belong to its span.
func (s *Reader) TimeCue(i int) int {
	if s.Low(i) == "at" || s.SymbolAt(i, "@") {
		return 1
	}
	return 0
}

// BareClock is a plain number as an hour.
func (s *Reader) BareClock(f *find.Find) (t calendar.TimeOfDay, ok bool) {
	v, isNumber := f.Value.(float64)
	if !isNumber || f.Kind != "number" || f.To != f.From+1 && !numbers.IsTen(s.Low(f.From)) || numbers.IsScale(s.Low(f.From)) || v != float64(int(v)) || v < 0 || v >= 24 {
		return t, false
	}
	return calendar.TimeOfDay{Hour: int(v), Doubt: v >= 1 && v <= 12}, true
}
