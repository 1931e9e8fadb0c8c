package extract

import "time"

// clockSpan holds the ends of a range of times as they were said.
type clockSpan struct{ from, to timeOfDay }

// dayPart is a part of the day by its hours, as Microsoft's recogniser sets them. The
// last second of a night that ends with the day is 23:59:59.
type dayPart struct {
	from, to int // hours
	half     string
	alone    bool // the word needs no "in the"
	meal     bool // a meal is a time only after a cue: "around dinner"
}

var dayParts = map[string]dayPart{
	"morning": {from: 8, to: 12, half: "am"}, "mornings": {from: 8, to: 12, half: "am"}, "afternoon": {from: 12, to: 16, half: "pm"},
	"evening": {from: 16, to: 20, half: "pm"}, "night": {from: 20, to: 24, half: "pm"}, "daytime": {from: 8, to: 18},
	"nighttime": {to: 8}, "lunchtime": {from: 11, to: 13, alone: true}, "dinnertime": {from: 16, to: 20, alone: true},
	"breakfast": {from: 8, to: 12, meal: true}, "brunch": {from: 8, to: 12, meal: true},
	"lunch": {from: 11, to: 13, meal: true}, "dinner": {from: 16, to: 20, meal: true}, "supper": {from: 16, to: 20, meal: true},
}

// dayPartAt reads the word of a part of the day at token i.
func (s *scan) dayPartAt(i int) (dayPart, int) {
	w, n := s.low(i), 1
	if w == "business" || w == "working" || w == "office" {
		p := s.phrase(i, businessHours)
		return dayPart{from: 8, to: 18, alone: true}, p
	}
	if p, ok := dayParts[w]; w == "" || !ok && w != "day" {
		return p, 0
	}
	if second := s.low(i + 1); w != "" && (second == "time" || s.symbolAt(i+1, "-") && s.low(i+2) == "time") {
		joined, ok := dayParts[w+"time"]
		if n = 2; second != "time" {
			n = 3
		}
		if ok {
			return joined, n
		}
		n = 1
	}
	p, ok := dayParts[w]
	if !ok {
		return p, 0
	}
	return p, n
}

var (
	businessHours = []string{"business hours", "business hour", "working hours", "office hours"}
	inPart        = []string{"in the", "during the", "during", "at", "at the", "around", "in", "by"}
	partLeads     = words("in during at around by")
	edgeIn        = []string{"in the", "in", "at"}
)

// edges are the words that pick the head, the middle or the end of what follows.
var edges = map[string]edge{
	"early": head, "earlier": head, "mid": middle, "late": tail, "later": tail,
	"beginning": head, "start": head, "middle": middle, "end": tail,
}

type edge uint8

const (
	whole edge = iota
	head
	middle
	tail
)

// daypart reads "in the morning", "late afternoon", "early in the morning", "at night",
// and a bare word, which does not stand by itself.
func (s *scan) daypart(i int) *found {
	n, solid := 0, false
	pick := edges[s.low(i)]
	if pick != whole {
		n = 1
		if s.symbolAt(i+1, "-") {
			n = 2
		}
		n += s.phrase(i+n, edgeIn)
		solid = true
	} else if n = s.inPart(i); n > 0 {
		solid = true
		if pick = edges[s.low(i+n)]; pick != whole {
			if w := s.low(i); (w == "in" || w == "during" || w == "by") && n == 1 {
				return nil // the range starts at "late"
			}
			n++
		}
	}
	p, k := s.dayPartAt(i + n)
	if k == 0 || s.glued(i) && !s.openBefore(i) || s.glued(i+n+k) && !s.closeAfter(i+n+k) {
		return nil
	}
	if w := s.low(i); p.meal && !(solid && (w == "around" || w == "during" || w == "at")) || w == "at" && p.half == "am" || w == "by" {
		return nil
	}
	if pick == middle || s.low(i-1) == "good" || s.low(i) == "in" && n == 1 {
		return nil
	}
	return s.partFound(i, n+k, p, pick, solid || p.alone)
}

