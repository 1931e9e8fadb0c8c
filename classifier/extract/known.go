package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier"
)

// A value that is known says what the one that corrects it leaves out: the half of the day of
// "could we do 7:30 rather", the month and the year of "it was the 17th".

// known returns the value of a param of the task under way, nil if the message may not correct it.
func known(in *classifier.Input, param string) any {
	if slices.Contains(in.Filled, param) || in.Asked != nil && in.Asked.Param == param {
		return in.Params[param]
	}
	return nil
}

// knownClock is the time of day that a param of type time or datetime holds.
func knownClock(value any) (t timeOfDay, ok bool) {
	text, _ := value.(string)
	if _, clock, whole := strings.Cut(text, "T"); whole {
		text = clock
	}
	for _, layout := range [...]string{time.TimeOnly, "15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return timeOfDay{hour: at.Hour(), minute: at.Minute()}, true
		}
	}
	return t, false
}

// firstHour is the earliest hour that a time without its half of the day means.
const firstHour = 6

// like puts a time into the half of the day that is nearer to a time that is known. The night
// is meant only where that one is in the night, too.
func (t timeOfDay) like(value any) timeOfDay {
	old, ok := knownClock(value)
	if !ok || !t.doubt || t.hour < 1 || t.hour > 12 {
		return t
	}
	from := func(u timeOfDay) int { return max(u.minutes()-old.minutes(), old.minutes()-u.minutes()) }
	am, pm := t.half("am"), t.half("pm")
	switch {
	case am.hour < firstHour && old.hour >= firstHour, from(pm) < from(am):
		return pm
	case from(am) < from(pm):
		return am
	}
	return t
}

func (t timeOfDay) minutes() int { return 60*t.hour + t.minute }

// inMonthOf moves a day that was named by its number alone into the month of a day that is
// known, but not from the future into the past.
func (s *scan) inMonthOf(f *found, value any) (time.Time, bool) {
	day, ok := f.value.(time.Time)
	old, hasDay, _ := moment(value, s.clock.now.Location())
	if !ok || !hasDay || f.cycle != monthly || slices.ContainsFunc(s.tokens[f.from:f.to], func(t token) bool { return t.low == "month" }) {
		return day, false
	}
	moved, real := s.clock.day(old.Year(), old.Month(), day.Day())
	today := s.clock.today()
	if !real || moved.Before(today) && !old.Before(today) {
		return day, false
	}
	return moved, true
}

// sameMonth puts a day that was named by its number alone into the month of the day that the
// message names before it: "march 2, no, the 3rd".
func (s *scan) sameMonth(finds []found) {
	var before *found
	for i := range finds {
		day := finds[i].day()
		if day == nil {
			continue
		}
		if moved, ok := s.inMonthOf(day, dateOf(before)); ok {
			f := &finds[i]
			if v, isMoment := f.value.(instant); isMoment {
				y, m, d := moved.Date()
				t := time.Time(v)
				f.value = instant(time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, t.Location()))
			}
			day.value, day.cycle = moved, monthly
		}
		if s.namesMonth(day) {
			before = day
		}
	}
}

// namesMonth reports whether a day was said with its month.
func (s *scan) namesMonth(day *found) bool {
	if s.tongue != nil {
		return day.cycle != monthly
	}
	return slices.ContainsFunc(s.tokens[day.from:day.to], func(t token) bool { return months[t.low] > 0 })
}

// dateOf is the day of a find as a param holds it; nil for none.
func dateOf(f *found) any {
	if f == nil {
		return nil
	}
	if t, ok := f.value.(time.Time); ok {
		return t.Format(time.DateOnly)
	}
	return nil
}

// likeKnown completes a day or a time by what its param holds.
func (s *scan) likeKnown(f *found, value any) *found {
	if value == nil {
		return f
	}
	switch v := f.value.(type) {
	case timeOfDay:
		g := *f
		g.value = v.like(value)
		return &g
	case time.Time:
		if day, moved := s.inMonthOf(f, value); moved {
			g := *f
			g.value = day
			return &g
		}
	case instant:
		if f.date == nil || f.time == nil {
			return f
		}
		day, clock := s.likeKnown(f.date, value), s.likeKnown(f.time, value)
		d, _ := day.value.(time.Time)
		t, ok := clock.value.(timeOfDay)
		was, _ := f.time.value.(timeOfDay)
		if !ok || t == was && day == f.date {
			return f
		}
		g := *f
		g.date, g.time, g.value = day, clock, instant(t.settle().on(d))
		return &g
	}
	return f
}
