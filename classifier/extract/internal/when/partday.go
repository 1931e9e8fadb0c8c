package when

import (
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/scan"
)

// A part of a day that has no "in the" before it is a day as well: "tonight", "this morning",
// "tomorrow night". Times beside it are in its half of the day.

// partDays are the parts of days that have a name of their own, counted from today.
var partDays = []struct {
	phrase []string
	days   int
}{
	{[]string{"this morning", "early this morning", "this afternoon", "this evening", "later tonight", "late tonight"}, 0},
	{[]string{"last night", "last evening"}, -1},
}

// partDayHeads are the first words of partDays.
var partDayHeads = scan.Words("this last early late later")

// partDay reads a part of today or of yesterday as a day. Ranges have rules of their own.
func partDay(s *Reader, i int) (calendar.Days, int) {
	if s.Ranges || !s.Is(i, partDayHeads) || s.Low(i-1) == "all" {
		return calendar.Days{}, 0
	}
	for _, p := range partDays {
		if n := s.Phrase(i, p.phrase); n > 0 && !s.Is(i+n, partThings) {
			return calendar.OneDay(s.Clock.InDays(p.days)), n
		}
	}
	return calendar.Days{}, 0
}

// partThings behind a part of the day make it a thing: "this morning show".
var partThings = scan.Words("show shift class session flight train service paper edition")

// partOf is the word for the part of the day that a day holds or has behind it; "" for none.
func partOf(s *Reader, day *find.Find) string {
	for _, i := range [...]int{day.To, day.To - 1} {
		if w := s.Low(i); calendar.DayHalves[w].Half != "" {
			return w
		}
	}
	return ""
}

// partAhead is the part of a day that starts at token i, and where it ends: "tonight", "this
// evening", "tomorrow night".
func partAhead(s *Reader, i int) (part string, end int) {
	if s.Ranges {
		return "", 0
	}
	d, n := relativeDay(s, i)
	if n == 0 {
		d, n = partDay(s, i)
	}
	if n == 0 || d.Next.IsZero() {
		return "", 0
	}
	day := find.Find{From: i, To: i + n}
	if part = partOf(s, &day); part == "" {
		return "", 0
	}
	if s.Low(day.To) == part {
		day.To++
	}
	return part, day.To
}

// bareInPart reports whether the hour of n tokens at i, without a word that makes a time of
// it, is one by the part of the day beside it: "8 tonight", "tomorrow evening 7". Not where it
// counts people, and not where another time follows: "a table for 6 tonight at 9".
func bareInPart(s *Reader, i, n int, t calendar.TimeOfDay) bool {
	if part, end := partAhead(s, i+n); part != "" {
		counts := s.Peopled && s.Low(i-1) == "for" && !s.Timely()
		return (t.Minute > 0 || t.Likely(part)) && !counts && !timeFollows(s, end)
	}
	w := s.Low(i - 1)
	return !s.Ranges && calendar.DayHalves[w].Half != "" && t.Likely(w) && s.BareHourEnds(i+n) && s.Low(i-2) != "good" &&
		(w == "tonight" || s.Is(i-2, partDayHeads) || s.Is(i-2, RelativeHeads) || s.Is(i-2, weekdayNames))
}

// timeFollows reports whether a time of day in figures or words stands at token i.
func timeFollows(s *Reader, i int) bool {
	cued := s.Is(i, clockLeads) || s.Is(i, Roughly) || s.SymbolAt(i, "@")
	if cued {
		i++
	}
	_, n, sure := hourMinute(s, i)
	return n > 0 && (cued || sure) && !s.Is(i+n, notHours)
}

// Timely reports whether a time is asked for.
func (s *Reader) Timely() bool { return s.Asked == "time" || s.Asked == "datetime" }

// Halves puts the times of a message into the part of the day that stands apart from them:
// "tonight, a table for 4 at 8".
func (s *Reader) Halves(finds []find.Find) {
	part := ""
	for i := range finds {
		if finds[i].Kind != "date" {
			continue
		}
		if w := partOf(s, &finds[i]); w != "" {
			if part != "" && part != w {
				return // two of them
			}
			part = w
		}
	}
	for i := range finds {
		f := &finds[i]
		if t, ok := f.Value.(calendar.TimeOfDay); ok && f.Kind == "time" && t.Doubt && t.Likely(part) {
			t = t.Half(calendar.DayHalves[part].Half)
			f.Value, f.Confidence, f.Readings = t, 0.93, t.Readings()
		}
	}
}