// inPart counts the words that lead to a part of the day.
func (s *scan) inPart(i int) int {
	if !s.is(i, partLeads) {
		return 0
	}
	return s.phrase(i, inPart)
}

func (s *scan) partFound(i, n int, p dayPart, pick edge, solid bool) *found {
	from, to := timeOfDay{hour: p.from}, timeOfDay{hour: p.to}
	switch pick {
	case head:
		to = timeOfDay{hour: p.from + 2}
	case tail:
		from = timeOfDay{hour: p.from + 2}
	}
	if to.hour == 24 {
		to = timeOfDay{hour: 23, minute: 59, second: 59}
	}
	v := interval{from.on(noDay), to.on(noDay)}
	return &found{
		kind: "timerange", from: i, to: i + n, value: v, confidence: 0.9,
		temporal: temporal{readings: []interval{v}, span: &clockSpan{from, to}, solid: solid, half: p.half},
	}
}

// relativePart reads "this morning", "late last night", "tonight", "next evening": a day
// and a part of it.
func (s *scan) relativePart(i int) (day, part *found) {
	n := 0
	pick := edges[s.low(i)]
	if pick != whole {
		n = 1
	}
	if pick != whole { // early monday morning
		at := i + 1
		if s.low(at) == "on" {
			at++
		}
		if d := s.date(at); d != nil && len(d.readings) > 0 {
			if p, k := s.dayPartAt(d.to); k > 0 && p.half != "" {
				part = s.partFound(i, d.to-i+k, p, pick, true)
				d.from = i
				return d, part
			}
		}
	}
	shift := 0
	p, k := dayPart{}, 0
	if s.low(i+n) == "tonight" {
		p, k = dayParts["night"], 1
	} else {
		r, ok := relatives[s.low(i+n)]
		if !ok || s.low(i+n) == "same" {
			return nil, nil
		}
		n, shift = n+1, r
		if p, k = s.dayPartAt(i + n); k == 0 || p.meal || p.alone {
			return nil, nil
		}
	}
	if s.glued(i) && !s.openBefore(i) || s.glued(i+n+k) && !s.closeAfter(i+n+k) {
		return nil, nil
	}
	part = s.partFound(i, n+k, p, pick, true)
	t := s.clock.inDays(shift)
	day = &found{kind: "date", from: i, to: i + n + k, value: t, confidence: 0.9, temporal: temporal{readings: []interval{point(t)}}}
	return day, part
}

// joiners stand between the ends of a range.
var joiners = words("to until till til through thru")

// joined returns how many tokens join the ends of a range at i. Only "between" is joined
// by "and".
func (s *scan) joiner(i int, between bool) int {
	if s.symbolAt(i, "-–—~") || s.is(i, joiners) || between && s.low(i) == "and" {
		return 1
	}
	return 0
}

// clockRange reads a range of times: 3-5pm, from 9 to 5, between two thirty and three.
// Bare hours are no times by themselves; what stands around them must say so.
func (s *scan) clockRange(i int) *found {
	n, between := 0, false
	switch s.low(i) {
	case "from", "between":
		n, between = 1, s.low(i) == "between"
	case "at":
		n = 1
	}
	lead := n > 0 && s.low(i) != "at"
	if s.low(i+n) == "around" {
		n++
	}
	a, k, sureA := s.rangeTime(i+n, lead)
	if k == 0 {
		return nil
	}
	n += k
	if !lead && s.is(i, minuteWords) && s.low(i+1) == "to" {
		return nil // ten to five
	}
	k = s.joiner(i+n, between)
	if k == 0 {
		return nil
	}
	n += k
	b, k, sureB := s.rangeTime(i+n, lead)
	if k == 0 || s.glued(i) && !s.openBefore(i) || s.glued(i+n+k) && !s.closeAfter(i+n+k) {
		return nil
	}
	n += k
	from := i
	if s.low(i) == "at" {
		from = i + 1
	}
	return spanFound(from, i+n, clockSpan{a, b}, sureA || sureB)
}

