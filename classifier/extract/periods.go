package extract

import (
	"slices"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// tellPeriods reports a period that answers a question for a day as wrong: "next week", "some time
// in january", "whenever suits you". It is more than one day, so no day is guessed.
func (x *Extractor) tellPeriods(s *reading, asked *classifier.Asked, c *collector) {
	if asked == nil || asked.Param == solo || len(s.Tokens) == 0 || !x.holdsDay(asked.Param) || c.has(asked.Param) || c.told(asked.Param) {
		return
	}
	if f := s.longPeriod(); f != nil {
		c.refuse(s, asked.Param, f, message.WrongPeriod)
		if v, _, ok := f.AsRange(f.Kind, true); ok && v != nil && v != "" {
			c.wrong[len(c.wrong)-1].Value = v
		}
	}
}

// holdsDay reports whether a param holds one day, with or without its time.
func (x *Extractor) holdsDay(param string) bool {
	return slices.ContainsFunc(x.params[param], func(r *recogniser) bool { return r.Builtin == "date" || r.Builtin == "datetime" })
}

// told reports whether a value for a param was reported as wrong already.
func (c *collector) told(param string) bool {
	return slices.ContainsFunc(c.wrong, func(v message.Value) bool { return v.Param == param })
}

// longPeriod is the first stretch of a message that is longer than a day, or leaves the day
// open.
func (s *reading) longPeriod() *find.Find {
	wide, own := s.ranged(), *s.Message
	wide.Message, own.Exact = &own, make([]bool, len(s.Tokens))
	for _, f := range wide.all() {
		if f.Lasts() {
			return &f
		}
	}
	for i := range s.Tokens {
		if n := s.openDay(i); n > 0 {
			return &find.Find{Kind: "daterange", From: i, To: i + n}
		}
	}
	return nil
}

// openDay counts the words at token i that leave the day open: "whenever suits you", but not "whenever I
// try".
func (s *reading) openDay(i int) int {
	_, n := s.TermAt(i, "open_day")
	if _, k := s.TermAt(i, "open_end"); n == 0 && s.Ends(i+k) {
		n = k
	}
	return n
}

// matchRanges gives ranges and recurrences to the params of these types. It is a reading
// of its own: a param that holds a day takes "monday" from "monday to friday" as if no
// range had been looked for.
func (x *Extractor) matchRanges(s *reading, in *classifier.Input, c *collector) {
	if !slices.ContainsFunc(x.types, func(r *recogniser) bool { return find.RangeKinds[r.Builtin] }) {
		return
	}
	for _, f := range s.ranged().all() {
		if f.Vague || f.Value == nil {
			continue // what counts "a few" or a season is not guessed
		}
		for _, r := range x.types {
			start, end := s.Tokens[f.From].Start, s.endOf(&f)
			if !find.RangeKinds[r.Builtin] || !r.agrees(s.Text[start:end]) {
				continue
			}
			for _, p := range r.params {
				v, confidence, ok := f.AsRange(r.Builtin, in.Asked != nil && in.Asked.Param == p)
				if whole, isEnd := s.changedEnd(&f, r.Builtin, known(in, p)); isEnd {
					if v, confidence, ok = whole, f.Confidence, whole != ""; !ok {
						c.refuse(s, p, &f, message.WrongPeriod)
					}
				}
				if ok {
					c.bytes(p, v, start, end, "builtin", confidence)
				}
			}
		}
	}
}
