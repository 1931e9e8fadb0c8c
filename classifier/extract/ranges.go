package extract

import (
	"slices"
	"time"

	"github.com/slotway/slotway/classifier"
)

// rangeKinds are the built-in types of stretches of time and of what recurs.
var rangeKinds = words("daterange timerange datetimerange recurrence")

// matchRanges gives ranges and recurrences to the params of these types. It is a reading
// of its own: a param that holds a day takes "monday" from "monday to friday" as if no
// range had been looked for.
func (x *Extractor) matchRanges(s *scan, asked *classifier.Asked, c *collector) {
	if !slices.ContainsFunc(x.types, func(r *recogniser) bool { return rangeKinds[r.Builtin] }) {
		return
	}
	wide := *s
	wide.ranges = true
	for _, f := range wide.all() {
		if f.vague || f.value == nil {
			continue // what counts "a few" or a season is not guessed
		}
		for _, r := range x.types {
			if !rangeKinds[r.Builtin] {
				continue
			}
			isAsked := asked != nil && slices.Contains(r.params, asked.Param)
			if v, confidence, ok := f.asRange(r.Builtin, isAsked); ok {
				x.emit(r, c, v, s.tokens[f.from].start, s.endOf(&f), confidence, s.text)
			}
		}
	}
}

// asRange reads a find as a value of a range type. Only an answer may bend: a day is a
// range of one day when one is asked for, days are whole days of a range of moments.
func (f *found) asRange(kind string, asked bool) (value any, confidence float64, ok bool) {
	if f.kind == kind {
		return f.plain(), f.confidence, true
	}
	if !asked {
		return nil, 0, false
	}
	switch v := f.value.(type) {
	case time.Time:
		if kind == "daterange" || kind == "datetimerange" {
			g := found{kind: kind, value: interval{v, v.AddDate(0, 0, 1)}}
			return g.plain(), 0.8, true
		}
	case interval:
		if f.kind == "daterange" && kind == "datetimerange" {
			g := found{kind: kind, value: v}
			return g.plain(), 0.8, true
		}
	}
	return nil, 0, false
}
