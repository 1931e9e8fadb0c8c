package when

import (
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// bounds are the words before an expression that open one end of it, by first word.
var bounds = map[string][]bound{
	"before": {{[]string{"before"}, calendar.BeforeIt}, {[]string{"before or on", "before or at"}, calendar.UntilIt}}, "prior": {{[]string{"prior to"}, calendar.BeforeIt}}, "by": {{[]string{"by"}, calendar.ByIt}},
	"until": {{[]string{"until"}, calendar.ByIt}}, "till": {{[]string{"till"}, calendar.ByIt}}, "no": {{[]string{"no later than"}, calendar.ByIt}, {[]string{"no earlier than", "no sooner than"}, calendar.SinceIt}},
	"not": {{[]string{"not later than", "not after"}, calendar.ByIt}, {[]string{"not before", "not earlier than"}, calendar.SinceIt}}, "earlier": {{[]string{"earlier than"}, calendar.BeforeIt}},
	"sooner": {{[]string{"sooner than"}, calendar.BeforeIt}}, "up": {{[]string{"up to", "up until", "up till"}, calendar.ByIt}},
	"any":    {{[]string{"any time before"}, calendar.BeforeIt}, {[]string{"any time after"}, calendar.AfterIt}, {[]string{"any time since", "any time from"}, calendar.SinceIt}},
	"ending": {{[]string{"ending", "ending on", "ending by", "ending in"}, calendar.ByIt}},
	"after":  {{[]string{"after"}, calendar.AfterIt}, {[]string{"after or on", "after or at"}, calendar.SinceIt}}, "later": {{[]string{"later than"}, calendar.AfterIt}}, "since": {{[]string{"since"}, calendar.SinceIt}},
	"starting":  {{[]string{"starting", "starting on", "starting from", "starting in", "starting with", "starting at"}, calendar.SinceIt}},
	"beginning": {{[]string{"beginning on", "beginning from", "beginning in"}, calendar.SinceIt}},
	"as":        {{[]string{"as early as"}, calendar.SinceIt}, {[]string{"as late as"}, calendar.UntilIt}},
	"on":        {{[]string{"on or after", "on or later than"}, calendar.SinceIt}, {[]string{"on or before", "on or earlier than"}, calendar.UntilIt}},
	"in":        {{[]string{"in or after"}, calendar.SinceIt}, {[]string{"in or before"}, calendar.UntilIt}, {[]string{"in advance of"}, calendar.BeforeIt}},
	"at":        {{[]string{"at or after"}, calendar.SinceIt}, {[]string{"at or before"}, calendar.UntilIt}},
	"greater":   {{[]string{"greater than"}, calendar.AfterIt}},
	"year":      {{[]string{"year greater than", "year after", "year later than"}, calendar.AfterIt}, {[]string{"year less than", "year before", "year earlier than"}, calendar.BeforeIt}},
	">":         {{[]string{"> =", "="}, calendar.SinceIt}, {[]string{">"}, calendar.AfterIt}},
	"<":         {{[]string{"< ="}, calendar.UntilIt}, {[]string{"<"}, calendar.BeforeIt}},
}

// bareBounds open no end without the "or" that follows them, which is looked for itself.
var bareBounds = message.Words("in at")

type bound struct {
	phrases []string
	side    calendar.Side
}

// suffixes of expressions that open their end: "3pm or later".
var boundTails = []bound{
	{[]string{"or later", "and later", "or after", "onwards", "onward", "and onwards", "and after", "or afterwards", "or greater", "and greater"}, calendar.SinceIt},
	{[]string{"or earlier", "and earlier", "or before", "and before", "or less"}, calendar.UntilIt},
}

// boundAt reads the words that open an end.
func boundAt(s *Reader, i int) (calendar.Side, int) {
	best, n := calendar.NoSide, 0
	for _, b := range bounds[s.Low(i)] {
		if k := s.Phrase(i, b.phrases); k > n {
			best, n = b.side, k
		}
	}
	return best, n
}

var approxWords = message.Words("around approximately circa approx about")

// bounded reads what is open at one end: "before 2010", "no later than friday", "3pm or
// later", "1/1/2015 after 2:00"; and what is near a point: "around 1pm".
func bounded(s *Reader, i int) *find.Find {
	if s.atRangeEnd {
		return nil
	}
	if f := moreOrLess(s, i); f != nil {
		return f
	}
	b, n := boundAt(s, i)
	if n > 0 {
		if s.Is(i+n, approxWords) {
			n++
		}
		inner := expression(s, i+n)
		if inner == nil && n > 2 {
			inner = yearAlone(s, i+n) // as early as 2018
		}
		if inner == nil || s.Low(i+n-1) == "from" && joiner(s, inner.To, false) > 0 {
			return nil
		}
		f := Open(i, inner.To, b, inner)
		if s.Low(i) == "since" && len(f.Readings) > 0 {
			f.Value = f.Readings[0] // it has begun
		}
		return f
	}
	if w := s.Low(i); w == "around" || w == "circa" || w == "approximately" {
		return around(s, i)
	}
	return boundAfter(s, i)
}

// expression reads what a bound applies to.
func expression(s *Reader, i int) *find.Find {
	best := find.Longer(find.Longer(whenever(s, i), period(s, i)), endOfDay(s, i))
	if best == nil { // after lunch
		if p, k := dayPartAt(s, i); k > 0 && p.meal {
			best = s.PartFound(i, k, p, calendar.Whole, true)
		}
	}
	if best == nil && s.Low(i) == "the" {
		if f := period(s, i+1); f != nil && (f.Edge != calendar.Whole || f.Unit == calendar.AQuarter || f.Unit == calendar.ANumberedYear) {
			return f // since the end of 1989
		}
	}
	return best
}

// around reads "around 1pm": the point itself.
func around(s *Reader, i int) *find.Find {
	f := whenever(s, i+1)
	if f == nil || f.Kind != "time" && f.Kind != "datetime" && f.Kind != "date" {
		return nil
	}
	if f.From != i+1 && s.Low(i+1) != "at" || f.Kind == "date" && f.Cycle == calendar.Monthly {
		return nil
	}
	f.From = i
	return f
}

// boundAfter reads a bound that follows an expression, or the time on a day that has one.
func boundAfter(s *Reader, i int) *find.Find {
	if !s.opens {
		return nil
	}
	f := whenever(s, i)
	if f == nil {
		f = period(s, i)
	}
	if f == nil {
		f = yearAlone(s, i)
	}
	if f == nil {
		return nil
	}
	if g := tailBound(s, f); g != nil || f.Kind != "date" {
		return g
	}
	j := f.To + message.Btoi(s.SymbolAt(f.To, ","))
	b, n := boundAt(s, j)
	if n == 0 {
		return nil
	}
	t := s.ClockTime(j + n)
	if t == nil {
		return nil
	}
	g := timesOn(t, f)
	g.From = i
	return Open(i, t.To, b, g)
}

// tailBound opens the end of a find by the words behind it: "3pm or later".
func tailBound(s *Reader, f *find.Find) *find.Find {
	andAfter := s.Low(f.To) == "and" && s.Low(f.To+1) == "after"
	for _, t := range boundTails {
		n := s.Phrase(f.To, t.phrases)
		end := f.To + n
		on := f.Kind == "time" && s.Low(end) == "on"
		if n == 0 || !s.Ends(end) && (!on || andAfter) {
			continue
		}
		if on {
			if day := s.Date(end + 1); day != nil {
				return Open(f.From, day.To, t.side, timesOn(f, day))
			}
		}
		if n == 2 && andAfter && end < len(s.Tokens) && s.Tokens[end].Class == message.Letters {
			continue
		}
		return Open(f.From, end, t.side, f)
	}
	return nil
}

// yearAlone reads a year that a tail such as "or later" makes one.
func yearAlone(s *Reader, i int) *find.Find {
	if y := s.YearDigits(i); y > 0 {
		return RangeFound(i, 1, calendar.ANumberedYear, s.Clock.Year(y))
	}
	return nil
}

// Open makes a range of a find that is open at one end.
func Open(from, to int, b calendar.Side, f *find.Find) *find.Find {
	kind := map[string]string{"date": "daterange", "time": "timerange", "datetime": "datetimerange"}[f.Kind]
	if kind == "" {
		kind = f.Kind
	}
	g := &find.Find{Kind: kind, From: from, To: to, Confidence: 0.88, Temporal: find.Temporal{Cycle: f.Cycle, Unit: f.Unit}}
	g.LastDay = f.Kind == "date" && (b == calendar.ByIt || b == calendar.UntilIt)
	for _, r := range f.Readings {
		g.Readings = append(g.Readings, r.Open(b, f.Edge))
	}
	switch v := f.Value.(type) {
	case time.Time:
		g.Value = calendar.Point(v).Open(b, f.Edge)
	case find.Instant:
		g.Value = calendar.Point(time.Time(v)).Open(b, f.Edge)
	case calendar.TimeOfDay:
		g.Value = calendar.Point(v.Settle().On(calendar.NoDay)).Open(b, f.Edge)
	case calendar.Interval:
		g.Value = v.Open(b, f.Edge)
	default:
		if len(g.Readings) > 0 {
			g.Value = g.Readings[len(g.Readings)-1]
		}
	}
	return g
}

// moreOrLess reads "more than 2 days ago", "less than 3 days after tomorrow".
func moreOrLess(s *Reader, i int) *find.Find {
	more := s.Low(i) == "more"
	if !more && s.Low(i) != "less" || s.Low(i+1) != "than" {
		return nil
	}
	if f := moreOrLessNow(s, i, more); f != nil {
		return f
	}
	of, k := s.length(i + 2)
	step, whole := of.Steps()
	day := s.Date(i + 2)
	if k == 0 || !whole || day == nil || day.To <= i+2+k || len(day.Readings) == 0 {
		return nil
	}
	at := day.Readings[len(day.Readings)-1].Start
	sign := 1
	if w := s.Low(i + 2 + k); w == "ago" || w == "before" || w == "back" || w == "earlier" || w == "prior" {
		sign = -1
	}
	v := calendar.Interval{Start: at}
	switch {
	case more && sign < 0:
		v = calendar.Interval{End: at}
	case !more && sign < 0:
		v = calendar.Interval{Start: at, End: calendar.Move(at, step, 1)}
	case !more:
		v = calendar.Interval{Start: calendar.Move(at, step, -1), End: at}
	}
	return RangeFound(i, day.To-i, calendar.NoUnit, v)
}

// moreOrLessNow reads "less than 2 hours ago", "more than 30 minutes from now".
func moreOrLessNow(s *Reader, i int, more bool) *find.Find {
	at := moment(s, i+2)
	if at == nil || at.Kind != "datetime" {
		return nil
	}
	t, ok := at.Value.(find.Instant)
	if !ok {
		return nil
	}
	v, now := calendar.Interval{}, s.Clock.Now
	switch behind := time.Time(t).Before(now); {
	case more && behind:
		v.End = time.Time(t)
	case more:
		v.Start = time.Time(t)
	case behind:
		v = calendar.Interval{Start: time.Time(t), End: now}
	default:
		v = calendar.Interval{Start: now, End: time.Time(t)}
	}
	f := RangeFound(i, at.To-i, calendar.NoUnit, v)
	f.Kind = "datetimerange"
	return f
}
