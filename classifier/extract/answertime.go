package extract

import (
	"slices"
	"strings"

	"github.com/slotway/slotway/classifier"
)

// A number answers a question for a time where it stands as the answer, not before what it
// counts: "three vegetarians" are no time, "maybe 7 then" is one. So do the shapes that are a
// time nowhere else: 18.30, 18h30, half seven, seven thirty.

// hourTails may stand behind a bare hour that answers, beside what ends a phrase.
var hourTails = words("sharp ish works work would will is was if when then than thanks thx though maybe perhaps probably instead rather latest earliest tops please pls ok okay fine good great suits sounds thank should can could may might has like or but so until till because since exactly hopefully again too also yes no right")

// hourEnds reports whether what stands at token i leaves the hour before it a time.
func (s *scan) hourEnds(i int) bool {
	if s.tongue != nil {
		return s.phraseEnds(i)
	}
	return !s.wordAt(i) && s.digits(i, 1, 99) == "" || s.is(i, hourTails) || s.is(i, nounStops) || s.bareHourEnds(i)
}

// standsAsTime reports whether a plain number may answer a question for a time: it counts
// nobody, names nothing, and no other time is said.
func (x *Extractor) standsAsTime(s *scan, f *found, companies []company, finds []found) bool {
	if !s.hourEnds(f.to) || within(companies, f) || s.namesThing(f) || x.countsElse(s, f) {
		return false
	}
	clocked := slices.ContainsFunc(finds, func(g found) bool { return g.kind == "time" || g.kind == "datetime" })
	return !clocked || s.low(f.to) == "or" || s.is(f.from-1, hourLinks) || s.symbolAt(f.from-1, ",") && s.is(f.from-2, hourLinks)
}

// hourLinks stand between a time and another one that may be a bare number: "7:30, no, 8".
var hourLinks = words("or no nope rather wait actually sorry mean make it to until and between better")

// bareHour gives a plain number to the params of a type of times that it answers.
func (x *Extractor) bareHour(s *scan, in *classifier.Input, r *recogniser, f *found, finds []found, c *collector) {
	if in.Asked == nil || !slices.Contains(r.params, in.Asked.Param) || s.inAddress(f) {
		return
	}
	clock, ok := s.bareClock(f)
	if !ok {
		return
	}
	g := bent(f)
	g.kind, g.value = "time", clock
	held := known(in, in.Asked.Param)
	g = s.likeKnown(g, held)
	v, _, ok := s.asTime(g, "time", true)
	if r.Builtin == "datetime" { // the other half of a day that was said before
		if _, day, _ := moment(held, s.clock.now.Location()); !day {
			return
		}
		v, ok = x.half(s, in, in.Asked.Param, g, finds)
	}
	if start, end := s.tokens[f.from].start, s.tokens[f.to-1].end; ok && r.agrees(s.text[start:end]) {
		c.bytes(in.Asked.Param, v, start, end, "builtin", g.confidence)
	}
}

// bareClock is a plain number as an hour.
func (s *scan) bareClock(f *found) (t timeOfDay, ok bool) {
	v, isNumber := f.value.(float64)
	if !isNumber || f.kind != "number" || f.to != f.from+1 && wordValues[s.low(f.from)].kind != tenWord || wordValues[s.low(f.from)].kind == scaleWord || v != float64(int(v)) || v < 0 || v >= 24 {
		return t, false
	}
	return timeOfDay{hour: int(v), doubt: v >= 1 && v <= 12}, true
}

// dotted reports whether 18.30 at token i is a time: one is asked for, and it is no day.
func (s *scan) dotted(i int) bool {
	minute := atoi(s.low(i + 2))
	return (s.asked == "time" || s.asked == "datetime" && (minute > 12 || minute == 0)) && s.hourEnds(i+3)
}

// hourLettered reads 18h30 and 18h where a time is asked for, and behind a word for one.
func (s *scan) hourLettered(i int) (t timeOfDay, n int) {
	d := s.digits(i, 1, 2)
	if d == "" || s.low(i+1) != "h" || !s.timely() && !s.is(i-1, hourCues) || !s.glued(i+1) || s.low(i-1) == "for" || atoi(d) > 23 {
		return t, 0
	}
	t, n = timeOfDay{hour: atoi(d)}, 2
	if m := s.digits(i+2, 2, 2); m != "" && s.glued(i+2) && m[0] < '6' {
		t.minute, n = atoi(m), 3
	} else if s.glued(i+2) && !s.closeAfter(i+2) {
		return t, 0
	}
	t.either = t.hour >= 1 && t.hour <= 12
	t.doubt = t.either && len(d) < 2
	return t, n * btoi(s.hourEnds(i+n))
}

// hourCues make a time of 18h, which is a length of time without them.
var hourCues = words("at @ until till")

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// halfHour reads the "half seven" of an answer, half past it.
func (s *scan) halfHour(i int) (t timeOfDay, n int) {
	n = s.timeCue(i)
	if s.low(i+n) != "half" || n == 0 && !s.timely() {
		return t, 0
	}
	h, k := s.hourWord(i + n + 1)
	if n += 1 + k; k == 0 || !s.hourEnds(i+n) && !s.dayHalfFollows(i+n) {
		return t, 0
	}
	return s.withHalf(i, timeOfDay{hour: h, minute: 30, doubt: true, either: true}, n)
}

// ishTime reads 7ish, 7:30-ish, sevenish.
func (s *scan) ishTime(i int) (t timeOfDay, n int) {
	n = s.timeCue(i)
	if base, ok := strings.CutSuffix(s.low(i+n), "ish"); ok && units[base] >= 1 && units[base] <= 12 {
		return timeOfDay{hour: int(units[base]), doubt: true, either: true}, (n + 1) * btoi(s.hourEnds(i+n+1))
	}
	t, k, _ := s.hourMinute(i + n)
	if k == 0 || t.hour < 1 {
		return t, 0
	}
	if n += k; s.symbolAt(i+n, "-") && s.glued(i+n) {
		n++
	}
	if s.low(i+n) != "ish" || !s.hourEnds(i+n+1) {
		return t, 0
	}
	return t, n + 1
}
