package extract

import "time"

// side is the side of an expression of time that is meant.
type side uint8

const (
	noSide side = iota
	beforeIt
	afterIt
	sinceIt
	untilIt
)

// bounds are the words before an expression that open one end of it, by first word.
var bounds = map[string][]bound{
	"before": {{[]string{"before"}, beforeIt}, {[]string{"before or on", "before or at"}, untilIt}}, "prior": {{[]string{"prior to"}, beforeIt}}, "by": {{[]string{"by"}, beforeIt}},
	"until": {{[]string{"until"}, beforeIt}}, "till": {{[]string{"till"}, beforeIt}}, "no": {{[]string{"no later than"}, beforeIt}, {[]string{"no earlier than", "no sooner than"}, sinceIt}},
	"not": {{[]string{"not later than", "not after"}, beforeIt}, {[]string{"not before", "not earlier than"}, sinceIt}}, "earlier": {{[]string{"earlier than"}, beforeIt}},
	"sooner": {{[]string{"sooner than"}, beforeIt}}, "up": {{[]string{"up to", "up until", "up till"}, beforeIt}},
	"any":    {{[]string{"any time before"}, beforeIt}, {[]string{"any time after"}, afterIt}, {[]string{"any time since", "any time from"}, sinceIt}},
	"ending": {{[]string{"ending", "ending on", "ending by", "ending in"}, beforeIt}},
	"after":  {{[]string{"after"}, afterIt}, {[]string{"after or on", "after or at"}, sinceIt}}, "later": {{[]string{"later than"}, afterIt}}, "since": {{[]string{"since"}, sinceIt}},
	"starting":  {{[]string{"starting", "starting on", "starting from", "starting in", "starting with", "starting at"}, sinceIt}},
	"beginning": {{[]string{"beginning on", "beginning from", "beginning in"}, sinceIt}},
	"as":        {{[]string{"as early as"}, sinceIt}, {[]string{"as late as"}, untilIt}},
	"on":        {{[]string{"on or after", "on or later than"}, sinceIt}, {[]string{"on or before", "on or earlier than"}, untilIt}},
	"in":        {{[]string{"in or after"}, sinceIt}, {[]string{"in or before"}, untilIt}, {[]string{"in advance of"}, beforeIt}},
	"at":        {{[]string{"at or after"}, sinceIt}, {[]string{"at or before"}, untilIt}},
	"greater":   {{[]string{"greater than"}, afterIt}},
	"year":      {{[]string{"year greater than", "year after", "year later than"}, afterIt}, {[]string{"year less than", "year before", "year earlier than"}, beforeIt}},
	">":         {{[]string{"> =", "="}, sinceIt}, {[]string{">"}, afterIt}},
	"<":         {{[]string{"< ="}, untilIt}, {[]string{"<"}, beforeIt}},
}

// bareBounds open no end without the "or" that follows them, which is looked for itself.
var bareBounds = words("in at")

type bound struct {
	phrases []string
	side    side
}

// suffixes of expressions that open their end: "3pm or later".
var boundTails = []bound{
	{[]string{"or later", "and later", "or after", "onwards", "onward", "and onwards", "and after", "or afterwards", "or greater", "and greater"}, sinceIt},
	{[]string{"or earlier", "and earlier", "or before", "and before", "or less"}, untilIt},
}

// boundAt reads the words that open an end.
func (s *scan) boundAt(i int) (side, int) {
	best, n := noSide, 0
	for _, b := range bounds[s.low(i)] {
		if k := s.phrase(i, b.phrases); k > n {
			best, n = b.side, k
		}
	}
	return best, n
}

var approxWords = words("around approximately circa approx about")

// bounded reads what is open at one end: "before 2010", "no later than friday", "3pm or
// later", "1/1/2015 after 2:00"; and what is near a point: "around 1pm".
func (s *scan) bounded(i int) *found {
	if s.atRangeEnd {
		return nil
	}
	if f := s.moreOrLess(i); f != nil {
		return f
	}
	b, n := s.boundAt(i)
	if n > 0 {
		if s.is(i+n, approxWords) {
			n++
		}
		inner := s.expression(i + n)
		if inner == nil && n > 2 {
			inner = s.yearAlone(i + n) // as early as 2018
		}
		if inner == nil || s.low(i+n-1) == "from" && s.joiner(inner.to, false) > 0 {
			return nil
		}
		f := open(i, inner.to, b, inner)
		if s.low(i) == "since" && len(f.readings) > 0 {
			f.value = f.readings[0] // it has begun
		}
		return f
	}
	if w := s.low(i); w == "around" || w == "circa" || w == "approximately" {
		return s.around(i)
	}
	return s.boundAfter(i)
}

// expression reads what a bound applies to.
func (s *scan) expression(i int) *found {
	best := s.whenever(i)
	if f := s.period(i); f != nil && (best == nil || f.to > best.to) {
		best = f
	}
	if f := s.endOfDay(i); f != nil && (best == nil || f.to > best.to) {
		best = f
	}
	if best == nil { // after lunch
		if p, k := s.dayPartAt(i); k > 0 && p.meal {
			best = s.partFound(i, k, p, whole, true)
		}
	}
	if best == nil && s.low(i) == "the" {
		if f := s.period(i + 1); f != nil && (f.edge != whole || f.unit == aQuarter || f.unit == aNumberedYear) {
			return f // since the end of 1989
		}
	}
	return best
}

