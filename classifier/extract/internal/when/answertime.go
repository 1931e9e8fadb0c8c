package when

import (
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
	"github.com/slotway/slotway/classifier/extract/internal/talk"
)

// A number answers a question for a time where it stands as the answer, not before what it
// counts: "three vegetarians" are no time, "maybe 7 then" is one. So do the shapes that are a
// time nowhere else: 18.30, 18h30, half seven, seven thirty.

// hourTails may stand behind a bare hour that answers, beside what ends a phrase.
var hourTails = scan.Words("sharp ish works work would will is was if when then than thanks thx though maybe perhaps probably instead rather latest earliest tops please pls ok okay fine good great suits sounds thank should can could may might has like or but so until till because since exactly hopefully again too also yes no right")

// HourEnds reports whether what stands at token i leaves the hour before it a time.
func (s *Reader) HourEnds(i int) bool {
	if s.Tongue != nil {
		return s.PhraseEnds(i)
	}
	return !s.WordAt(i) && s.Digits(i, 1, 99) == "" || s.Is(i, hourTails) || s.Is(i, talk.NounStops) || s.BareHourEnds(i)
}

// BareClock is a plain number as an hour.
func (s *Reader) BareClock(f *find.Find) (t calendar.TimeOfDay, ok bool) {
	v, isNumber := f.Value.(float64)
	if !isNumber || f.Kind != "number" || f.To != f.From+1 && numbers.WordValues[s.Low(f.From)].Kind != numbers.TenWord || numbers.WordValues[s.Low(f.From)].Kind == numbers.ScaleWord || v != float64(int(v)) || v < 0 || v >= 24 {
		return t, false
	}
	return calendar.TimeOfDay{Hour: int(v), Doubt: v >= 1 && v <= 12}, true
}

// dottedTime reports whether 18.30 at token i is a time: one is asked for, and it is no day.
func dottedTime(s *Reader, i int) bool {
	minute := scan.Atoi(s.Low(i + 2))
	return (s.Asked == "time" || s.Asked == "datetime" && (minute > 12 || minute == 0)) && s.HourEnds(i+3)
}

// hourLettered reads 18h30 and 18h where a time is asked for, and behind a word for one.
func hourLettered(s *Reader, i int) (t calendar.TimeOfDay, n int) {
	d := s.Digits(i, 1, 2)
	if d == "" || s.Low(i+1) != "h" || !s.Timely() && !s.Is(i-1, hourCues) || !s.Glued(i+1) || s.Low(i-1) == "for" || scan.Atoi(d) > 23 {
		return t, 0
	}
	t, n = calendar.TimeOfDay{Hour: scan.Atoi(d)}, 2
	if m := s.Digits(i+2, 2, 2); m != "" && s.Glued(i+2) && m[0] < '6' {
		t.Minute, n = scan.Atoi(m), 3
	} else if s.Glued(i+2) && !s.CloseAfter(i+2) {
		return t, 0
	}
	t.Either = t.Hour >= 1 && t.Hour <= 12
	t.Doubt = t.Either && len(d) < 2
	return t, n * scan.Btoi(s.HourEnds(i+n))
}

// hourCues make a time of 18h, which is a length of time without them.
var hourCues = scan.Words("at @ until till")

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
		return calendar.TimeOfDay{Hour: int(numbers.Units[base]), Doubt: true, Either: true}, (n + 1) * scan.Btoi(s.HourEnds(i+n+1))
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
