package extract

import (
	"slices"
	"time"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/message"
)

// A value that is known says what the one that corrects it leaves out: the half of the day of
// "could we do 7:30 rather", the month and the year of "it was the 17th".

// known returns the value of a param of the task under way, or nil if the message may not correct
// it.
func known(in *classifier.Input, param string) any {
	if slices.Contains(in.Filled, param) || in.Asked != nil && in.Asked.Param == param {
		return in.Params[param]
	}
	return nil
}

// inMonthOf moves a day that is named by its number alone into the month of a known day, but not
// from the future into the past.
func (s *reading) inMonthOf(f *find.Find, value any) (time.Time, bool) {
	day, ok := f.Value.(time.Time)
	old, hasDay, _ := moment(value, s.Clock.Now.Location())
	if !ok || !hasDay || f.Cycle != calendar.Monthly || slices.ContainsFunc(s.Tokens[f.From:f.To], func(t message.Token) bool { return t.Low == "month" }) {
		return day, false
	}
	moved, real := s.Clock.Day(old.Year(), old.Month(), day.Day())
	today := s.Clock.Today()
	if !real || moved.Before(today) && !old.Before(today) {
		return day, false
	}
	return moved, true
}

// sameMonth moves a day that is named by its number alone into the month of the day before it in
// the message: "march 2, no, the 3rd".
func (s *reading) sameMonth(finds []find.Find) {
	var before *find.Find
	for i := range finds {
		day := finds[i].Day()
		if day == nil {
			continue
		}
		if moved, ok := s.inMonthOf(day, dateOf(before)); ok {
			f := &finds[i]
			if v, isMoment := f.Value.(find.Instant); isMoment {
				f.Value = find.Instant(onto(moved, time.Time(v), "date", "datetimerange"))
			}
			day.Value, day.Cycle = moved, calendar.Monthly
		}
		if day.Cycle != calendar.Monthly { // it is named with its month
			before = day
		}
	}
}

// anyTerm reports whether a term of a class stands among the tokens [from, to).
func (s *reading) anyTerm(from, to int, class string) bool {
	for i := from; i < to; i++ {
		if s.IsTerm(i, class) {
			return true
		}
	}
	return false
}

// dateOf is the day of a find as a param holds it; nil for none.
func dateOf(f *find.Find) any {
	if f == nil {
		return nil
	}
	if t, ok := f.Value.(time.Time); ok {
		return t.Format(time.DateOnly)
	}
	return nil
}

// likeKnown completes a day or a time with the known value of its param.
func (s *reading) likeKnown(f *find.Find, value any) *find.Find {
	if value == nil {
		return f
	}
	switch v := f.Value.(type) {
	case calendar.TimeOfDay:
		g := *f
		g.Value = v.Like(value)
		return &g
	case time.Time:
		if day, moved := s.inMonthOf(f, value); moved {
			g := *f
			g.Value = day
			return &g
		}
	case find.Instant:
		if f.Date == nil || f.Time == nil {
			return f
		}
		day, clock := s.likeKnown(f.Date, value), s.likeKnown(f.Time, value)
		d, _ := day.Value.(time.Time)
		t, ok := clock.Value.(calendar.TimeOfDay)
		was, _ := f.Time.Value.(calendar.TimeOfDay)
		if !ok || t == was && day == f.Date {
			return f
		}
		g := *f
		g.Date, g.Time, g.Value = day, clock, find.Instant(t.Settle().On(d))
		return &g
	}
	return f
}
