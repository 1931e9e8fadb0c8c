package extract

// writtenTime reads 15:30, 3.30pm, 3 pm, five o'clock, and a bare hour after "at".
func (s *scan) writtenTime(i int) (timeOfDay, int) {
	n := s.timeCue(i)
	cued := n > 0 || s.is(i-1, timeCues)
	t, k, sure := s.hourMinute(i + n)
	if k == 0 {
		return timeOfDay{}, 0
	}
	n += k
	if k := s.oclock(i + n); k > 0 {
		n, sure = n+k, true
	}
	before := n
	t, n = s.withHalf(i, t, n)
	if n > before || sure || s.ranges && s.dayPartAhead(i, i+n) || s.bareInPart(i, n, t) {
		return t, n
	}
	if s.asked == "time" && n == len(s.tokens)-i && i == 0 || s.timely() && t.minute > 0 && s.hourEnds(i+n) {
		return t, n
	}
	if s.low(i+n) == "of" && s.date(i+n+1) == nil || s.low(i+n) == "or" && s.tokens[i+n-1].class == letters {
		return timeOfDay{}, 0 // "at one of your shops", "around one or two"
	}
	exact := s.low(i) == "at" || s.symbolAt(i, "@") || s.low(i-1) == "around"
	if !cued || !exact || s.is(i+n, notHours) || !s.bareHourEnds(i+n) {
		return timeOfDay{}, 0
	}
	return t, n
}

// dayPartAhead reports whether what follows makes a time of the words of an hour at i:
// "five thirty this afternoon", "six tomorrow morning".
func (s *scan) dayPartAhead(i, after int) bool {
	if s.tokens[i].class != letters {
		return false
	}
	if day, _ := s.relativePart(after); day != nil {
		return true
	}
	if d, n := s.relativeDay(after); n > 0 && !d.next.IsZero() {
		_, k := s.dayPartAt(after + n)
		return k > 0
	}
	return false
}

// bareHourEnds reports whether what follows "at 5" leaves it a time: an end, a
// preposition, a day, not a noun ("at 5 stores").
func (s *scan) bareHourEnds(i int) bool {
	if s.ends(i) || s.is(i, dayCues) || s.is(i, which) {
		return true
	}
	_, day := weekdays[s.low(i)]
	_, month := months[s.low(i)]
	_, relative := s.relativeDay(i)
	return day || month || relative > 0 || s.is(i, afterHour)
}

var afterHour = words("with but so is works would if when then sharp instead for under")

// hourMinute reads an hour and perhaps minutes; sure is set by a shape that is nothing else.
func (s *scan) hourMinute(i int) (t timeOfDay, n int, sure bool) {
	d := s.digits(i, 1, 2)
	if d == "" {
		if t, n = s.militaryTime(i); n > 0 {
			return t, n, true
		}
		if four := s.digits(i, 3, 4); four != "" && s.dayHalfFollows(i+1) { // 1140 a.m., 430am
			half := len(four) - 2
			t = timeOfDay{hour: atoi(four[:half]), minute: atoi(four[half:]), doubt: true, either: true}
			if t.hour < 1 || t.hour > 12 || t.minute > 59 {
				return t, 0, false
			}
			return t, 1, true
		}
		return s.spelledTime(i)
	}
	if t, n = s.hourLettered(i); n > 0 {
		return t, n, true
	}
	t.hour, n = atoi(d), 1
	if t.hour > 24 {
		return t, 0, false
	}
	if m := s.digits(i+1, 2, 2); m != "" && !s.glued(i+1) && m[0] < '6' && t.hour >= 1 && t.hour <= 12 && (s.dayHalfFollows(i+2) || s.asked == "time" && s.hourEnds(i+2)) {
		t.minute, t.either, t.doubt = atoi(m), true, true // 7 30 pm
		return t, 2, false
	}
	if s.symbolAt(i+1, ":.") && s.glued(i+1) && s.glued(i+2) && s.digits(i+2, 2, 2) != "" {
		dotted := s.low(i+1) == "."
		t.minute, n = atoi(s.low(i+2)), 3
		sure = !dotted || t.hour > 12 && s.low(i-1) == "at"
		switch {
		case !dotted || s.dayHalfFollows(i+3) || s.low(i-1) == "at":
		case s.dotted(i):
			sure = true
		default:
			return t, 0, false // 6.45 is a number
		}
		if s.symbolAt(i+3, ":") && s.glued(i+3) && s.glued(i+4) && s.digits(i+4, 2, 2) != "" {
			t.second, n = atoi(s.low(i+4)), 5
		}
		if !dotted && s.low(i+n) == "h" && s.glued(i+n) {
			n++ // 18:30h
		}
	}
	if t.minute > 59 || t.second > 59 || t.hour == 24 && t.minute > 0 {
		return t, 0, false
	}
	t.hour %= 24
	t.either = t.hour >= 1 && t.hour <= 12
	t.doubt = t.hour >= 1 && t.hour <= 12 && len(d) < 2 || t.hour >= 10 && t.hour <= 12
	return t, n, sure
}
