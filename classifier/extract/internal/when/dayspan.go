package when

import (
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// DayPart is a part of the day by its hours, as Microsoft's recogniser sets them. The
// last second of a night that ends with the day is 23:59:59.
type DayPart struct {
	from, to int // hours
	half     string
	alone    bool // the word needs no "in the"
	meal     bool // a meal is a time only after a cue: "around dinner"
}

// DayParts are the parts of the day by their names.
var DayParts = map[string]DayPart{
	"morning": {from: 8, to: 12, half: "am"}, "mornings": {from: 8, to: 12, half: "am"}, "afternoon": {from: 12, to: 16, half: "pm"},
	"evening": {from: 16, to: 20, half: "pm"}, "night": {from: 20, to: 24, half: "pm"}, "daytime": {from: 8, to: 18},
	"nighttime": {to: 8}, "lunchtime": {from: 11, to: 13, alone: true}, "dinnertime": {from: 16, to: 20, alone: true},
	"breakfast": {from: 8, to: 12, meal: true}, "brunch": {from: 8, to: 12, meal: true},
	"lunch": {from: 11, to: 13, meal: true}, "dinner": {from: 16, to: 20, meal: true}, "supper": {from: 16, to: 20, meal: true},
}

// MayStart reports whether a part of the day or a time may start with a word that is of no class.
func MayStart(w string) bool {
	_, part := DayParts[w]
	return part || strings.HasSuffix(w, "ish") || w == "noon" || w == "midday" || w == "midnight"
}

// dayPartAt reads the word of a part of the day at token i.
func dayPartAt(s *Reader, i int) (DayPart, int) {
	w, n := s.Low(i), 1
	if w == "business" || w == "working" || w == "office" {
		p := s.count(i, "business_hours")
		return DayPart{from: 8, to: 18, alone: true}, p
	}
	if p, ok := DayParts[w]; w == "" || !ok && w != "day" {
		return p, 0
	}
	if second := s.Low(i + 1); w != "" && (second == "time" || s.SymbolAt(i+1, "-") && s.Low(i+2) == "time") {
		joined, ok := DayParts[w+"time"]
		if n = 2; second != "time" {
			n = 3
		}
		if ok {
			return joined, n
		}
		n = 1
	}
	p, ok := DayParts[w]
	if !ok {
		return p, 0
	}
	return p, n
}

// edges are the words that pick the head, the middle or the end of what follows.
var edges = map[string]calendar.Edge{
	"early": calendar.Head, "earlier": calendar.Head, "mid": calendar.Middle, "late": calendar.Tail, "later": calendar.Tail,
	"beginning": calendar.Head, "start": calendar.Head, "middle": calendar.Middle, "end": calendar.Tail,
}

// daypart reads "in the morning", "late afternoon", "early in the morning", "at night",
// and a bare word, which does not stand by itself.
func daypart(s *Reader, i int) *find.Find {
	pick, n, ok := partLead(s, i)
	if !ok {
		return nil
	}
	solid := n > 0
	p, k := dayPartAt(s, i+n)
	if k == 0 || s.Inside(i, i+n+k) {
		return nil
	}
	w := s.Low(i)
	switch {
	case p.meal && !(solid && (w == "around" || w == "during" || w == "at")), w == "at" && p.half == "am", w == "by":
		return nil
	case pick == calendar.Middle, s.Low(i-1) == "good", w == "in" && n == 1:
		return nil
	}
	return s.PartFound(i, n+k, p, pick, solid || p.alone)
}

// PartOfDay reads a part of the day.
func (s *Reader) PartOfDay(i int) *find.Find { return daypart(s, i) }

// partLead reads the words before a part of the day: "in the", "early in the". It is not ok
// where a range starts behind them.
func partLead(s *Reader, i int) (pick calendar.Edge, n int, ok bool) {
	if pick = edges[s.Low(i)]; pick != calendar.Whole {
		n = 1 + message.Btoi(s.SymbolAt(i+1, "-"))
		return pick, n + s.count(i+n, "edge_in"), true
	}
	if n = inPart(s, i); n == 0 {
		return pick, 0, true
	}
	if pick = edges[s.Low(i+n)]; pick == calendar.Whole {
		return pick, n, true
	}
	return pick, n + 1, n > 1 || !s.Says(i, "in", "during", "by") // the range starts at "late"
}

// inPart counts the words that lead to a part of the day.
func inPart(s *Reader, i int) int {
	return s.count(i, "part_lead_in")
}

// PartFound is the find of a part of the day in n tokens at i.
func (s *Reader) PartFound(i, n int, p DayPart, pick calendar.Edge, solid bool) *find.Find {
	from, to := calendar.TimeOfDay{Hour: p.from}, calendar.TimeOfDay{Hour: p.to}
	switch pick {
	case calendar.Head:
		to = calendar.TimeOfDay{Hour: p.from + 2}
	case calendar.Tail:
		from = calendar.TimeOfDay{Hour: p.from + 2}
	}
	if to.Hour == 24 {
		to = calendar.TimeOfDay{Hour: 23, Minute: 59, Second: 59}
	}
	v := calendar.Interval{Start: from.On(calendar.NoDay), End: to.On(calendar.NoDay)}
	return &find.Find{
		Kind: "timerange", From: i, To: i + n, Value: v, Confidence: 0.9,
		Temporal: find.Temporal{Readings: []calendar.Interval{v}, Span: &calendar.ClockSpan{From: from, To: to}, Solid: solid, Half: p.half},
	}
}

// relativePart reads "this morning", "late last night", "tonight", "next evening": a day
// and a part of it.
func relativePart(s *Reader, i int) (day, part *find.Find) {
	n := 0
	pick := edges[s.Low(i)]
	if pick != calendar.Whole {
		n = 1
	}
	if pick != calendar.Whole { // early monday morning
		at := i + 1
		at += s.Skip(at, "on")
		if d := s.Date(at); d != nil && len(d.Readings) > 0 {
			if p, k := dayPartAt(s, d.To); k > 0 && p.half != "" {
				part = s.PartFound(i, d.To-i+k, p, pick, true)
				d.From = i
				return d, part
			}
		}
	}
	shift := 0
	p, k := DayPart{}, 0
	if s.Low(i+n) == "tonight" {
		p, k = DayParts["night"], 1
	} else {
		r, ok := s.shiftAt(i + n)
		if !ok || s.Low(i+n) == "same" {
			return nil, nil
		}
		n, shift = n+1, r
		if p, k = dayPartAt(s, i+n); k == 0 || p.meal || p.alone {
			return nil, nil
		}
	}
	if s.Inside(i, i+n+k) {
		return nil, nil
	}
	part = s.PartFound(i, n+k, p, pick, true)
	t := s.Clock.InDays(shift)
	day = &find.Find{Kind: "date", From: i, To: i + n + k, Value: t, Confidence: 0.9, Temporal: find.Temporal{Readings: []calendar.Interval{calendar.Point(t)}}}
	return day, part
}

// joiners stand between the ends of a range.

// joined returns how many tokens join the ends of a range at i. Only "between" is joined
// by "and".
func joiner(s *Reader, i int, between bool) int {
	if s.SymbolAt(i, "-–—~") || s.IsTerm(i, "joiner") || between && s.Low(i) == "and" {
		return 1
	}
	return 0
}

// clockRange reads a range of times: 3-5pm, from 9 to 5, between two thirty and three.
// Bare hours are no times by themselves; what stands around them must say so.
func clockRange(s *Reader, i int) *find.Find {
	n, between := 0, false
	switch s.Low(i) {
	case "from", "between":
		n, between = 1, s.Low(i) == "between"
	case "at":
		n = 1
	}
	lead := n > 0 && s.Low(i) != "at"
	n += s.Skip(i+n, "around")
	a, k, sureA := rangeTime(s, i+n, lead)
	if k == 0 {
		return nil
	}
	n += k
	if !lead && s.Low(i) == "twenty" && s.Low(i+1) == "to" {
		return nil // ten to five
	}
	k = joiner(s, i+n, between)
	if k == 0 {
		return nil
	}
	n += k
	b, k, sureB := rangeTime(s, i+n, lead)
	if k == 0 || s.Inside(i, i+n+k) {
		return nil
	}
	n += k
	from := i
	if s.Low(i) == "at" {
		from = i + 1
	}
	return SpanFound(from, i+n, calendar.ClockSpan{From: a, To: b}, sureA || sureB)
}

// SpanFound makes a range of times of its ends.
func SpanFound(from, to int, span calendar.ClockSpan, solid bool) *find.Find {
	readings := span.Readings()
	v := readings[0]
	if first := span.From.Settle().On(calendar.NoDay); len(readings) > 1 && readings[1].Start.Equal(first) {
		v = readings[1]
	}
	return &find.Find{Kind: "timerange", From: from, To: to, Value: v, Confidence: 0.9, Temporal: find.Temporal{Readings: readings, Span: &span, Solid: solid}}
}

// rangeTime reads an end of a range of times; sure says that nothing but a time looks so.
func rangeTime(s *Reader, i int, lead bool) (t calendar.TimeOfDay, n int, sure bool) {
	if t, n = namedTime(s, i); n > 0 && s.TimeCue(i) == 0 {
		return t, n, true
	}
	if s.Says(i, "half", "quarter") {
		if t, n = pastTime(s, i); n > 0 {
			return t, n, !t.Either
		}
	}
	if four := s.Digits(i, 4, 4); four != "" && lead && four[0] < '2' && four[2] < '6' {
		t = calendar.TimeOfDay{Hour: message.Atoi(four[:2]), Minute: message.Atoi(four[2:])}
		t.Either = t.Hour >= 1 && t.Hour <= 12
		t.Doubt = t.Either
		return t, 1, true
	}
	t, n, sure = hourMinute(s, i)
	sure = sure || t.Minute > 0 && s.Tokens[i].Class == message.Letters // two thirty
	if n == 0 {
		if t, n = pointedTime(s, i); n == 0 {
			return t, 0, false
		}
	}
	if k := oclock(s, i+n); k > 0 {
		n, sure = n+k, true
	}
	u, m := withHalf(s, i, t, n)
	return u, m, sure || m > n
}

// pointedTime reads the 9.30 of a range.
func pointedTime(s *Reader, i int) (t calendar.TimeOfDay, n int) {
	d, m := s.Digits(i, 1, 2), s.Marked(i+1, ".", 2, 2)
	if d == "" || m == "" || message.Atoi(d) > 12 || m[0] > '5' {
		return t, 0
	}
	return calendar.TimeOfDay{Hour: message.Atoi(d), Minute: message.Atoi(m), Doubt: true, Either: true}, 3
}