// around reads "around 1pm": the point itself.
func (s *scan) around(i int) *found {
	f := s.whenever(i + 1)
	if f == nil || f.kind != "time" && f.kind != "datetime" && f.kind != "date" {
		return nil
	}
	if f.from != i+1 && s.low(i+1) != "at" || f.kind == "date" && f.cycle == monthly {
		return nil
	}
	f.from = i
	return f
}

// boundAfter reads a bound that follows an expression, or the time on a day that has one.
func (s *scan) boundAfter(i int) *found {
	if !s.opens {
		return nil
	}
	f := s.whenever(i)
	if f == nil {
		f = s.period(i)
	}
	if f == nil {
		f = s.yearAlone(i)
	}
	if f == nil {
		return nil
	}
	for _, t := range boundTails {
		n := s.phrase(f.to, t.phrases)
		if n == 0 || !s.ends(f.to+n) && !(f.kind == "time" && s.low(f.to+n) == "on") || s.low(f.to) != "onwards" && s.low(f.to+1) == "after" && s.low(f.to) == "and" && !s.ends(f.to+n) {
			continue
		}
		end := f.to + n
		if s.low(end) == "on" && f.kind == "time" {
			if day := s.date(end + 1); day != nil {
				g := timesOn(f, day)
				return open(f.from, day.to, t.side, g)
			}
		}
		if n == 2 && s.low(f.to) == "and" && s.low(f.to+1) == "after" && end < len(s.tokens) && s.tokens[end].class == letters {
			continue
		}
		return open(f.from, end, t.side, f)
	}
	if f.kind != "date" {
		return nil
	}
	j := f.to
	if s.symbolAt(j, ",") {
		j++
	}
	b, n := s.boundAt(j)
	if n == 0 {
		return nil
	}
	t := s.clockTime(j + n)
	if t == nil {
		return nil
	}
	g := timesOn(t, f)
	g.from = i
	return open(i, t.to, b, g)
}

// yearAlone reads a year that a tail such as "or later" makes one.
func (s *scan) yearAlone(i int) *found {
	if y := s.yearDigits(i); y > 0 {
		return rangeFound(i, 1, aNumberedYear, s.clock.year(y))
	}
	return nil
}

// open makes a range of a find that is open at one end.
func open(from, to int, b side, f *found) *found {
	kind := map[string]string{"date": "daterange", "time": "timerange", "datetime": "datetimerange"}[f.kind]
	if kind == "" {
		kind = f.kind
	}
	g := &found{kind: kind, from: from, to: to, confidence: 0.88, temporal: temporal{cycle: f.cycle, unit: f.unit}}
	for _, r := range f.readings {
		g.readings = append(g.readings, r.open(b, f.edge))
	}
	switch v := f.value.(type) {
	case time.Time:
		g.value = point(v).open(b, f.edge)
	case instant:
		g.value = point(time.Time(v)).open(b, f.edge)
	case timeOfDay:
		g.value = point(v.settle().on(noDay)).open(b, f.edge)
	case interval:
		g.value = v.open(b, f.edge)
	default:
		if len(g.readings) > 0 {
			g.value = g.readings[len(g.readings)-1]
		}
	}
	return g
}

// open returns what lies on one side of a stretch. "By the end of may" is up to its very
// end.
func (v interval) open(b side, e edge) interval {
	switch b {
	case beforeIt:
		if e == tail {
			return interval{end: v.end}
		}
		return interval{end: v.start}
	case afterIt:
		if e == head {
			return interval{start: v.start}
		}
		return interval{start: v.end}
	case sinceIt:
		return interval{start: v.start}
	}
	return interval{end: v.end}
}

// moreOrLess reads "more than 2 days ago", "less than 3 days after tomorrow".
func (s *scan) moreOrLess(i int) *found {
	more := s.low(i) == "more"
	if !more && s.low(i) != "less" || s.low(i+1) != "than" {
		return nil
	}
	if f := s.moreOrLessNow(i, more); f != nil {
		return f
	}
	step, k := s.units(i + 2)
	d, n := s.offsetDate(i + 2)
	if k == 0 || n <= k || d.unreal {
		return nil
	}
	sign := 1
	if w := s.low(i + 2 + k); w == "ago" || w == "before" || w == "back" || w == "earlier" || w == "prior" {
		sign = -1
	}
	v := interval{start: d.next}
	switch {
	case more && sign < 0:
		v = interval{end: d.next}
	case !more && sign < 0:
		v = interval{d.next, move(d.next, step, 1)}
	case !more:
		v = interval{move(d.next, step, -1), d.next}
	}
	return rangeFound(i, n+2, noUnit, v)
}

// moreOrLessNow reads "less than 2 hours ago", "more than 30 minutes from now".
func (s *scan) moreOrLessNow(i int, more bool) *found {
	at := s.moment(i + 2)
	if at == nil || at.kind != "datetime" {
		return nil
	}
	t, ok := at.value.(instant)
	if !ok {
		return nil
	}
	v, now := interval{}, s.clock.now
	switch behind := time.Time(t).Before(now); {
	case more && behind:
		v.end = time.Time(t)
	case more:
		v.start = time.Time(t)
	case behind:
		v = interval{time.Time(t), now}
	default:
		v = interval{now, time.Time(t)}
	}
	f := rangeFound(i, at.to-i, noUnit, v)
	f.kind = "datetimerange"
	return f
}
