package extract

import (
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
)

// changedEnd reads a find as a new end of a range that is known: of 3 to 5 June, "until the 8th
// instead" makes 3 to 8 June, and so does "I start on the 2nd" of the other end. A range that is
// open never takes the place of one that has both ends. Of a day that is named without its month
// or its week the one next to the old end is meant. isEnd is false for a find that is no end;
// whole is "" where the end does not fit.
func (s *reading) changedEnd(f *find.Find, kind string, known any) (whole string, isEnd bool) {
	layout := find.RangeLayouts[kind]
	text, _ := known.(string)
	from, to, _ := strings.Cut(text, "/")
	start, err := time.ParseInLocation(layout, from, s.Clock.Now.Location())
	end, err2 := time.ParseInLocation(layout, to, s.Clock.Now.Location())
	if layout == "" || err != nil || err2 != nil {
		return "", false // it is open itself, or none is known
	}
	points, first := s.endOfRange(f)
	if len(points) == 0 {
		return "", false
	}
	old := &end
	if first {
		old = &start
	}
	var kept time.Time
	for _, point := range points {
		for k := -maxRounds; k <= maxRounds; k++ {
			moved, ok := f.Cycle.Move(point, k)
			if !ok {
				continue
			}
			at := onto(moved, *old, f.Kind, kind)
			fits := !first && !at.Before(start)
			if first {
				fits = !at.After(end)
			}
			if fits && (kept.IsZero() || at.Sub(*old).Abs() < kept.Sub(*old).Abs()) {
				kept = at
			}
		}
	}
	if kept.IsZero() {
		return "", true
	}
	*old = kept
	return calendar.Interval{Start: start, End: end}.Write(layout), true
}

// maxRounds is how many weeks, months or years an end may lie from the day that it would be alone.
const maxRounds = 60

// onto puts a day or a time on the end that it changes: a time keeps its day, a day its time.
func onto(t, old time.Time, said, kind string) time.Time {
	switch {
	case kind == "timerange" || said == "time" || said == "timerange":
		return time.Date(old.Year(), old.Month(), old.Day(), t.Hour(), t.Minute(), t.Second(), 0, old.Location())
	case kind == "datetimerange" && (said == "date" || said == "daterange"):
		return time.Date(t.Year(), t.Month(), t.Day(), old.Hour(), old.Minute(), old.Second(), 0, old.Location())
	}
	return t
}

// endOfRange returns the days or times that an end of a range may be, and whether it is the first
// end. Either the find is open at the other end, or it is a day or a time beside a word for an end.
func (s *reading) endOfRange(f *find.Find) (points []time.Time, first bool) {
	if v, ok := f.Value.(calendar.Interval); ok {
		switch f.Kind {
		case "daterange":
			v = f.ThroughLastDay().Value.(calendar.Interval)
		case "timerange":
			for _, r := range f.Readings {
				points = append(points, r.Start, r.End)
			}
		}
		switch {
		case v.Start.IsZero():
			return dated(append(points, v.End)), false
		case v.End.IsZero():
			return dated(append(points, v.Start)), true
		}
		return nil, false
	}
	first = s.endNamed(f.From, "range_start")
	if !first && !s.endNamed(f.From, "range_end") {
		return nil, false
	}
	for _, r := range f.Readings {
		points = append(points, r.Start)
	}
	return points, first
}

func dated(points []time.Time) []time.Time {
	var out []time.Time
	for _, t := range points {
		if !t.IsZero() {
			out = append(out, t)
		}
	}
	return out
}

// endNamed reports whether a word for an end of a range stands before token i, in its clause.
func (s *reading) endNamed(i int, class string) bool {
	for k := i; k > i-4 && k > 0 && s.WordAt(k-1); k-- {
		if s.EndsTerm(k, class) > 0 {
			return true
		}
	}
	return false
}
