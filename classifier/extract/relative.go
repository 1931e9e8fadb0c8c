package extract

import "time"

// endOfTalk are the words of "that's all for today", which closes a conversation.
var endOfTalk = words("all it everything done enough")

func (s *scan) relativeDay(i int) (time.Time, int) {
	for _, r := range []struct {
		words string
		days  int
	}{
		{"the day after tomorrow", 2},
		{"day after tomorrow", 2},
		{"the day before yesterday", -2},
		{"day before yesterday", -2},
		{"today", 0},
		{"tonight", 0},
		{"tomorrow", 1},
		{"tmrw", 1},
		{"tmr", 1},
		{"tomorow", 1},
		{"tommorow", 1},
		{"tommorrow", 1},
		{"yesterday", -1},
	} {
		if n := s.phrase(i, []string{r.words}); n > 0 {
			if r.days == 0 && (s.low(i-1) == "all" || s.low(i-1) == "for" && s.is(i-2, endOfTalk)) {
				return time.Time{}, 0
			}
			return s.clock.inDays(r.days), n
		}
	}
	return time.Time{}, 0
}

// dateUnits are what dates move by: years, months and days.
var dateUnits = map[string][3]int{
	"day": {0, 0, 1}, "days": {0, 0, 1}, "week": {0, 0, 7}, "weeks": {0, 0, 7}, "fortnight": {0, 0, 14},
	"month": {0, 1, 0}, "months": {0, 1, 0}, "year": {1, 0, 0}, "years": {1, 0, 0},
}

// amount reads a count before a unit: 3, three, a, a couple of.
func (s *scan) amount(i int) (value float64, n int) {
	if k := s.phrase(i, []string{"a couple of", "couple of", "a couple"}); k > 0 {
		return 2, k
	}
	if v, n := s.number(i); n > 0 {
		return v, n
	}
	if w := s.low(i); w == "a" || w == "an" {
		return 1, 1
	}
	return 0, 0
}

// offsetDate reads "in 3 days", "3 days ago", "a week from now", "2 weeks from friday".
func (s *scan) offsetDate(i int) (time.Time, int) {
	n, ahead := 0, false
	if s.low(i) == "in" || s.low(i) == "within" && s.asked != "duration" {
		n, ahead = 1, true
	}
	v, k := s.amount(i + n)
	u, ok := dateUnits[s.low(i+n+k)]
	if k == 0 || !ok || v != float64(int(v)) || v > 10000 || v < -10000 {
		return time.Time{}, 0
	}
	n += k + 1
	sign, base := 1, s.clock.today()
	if tail := s.phrase(i+n, []string{"ago", "back"}); tail > 0 && !ahead {
		n, sign = n+tail, -1
	} else if tail := s.phrase(i+n, []string{"from now", "from today", "later", "hence"}); tail > 0 {
		n += tail
	} else if s.low(i+n) == "from" && s.low(i+n+1) == "tomorrow" {
		n, base = n+2, s.clock.inDays(1)
	} else if !ahead {
		return time.Time{}, 0
	}
	d := int(v) * sign
	return base.AddDate(u[0]*d, u[1]*d, u[2]*d), n
}

func (s *scan) holiday(i int) (time.Time, int) {
	for _, h := range holidays {
		if n := s.phrase(i, []string{h.name}); n > 0 {
			t, _ := s.clock.next(h.month, h.day)
			if y, k := s.yearAfter(i + n); k > 0 {
				t, _ = s.clock.day(y, h.month, h.day)
				n += k
			}
			return t, n
		}
	}
	return time.Time{}, 0
}
