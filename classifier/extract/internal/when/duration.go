package when

import (
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
	"github.com/slotway/slotway/classifier/message"
)

var (
	notLasting = message.Words("ago old")
	lasting    = message.Words("for takes lasts about")
)

// length reads "2 hours and 30 minutes", "half an hour", "an hour and a half", 1h30.
func length(s *Reader, i int) (d calendar.Length, n int) {
	if k := s.Phrase(i, quarterHours); k > 0 {
		d.Minutes = 15
		return d, k
	}
	if w := s.Low(i); w != "half" && w != "a" && w != "one" {
		if numbers.WordValues[w].Kind != numbers.NoNumber {
			if d, k := partOfUnit(s, i); k > 0 {
				return d, k
			}
		}
		return counts(s, i)
	}
	if d, k := partOfUnit(s, i); k > 0 {
		return d, k
	}
	if k := s.Phrase(i, halfHours); k > 0 {
		d.Minutes = 30
		return d, k
	}
	if k := s.Phrase(i, oneAndHalf); k > 0 {
		if field := d.Unit(s.Low(i + k)); field != nil {
			*field = 1.5
			return d, k + 1
		}
	}
	return counts(s, i)
}

// counts reads counted units, one after the other.
func counts(s *Reader, i int) (d calendar.Length, n int) {
	for {
		k, more := nextCount(s, &d, i+n, n > 0)
		if n += k; !more {
			return d, n
		}
	}
}

// nextCount reads one more counted unit into a length and returns how many tokens it has; more
// is false where none may follow.
func nextCount(s *Reader, d *calendar.Length, i int, behind bool) (n int, more bool) {
	at := i
	if behind {
		at += message.Btoi(s.Low(at) == "and" || s.SymbolAt(at, ","))
		if at == i && s.Says(at, "a", "an") || s.Low(at) == "a" && s.Low(at+1) == "half" {
			return 0, false // 7 days a week
		}
	}
	v, k := amount(s, at)
	if k == 0 {
		return 0, false
	}
	if behind && at == i && v < 60 && minutesBehind(s, d, at, s.Low(at+k)) {
		d.Minutes = v // 1h30, 2h30m
		return 1 + message.Btoi(s.Low(at+k) == "m" && s.Glued(at+1)), false
	}
	k += message.Btoi(s.SymbolAt(at+k, "-"))
	u := s.Low(at + k)
	field := freeUnit(s, d, at+k)
	if field == nil || v < 0 || v == 1 && k == 1 && s.WordAt(at) && waits[u] {
		return 0, false
	}
	*field = v * calendar.ScaleOf(u)
	n = at + k + 1 - i
	return n + partsBehind(s, i+n, field, calendar.ScaleOf(u)), true
}

// freeUnit returns the field of a length that the unit at token i counts, or nil for no unit or one
// that is counted already.
func freeUnit(s *Reader, d *calendar.Length, i int) *float64 {
	u := s.Low(i)
	field := d.Unit(u)
	if field == nil && u == "m" && d.Hours > 0 && s.Glued(i) {
		field = &d.Minutes // 1h 20m
	}
	if field == nil || *field != 0 || len(u) == 1 && !s.Glued(i) {
		return nil
	}
	return field
}

// waits lists the units of "a second" and "one minute", which ask the other side to wait.
var waits = message.Words("second sec minute min")

// minutesBehind reports whether two figures glued to hours, before the word u, are minutes.
func minutesBehind(s *Reader, d *calendar.Length, i int, u string) bool {
	return d.Hours > 0 && d.Minutes == 0 && s.Glued(i) && s.Digits(i, 2, 2) != "" && (u == "m" || !s.Glued(i+1))
}

// partsBehind adds the parts of a unit that stand at token i: "and a half".
func partsBehind(s *Reader, i int, field *float64, scale float64) (n int) {
	for k := 0; s.Low(i+n) == "and" && k < len(unitParts); k++ {
		if m := s.Phrase(i+n, unitParts[k].phrases); m > 0 && calendar.LengthUnits[s.Low(i+n+m)].Scale == 0 {
			*field += unitParts[k].value * scale
			n += m
		}
	}
	return n
}

// Duration is a length of time that stands by itself.
func (s *Reader) Duration(i int) *find.Find {
	if s.Ranges {
		if f := looseDuration(s, i); f != nil {
			return f
		}
	}
	d, n := length(s, i)
	if n == 0 || s.Inside(i, i+n) {
		return nil
	}
	if s.Ranges && s.Low(i+n) == "old" {
		s.vague = true // an age
		return DurationFound(i, n, d)
	}
	if s.Is(i+n, notLasting) || s.Low(i) == "a" && s.Asked != "duration" && n == 2 && !s.Is(i-1, lasting) && !(s.Ranges && oneOfUnits[s.Low(i+1)]) {
		return nil // "a day like this", "once a week"
	}
	if s.Low(i) == "a" && s.Low(i+1) == "night" && n == 2 && !s.Ends(i+2) {
		return nil // a night out
	}
	return DurationFound(i, n, d)
}

