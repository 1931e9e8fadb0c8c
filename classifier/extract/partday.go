package extract

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
var partDayHeads = words("this last early late later")

// partDay reads a part of today or of yesterday as a day. Ranges have rules of their own.
func (s *scan) partDay(i int) (days, int) {
	if s.ranges || !s.is(i, partDayHeads) || s.low(i-1) == "all" {
		return days{}, 0
	}
	for _, p := range partDays {
		if n := s.phrase(i, p.phrase); n > 0 && !s.is(i+n, partThings) {
			return oneDay(s.clock.inDays(p.days)), n
		}
	}
	return days{}, 0
}

// partThings behind a part of the day make it a thing: "this morning show".
var partThings = words("show shift class session flight train service paper edition")

// dayHalves are the parts of days with their half of the day, and the hours, as they are said
// without am or pm (12 is 0), that are likely in them. "2 tonight" is rather a table for two.
var dayHalves = map[string]struct {
	half        string
	first, last int
}{
	"morning": {"am", 5, 11}, "afternoon": {"pm", 0, 7}, "evening": {"pm", 4, 11}, "night": {"pm", 5, 11}, "tonight": {"pm", 5, 11},
}

// partOf is the word for the part of the day that a day holds or has behind it; "" for none.
func (s *scan) partOf(day *found) string {
	for _, i := range [...]int{day.to, day.to - 1} {
		if w := s.low(i); dayHalves[w].half != "" {
			return w
		}
	}
	return ""
}

// likely reports whether a time without its half of the day may be meant in a part of it.
func (t timeOfDay) likely(part string) bool {
	p := dayHalves[part]
	return p.half != "" && t.hour >= 1 && t.hour <= 12 && t.hour%12 >= p.first && t.hour%12 <= p.last
}

// partAhead is the part of a day that starts at token i, and where it ends: "tonight", "this
// evening", "tomorrow night".
func (s *scan) partAhead(i int) (part string, end int) {
	if s.ranges {
		return "", 0
	}
	d, n := s.relativeDay(i)
	if n == 0 {
		d, n = s.partDay(i)
	}
	if n == 0 || d.next.IsZero() {
		return "", 0
	}
	day := found{from: i, to: i + n}
	if part = s.partOf(&day); part == "" {
		return "", 0
	}
	if s.low(day.to) == part {
		day.to++
	}
	return part, day.to
}

// bareInPart reports whether the hour of n tokens at i, without a word that makes a time of
// it, is one by the part of the day beside it: "8 tonight", "tomorrow evening 7". Not where it
// counts people, and not where another time follows: "a table for 6 tonight at 9".
func (s *scan) bareInPart(i, n int, t timeOfDay) bool {
	if part, end := s.partAhead(i + n); part != "" {
		counts := s.peopled && s.low(i-1) == "for" && !s.timely()
		return (t.minute > 0 || t.likely(part)) && !counts && !s.timeFollows(end)
	}
	w := s.low(i - 1)
	return !s.ranges && dayHalves[w].half != "" && t.likely(w) && s.bareHourEnds(i+n) && s.low(i-2) != "good" &&
		(w == "tonight" || s.is(i-2, partDayHeads) || s.is(i-2, relativeHeads) || s.is(i-2, weekdayNames))
}

// timeFollows reports whether a time of day in figures or words stands at token i.
func (s *scan) timeFollows(i int) bool {
	cued := s.is(i, clockLeads) || s.is(i, roughly) || s.symbolAt(i, "@")
	if cued {
		i++
	}
	_, n, sure := s.hourMinute(i)
	return n > 0 && (cued || sure) && !s.is(i+n, notHours)
}

// timely reports whether a time is asked for.
func (s *scan) timely() bool { return s.asked == "time" || s.asked == "datetime" }

// halves puts the times of a message into the part of the day that stands apart from them:
// "tonight, a table for 4 at 8".
func (s *scan) halves(finds []found) {
	part := ""
	for i := range finds {
		if finds[i].kind != "date" {
			continue
		}
		if w := s.partOf(&finds[i]); w != "" {
			if part != "" && part != w {
				return // two of them
			}
			part = w
		}
	}
	for i := range finds {
		f := &finds[i]
		if t, ok := f.value.(timeOfDay); ok && f.kind == "time" && t.doubt && t.likely(part) {
			t = t.half(dayHalves[part].half)
			f.value, f.confidence, f.readings = t, 0.93, t.readings()
		}
	}
}