var minuteWords = words("twenty")

// spanFound makes a range of times of its ends.
func spanFound(from, to int, span clockSpan, solid bool) *found {
	readings := span.readings()
	v := readings[0]
	if first := span.from.settle().on(noDay); len(readings) > 1 && readings[1].start.Equal(first) {
		v = readings[1]
	}
	return &found{kind: "timerange", from: from, to: to, value: v, confidence: 0.9, temporal: temporal{readings: readings, span: &span, solid: solid}}
}

// rangeTime reads an end of a range of times; sure says that nothing but a time looks so.
func (s *scan) rangeTime(i int, lead bool) (t timeOfDay, n int, sure bool) {
	if t, n = s.namedTime(i); n > 0 && s.timeCue(i) == 0 {
		return t, n, true
	}
	if s.low(i) == "half" || s.low(i) == "quarter" {
		if t, n = s.pastTime(i); n > 0 {
			return t, n, !t.either
		}
	}
	if four := s.digits(i, 4, 4); four != "" && lead && four[0] < '2' && four[2] < '6' {
		t = timeOfDay{hour: atoi(four[:2]), minute: atoi(four[2:])}
		t.either = t.hour >= 1 && t.hour <= 12
		t.doubt = t.either
		return t, 1, true
	}
	t, n, sure = s.hourMinute(i)
	sure = sure || t.minute > 0 && s.tokens[i].class == letters // two thirty
	if n == 0 && s.digits(i, 1, 2) != "" && s.symbolAt(i+1, ".") && s.glued(i+1) && s.digits(i+2, 2, 2) != "" && s.glued(i+2) {
		t, n = timeOfDay{hour: atoi(s.low(i)), minute: atoi(s.low(i + 2)), doubt: true, either: true}, 3
		if t.hour > 12 || t.minute > 59 {
			return t, 0, false
		}
	}
	if n == 0 {
		return t, 0, false
	}
	if k := s.oclock(i + n); k > 0 {
		n, sure = n+k, true
	}
	u, m := s.withHalf(i, t, n)
	return u, m, sure || m > n
}

// readings settles the halves of the day of both ends. An end without one follows the
// other by less than half a day where it can: 2 to 4pm, 11 to 1pm, 9.30 to 4.30pm.
func (c clockSpan) readings() []interval {
	if !c.from.either && !c.to.either {
		return []interval{c.between(c.from, c.to)}
	}
	if !c.to.either { // the latest start before the end
		from := c.from.half("pm")
		if am := c.from.half("am"); !from.before(c.to) && am.before(c.to) {
			from = am
		}
		return []interval{c.between(from, c.to)}
	}
	starts := []timeOfDay{c.from}
	if c.from.either {
		starts = []timeOfDay{c.from.half("am"), c.from.half("pm")}
	}
	var out []interval
	for _, from := range starts {
		to := c.to.half("am")
		if pm := c.to.half("pm"); !from.before(to) && from.before(pm) {
			to = pm
		}
		out = append(out, c.between(from, to))
	}
	return out
}

func (c clockSpan) between(from, to timeOfDay) interval {
	return interval{from.on(noDay), to.on(noDay)}
}

func (t timeOfDay) before(u timeOfDay) bool { return t.on(noDay).Before(u.on(noDay)) }

// onDay moves a range of times to a day; one that would end before it starts ends on the
// day after.
func (v interval) onDay(day time.Time) interval {
	set := func(t time.Time) time.Time {
		if t.IsZero() {
			return t
		}
		y, m, d := day.Date()
		return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, day.Location())
	}
	w := interval{set(v.start), set(v.end)}
	if !w.end.IsZero() && !w.start.IsZero() && w.end.Before(w.start) {
		w.end = w.end.AddDate(0, 0, 1)
	}
	return w
}