// DurationFound is the find of a length of time in n tokens at i.
func DurationFound(i, n int, d calendar.Length) *find.Find {
	return &find.Find{Kind: "duration", From: i, To: i + n, Value: d.String(), Confidence: 0.92, Temporal: find.Temporal{Seconds: d.InSeconds()}}
}

var (
	halfHours    = []string{"half an hour", "half hour", "a half hour"}
	quarterHours = []string{"quarter of an hour", "a quarter of an hour", "quarter hour"}
	oneAndHalf   = []string{"one and half", "one and a half"}
	// oneOfUnits behind "a" are a length of time, where nothing is done with it.
	oneOfUnits = message.Words("day week month year decade century fortnight")
	// unitParts follow a unit and are a part of it.
	unitParts      = []unitPart{{[]string{"and a half", "and half"}, 0.5}, {[]string{"and a quarter"}, 0.25}, {[]string{"and three quarters"}, 0.75}}
	moreOrLessThan = []string{"more than", "less than"}
)

// looseDuration reads words that only mean a length: "all day", "another week", "the hour", "half a
// year", "more than 2 hours".
func looseDuration(s *Reader, i int) *find.Find {
	if k := s.Phrase(i, moreOrLessThan); k > 0 {
		d, n := length(s, i+k)
		if n == 0 || s.Is(i+k+n, lengthTails) {
			return nil
		}
		return DurationFound(i, k+n, d)
	}
	switch s.Low(i) {
	case "half":
		return halfUnit(s, i)
	case "another", "whole", "entire", "full":
	case "all":
		if s.Low(i+1) == "the" {
			return nil
		}
	case "the":
		if unitWords[s.Low(i+1)] != calendar.AnHour || !s.Ends(i+2) || s.Low(i-1) != "for" {
			return nil
		}
	default:
		return nil
	}
	var d calendar.Length
	w := s.Low(i + 1)
	field := d.Unit(w)
	if field == nil || len(w) < 3 || strings.HasSuffix(w, "s") || field == &d.Seconds {
		return nil
	}
	*field = calendar.ScaleOf(w)
	return DurationFound(i, 2, d)
}

// halfUnit reads "half a year".
func halfUnit(s *Reader, i int) *find.Find {
	n := 1 + s.Skip(i+1, "a", "an")
	var d calendar.Length
	field := d.Unit(s.Low(i + n))
	if field == nil || len(s.Low(i+n)) < 3 || field == &d.Minutes || field == &d.Seconds || field == &d.Hours {
		return nil
	}
	*field = 0.5
	return DurationFound(i, n+1, d)
}

var lengthTails = message.Words("ago before after from later old back")

// unitPart is a part of a unit that stands behind it.
type unitPart struct {
	phrases []string
	value   float64
}

// partOfUnit reads "three quarters of an hour", "a third of a year".
func partOfUnit(s *Reader, i int) (d calendar.Length, n int) {
	of := i + 1
	for of < i+5 && s.Low(of) != "of" {
		of++
	}
	if w := s.Low(of + 1); s.Low(of) != "of" || w != "a" && w != "an" {
		return d, 0
	}
	v, k := 0.5, 1
	if s.Low(i) != "half" {
		v, k = numbers.FractionWords(s.Message, i)
	}
	if k == 0 || v >= 1 || s.Low(i+k) != "of" || !s.Says(i+k+1, "a", "an") {
		return d, 0
	}
	field := d.Unit(s.Low(i + k + 2))
	switch {
	case field == nil:
		return d, 0
	case field == &d.Hours && v*60 == float64(int(v*60)):
		d.Minutes = v * 60
	default:
		*field = v * calendar.ScaleOf(s.Low(i+k+2))
	}
	return d, k + 3
}

// clockUnits are the units below a day.
var clockUnits = map[calendar.Unit]time.Duration{calendar.AnHour: time.Hour, calendar.AMinute: time.Minute, calendar.ASecond: time.Second}

func unitFound(s *Reader, i, n int, u calendar.Unit, shift int) *find.Find {
	if step := clockUnits[u]; step > 0 {
		if shift == 0 {
			return nil
		}
		return spanFromNow(s, i, n, time.Duration(shift)*step)
	}
	return RangeFound(i, n, u, s.Clock.Stretch(u, shift))
}

// spanFromNow is the time from now for so long, or up to now where it is below zero.
func spanFromNow(s *Reader, i, n int, d time.Duration) *find.Find {
	v := calendar.Interval{Start: s.Clock.Now, End: s.Clock.Now.Add(d)}
	if d < 0 {
		v = calendar.Interval{Start: v.End, End: v.Start}
	}
	f := RangeFound(i, n, calendar.NoUnit, v)
	f.Kind = "datetimerange"
	return f
}

