package extract

import (
	"slices"
	"time"

	"github.com/slotway/slotway/classifier"
)

// tellPeriods tells a period apart that answers a question for a day: "next week", "some time
// in january", "whenever suits you". It is more than one day, so that none is guessed.
func (x *Extractor) tellPeriods(s *scan, asked *classifier.Asked, c *collector) {
	if asked == nil || asked.Param == solo || len(s.tokens) == 0 || !x.holdsDay(asked.Param) || c.has(asked.Param) || c.told(asked.Param) {
		return
	}
	if f := s.longPeriod(); f != nil {
		c.refuse(s, asked.Param, f, classifier.WrongPeriod)
		if v := f.plain(); v != nil && v != "" {
			c.wrong[len(c.wrong)-1].Value = v
		}
	}
}

// holdsDay reports whether a param holds one day, with or without its time.
func (x *Extractor) holdsDay(param string) bool {
	return slices.ContainsFunc(x.params[param], func(r *recogniser) bool { return r.Builtin == "date" || r.Builtin == "datetime" })
}

// told reports whether something that was said for a param has been told apart already.
func (c *collector) told(param string) bool {
	return slices.ContainsFunc(c.wrong, func(v classifier.Value) bool { return v.Param == param })
}

// longPeriod is the first stretch of a message that is longer than a day, or leaves the day
// open.
func (s *scan) longPeriod() *found {
	wide := *s
	wide.ranges, wide.exact = true, make([]bool, len(s.tokens))
	for _, f := range wide.all() {
		if f.lasts() {
			return &f
		}
	}
	for i := range s.tokens {
		if n := s.openDay(i); n > 0 {
			return &found{kind: "daterange", from: i, to: i + n}
		}
	}
	return nil
}

// lasts reports whether a find is a stretch of more than a day; a season has no days that a
// calendar settles, and is one.
func (f *found) lasts() bool {
	if f.kind != "daterange" && f.kind != "datetimerange" {
		return false
	}
	v, ok := f.value.(interval)
	return !ok || v.start.IsZero() || v.end.IsZero() || v.end.Sub(v.start) > 25*time.Hour
}

// openDay counts the words at token i that leave the day open: "whenever suits you".
func (s *scan) openDay(i int) int {
	if s.tongue != nil {
		_, n := s.termAt(i, "open_day")
		return n
	}
	if s.low(i) == "whenever" {
		if !s.ends(i+1) && !s.is(i+1, suiting) {
			return 0 // whenever I try
		}
		n := 1
		for n < 4 && s.is(i+n, suiting) {
			n++
		}
		return n
	}
	return s.phrase(i, openDays)
}

var (
	openDays = split("anytime,any time,any day,any date,some time,sometime,some day,someday,soon,one of these days,at your convenience,when it suits you,when it suits,when you can,when you like,i'm flexible,i am flexible,im flexible")
	// suiting go on behind "whenever" when it answers.
	suiting = words("suits suit works work is fits possible convenient best good you your it that's its it's can like want have time next free available")
)
