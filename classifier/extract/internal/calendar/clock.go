package calendar

import (
	"fmt"
	"strings"
	"time"
)

// TimeOfDay is a time without a day. Doubt is set when no word names the half of the day.
type TimeOfDay struct {
	Hour, Minute, Second int
	Doubt                bool
	Either               bool // 1 to 12 without am or pm, whatever its shape says
}

// String is the value of a param: 15:04, with seconds where there are some.
func (t TimeOfDay) String() string {
	if t.Second != 0 {
		return fmt.Sprintf("%02d:%02d:%02d", t.Hour%24, t.Minute, t.Second)
	}
	return fmt.Sprintf("%02d:%02d", t.Hour%24, t.Minute)
}

// On is the moment of a day at which it is that time.
func (t TimeOfDay) On(day time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d, t.Hour, t.Minute, t.Second, 0, day.Location())
}

// Settle chooses the half of the day where nothing said it: 1 to 6 are in the afternoon,
// the rest is as read. Callers see the doubt in the confidence.
func (t TimeOfDay) Settle() TimeOfDay {
	if t.Doubt && t.Hour >= 1 && t.Hour <= 6 {
		t.Hour += 12
	}
	return t
}

// Half moves a time to a half of the day, am or pm, or to the night, which has some of both.
func (t TimeOfDay) Half(part string) TimeOfDay {
	if part == "night" {
		if part = "pm"; t.Hour == 12 || t.Hour < 5 {
			part = "am"
		}
	}
	switch {
	case part == "am" && t.Hour == 12:
		t.Hour = 0
	case part == "pm" && t.Hour < 12:
		t.Hour += 12
	}
	t.Doubt, t.Either = false, false
	return t
}

// Readings returns the time in both halves of the day where either may be meant.
func (t TimeOfDay) Readings() []Interval {
	if !t.Either || t.Hour > 12 {
		return []Interval{Point(t.On(NoDay))}
	}
	return []Interval{Point(t.Half("am").On(NoDay)), Point(t.Half("pm").On(NoDay))}
}

// ClockSpan holds the ends of a range of times as they were said.
type ClockSpan struct{ From, To TimeOfDay }

// Readings settles the halves of the day of both ends. An end without one follows the
// other by less than half a day where it can: 2 to 4pm, 11 to 1pm, 9.30 to 4.30pm.
func (c ClockSpan) Readings() []Interval {
	if !c.From.Either && !c.To.Either {
		return []Interval{c.between(c.From, c.To)}
	}
	if !c.To.Either { // the latest start before the end
		from := c.From.Half("pm")
		if am := c.From.Half("am"); !from.before(c.To) && am.before(c.To) {
			from = am
		}
		return []Interval{c.between(from, c.To)}
	}
	starts := []TimeOfDay{c.From}
	if c.From.Either {
		starts = []TimeOfDay{c.From.Half("am"), c.From.Half("pm")}
	}
	var out []Interval
	for _, from := range starts {
		to := c.To.Half("am")
		if pm := c.To.Half("pm"); !from.before(to) && from.before(pm) {
			to = pm
		}
		out = append(out, c.between(from, to))
	}
	return out
}

func (c ClockSpan) between(from, to TimeOfDay) Interval {
	return Interval{from.On(NoDay), to.On(NoDay)}
}

func (t TimeOfDay) before(u TimeOfDay) bool { return t.On(NoDay).Before(u.On(NoDay)) }

// knownClock is the time of day that a param of type time or datetime holds.
func knownClock(value any) (t TimeOfDay, ok bool) {
	text, _ := value.(string)
	if _, clock, whole := strings.Cut(text, "T"); whole {
		text = clock
	}
	for _, layout := range [...]string{time.TimeOnly, "15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return TimeOfDay{Hour: at.Hour(), Minute: at.Minute()}, true
		}
	}
	return t, false
}

// firstHour is the earliest hour that a time without its half of the day means.
const firstHour = 6

// Like puts a time into the half of the day that is nearer to a time that is known. The night
// is meant only where that one is in the night, too.
func (t TimeOfDay) Like(value any) TimeOfDay {
	old, ok := knownClock(value)
	if !ok || !t.Doubt || t.Hour < 1 || t.Hour > 12 {
		return t
	}
	from := func(u TimeOfDay) int { return max(u.minutes()-old.minutes(), old.minutes()-u.minutes()) }
	am, pm := t.Half("am"), t.Half("pm")
	switch {
	case am.Hour < firstHour && old.Hour >= firstHour, from(pm) < from(am):
		return pm
	case from(am) < from(pm):
		return am
	}
	return t
}

func (t TimeOfDay) minutes() int { return 60*t.Hour + t.Minute }

// DayHalves are the parts of days with their half of the day, and the hours, as they are said
// without am or pm (12 is 0), that are likely in them. "2 tonight" is rather a table for two.
var DayHalves = map[string]struct {
	Half        string
	first, last int
}{
	"morning": {"am", 5, 11}, "afternoon": {"pm", 0, 7}, "evening": {"pm", 4, 11}, "night": {"pm", 5, 11}, "tonight": {"pm", 5, 11},
}

// Likely reports whether a time without its half of the day may be meant in a part of it.
func (t TimeOfDay) Likely(part string) bool {
	p := DayHalves[part]
	return p.Half != "" && t.Hour >= 1 && t.Hour <= 12 && t.Hour%12 >= p.first && t.Hour%12 <= p.last
}