// countedPeriod reads "next 3 days", "past two weeks", "5 coming minutes", "within 9
// months", "within the next day and 5 hours", "next 4 business days".
func countedPeriod(s *Reader, i int) *find.Find {
	n := s.Skip(i, "within")
	within := n > 0
	if within {
		n += s.Skip(i+n, "the")
	}
	shift := relatives[s.Low(i+n)]
	n += message.Btoi(shift != 0)
	if f := businessDays(s, i, n, shift); f != nil {
		return f
	}
	d, k := length(s, i+n)
	if k == 0 && shift == 0 {
		d, k, shift = lengthWhich(s, i+n)
	}
	if k == 0 && (within || shift != 0) {
		d, k = quarters(s, i+n)
	}
	if k == 0 && within && shift > 0 { // within the next day and 5 hours
		d, k = lengthOf(s, 1, i+n)
		if e, m := length(s, i+n+k+1); k > 0 && m > 0 && s.Low(i+n+k) == "and" {
			d, k = d.Plus(e), k+1+m
		}
	}
	if k == 0 || !within && shift == 0 || d.Most() > MostUnits || s.Low(i+n+k-1) == "weekends" { // of every week in between
		return nil
	}
	return lengthFromNow(s, i, n+k, d, shift, within)
}

// lengthWhich reads a length with the word inside it that says which one is meant: "5 past
// years".
func lengthWhich(s *Reader, i int) (d calendar.Length, n, shift int) {
	v, m := amount(s, i)
	shift = relatives[s.Low(i+m)]
	if m == 0 || s.Low(i) == "a" || shift == 0 || v <= 0 {
		return d, 0, 0
	}
	d, k := lengthOf(s, v, i+m+1)
	if k == 0 || v != 1 && !strings.HasSuffix(s.Low(i+m+1), "s") {
		return d, 0, 0
	}
	return d, m + 2, shift
}

// quarters reads a count of quarters of a year. A number there would take the quarters for
// fourths.
func quarters(s *Reader, i int) (d calendar.Length, n int) {
	v, k := numbers.Below100(s.Message, i)
	if figures := s.Digits(i, 1, 2); figures != "" {
		v, k = float64(message.Atoi(figures)), 1
	}
	if s.Low(i+k) != "quarters" || v < 1 {
		return d, 0
	}
	d.Months = 3 * v
	return d, k + 1
}

// lengthOf reads a unit word that a number counts.
func lengthOf(s *Reader, v float64, i int) (d calendar.Length, n int) {
	if field := d.Unit(s.Low(i)); field != nil && len(s.Low(i)) > 1 {
		*field = v * calendar.ScaleOf(s.Low(i))
		return d, 1
	}
	return d, 0
}

// lengthFromNow is a length of time ahead or behind. Whole days ahead start tomorrow,
// unless the words are "within".
func lengthFromNow(s *Reader, i, n int, d calendar.Length, shift int, within bool) *find.Find {
	if d.ClockPart() != 0 {
		sign := 1
		if shift < 0 {
			sign = -1
		}
		end := calendar.Move(s.Clock.Now, d.Days3(), sign).Add(time.Duration(sign) * d.ClockPart())
		return spanFromNow(s, i, n, end.Sub(s.Clock.Now))
	}
	step, today := d.Days3(), s.Clock.Today()
	switch {
	case shift < 0:
		return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: calendar.Move(today, step, -1), End: today})
	case within:
		return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: today, End: calendar.Move(today, step, 1)})
	}
	first := today.AddDate(0, 0, 1)
	return RangeFound(i, n, calendar.NoUnit, calendar.Interval{Start: first, End: calendar.Move(first, step, 1)})
}

// businessDays reads "4 business days" after next or last.
func businessDays(s *Reader, i, n, shift int) *find.Find {
	v, k := amount(s, i+n)
	if k == 0 || shift == 0 || s.Phrase(i+n+k, workDays) == 0 || v != float64(int(v)) || v < 1 || v > MostUnits {
		return nil
	}
	day := s.Clock.Today()
	edge := day
	for left := int(v); left > 0; {
		day = day.AddDate(0, 0, shift)
		if w := day.Weekday(); w != time.Saturday && w != time.Sunday {
			if left == int(v) {
				edge = day
			}
			left--
		}
	}
	if shift < 0 {
		edge, day = day, edge
	}
	return RangeFound(i, n+k+2, calendar.NoUnit, calendar.Interval{Start: edge, End: day.AddDate(0, 0, 1)})
}

var workDays = []string{"business days", "business day", "working days", "working day", "work days"}
