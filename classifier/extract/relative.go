package extract

import (
	"strings"
	"time"
)

// endOfTalk are the words of "that's all for today", which closes a conversation.
var endOfTalk = words("all it everything done enough")

// relativeDays are the days that have a name of their own, counted from today.
var relativeDays = []struct {
	phrase []string
	days   int
}{
	{[]string{"the day after tomorrow", "day after tomorrow"}, 2},
	{[]string{"the day before yesterday", "day before yesterday"}, -2},
	{[]string{"today", "tonight"}, 0},
	{[]string{"tomorrow", "tmrw", "tmr", "tomorow", "tommorow", "tommorrow"}, 1},
	{[]string{"yesterday"}, -1},
}

// relativeHeads are the first words of relativeDays.
var relativeHeads = words("the day today tonight tomorrow tmrw tmr tomorow tommorow tommorrow yesterday")

func (s *scan) relativeDay(i int) (days, int) {
	if !s.is(i, relativeHeads) {
		return days{}, 0
	}
	for _, r := range relativeDays {
		if n := s.phrase(i, r.phrase); n > 0 {
			if r.days == 0 && (s.low(i-1) == "all" || s.low(i-1) == "for" && s.is(i-2, endOfTalk)) {
				return days{}, 0
			}
			named := s.clock.inDays(r.days)
			if d, k := s.explained(i+n, named); k > 0 {
				return d, n + k
			}
			return oneDay(named), n
		}
	}
	return days{}, 0
}

// explained reads the date behind a day that has a name: "tomorrow, 13/04/21". One that is
// another day clashes.
func (s *scan) explained(i int, named time.Time) (days, int) {
	if !s.symbolAt(i, ",") {
		return days{}, 0
	}
	for _, rule := range [...]func(*scan, int) (days, int){(*scan).isoDate, (*scan).slashDate, (*scan).monthDate, (*scan).dayMonthDate} {
		if d, k := rule(s, i+1); k > 0 && !d.unreal {
			d.clash = !d.next.Equal(named) && !d.past.Equal(named)
			if !d.clash {
				d = oneDay(named)
			}
			return d, k + 1
		}
	}
	return days{}, 0
}

// thatDays point at a day from the talk, too vague for a param.
var thatDays = []struct {
	phrase []string
	days   int
}{
	{[]string{"the day after", "the next day", "next day", "the following day", "following day", "the coming day"}, 1},
	{[]string{"the day before", "the previous day", "previous day", "the last day", "last day"}, -1},
	{[]string{"the day", "this day", "current date", "the current date", "current day", "otd"}, 0},
}

// thatDay reads "the day before", "the next day", "the day".
func (s *scan) thatDay(i int) (days, int) {
	if !s.ranges || !s.is(i, dayHeads) {
		return days{}, 0
	}
	for _, r := range thatDays {
		n := s.phrase(i, r.phrase)
		if n == 0 || s.low(i+n) == "of" && r.days <= 0 || s.low(i+n) == "and" && s.digits(i+n+1, 1, 2) != "" {
			continue
		}
		if _, name := weekdays[s.low(i+n)]; name || r.days == 0 && s.low(i-1) == "in" {
			continue // "early in the day"
		}
		return oneDay(s.clock.inDays(r.days)), n
	}
	return days{}, 0
}

var dayHeads = words("the next following previous last this current otd")

// dateUnits are what dates move by: years, months and days.
var dateUnits = map[string][3]int{
	"day": {0, 0, 1}, "days": {0, 0, 1}, "week": {0, 0, 7}, "weeks": {0, 0, 7}, "fortnight": {0, 0, 14}, "fortnights": {0, 0, 14},
	"month": {0, 1, 0}, "months": {0, 1, 0}, "quarter": {0, 3, 0}, "quarters": {0, 3, 0}, "year": {1, 0, 0}, "years": {1, 0, 0},
	"wk": {0, 0, 7}, "wks": {0, 0, 7}, "yr": {1, 0, 0}, "yrs": {1, 0, 0}, "decade": {10, 0, 0}, "decades": {10, 0, 0}, "century": {100, 0, 0}, "centuries": {100, 0, 0}, "night": {0, 0, 1}, "nights": {0, 0, 1},
}

var (
	couples = []string{"a couple of", "couple of", "a couple", "couple"}
	fews    = []string{"a few", "few", "several"}
)

// amount reads a count before a unit: 3, three, a, a couple of. A few is three, where a
// guess is no harm: in what no param takes.
func (s *scan) amount(i int) (value float64, n int) {
	switch s.low(i) {
	case "":
		return 0, 0
	case "twenty", "thirty", "forty", "fifty": // twenty and four hours
		if u := units[s.low(i+2)]; s.low(i+1) == "and" && u > 0 && u < 10 && new(length).unit(s.low(i+3)) != nil {
			return tens[s.low(i)] + u, 3
		}
	case "a", "couple", "few", "several":
		if k := s.phrase(i, couples); k > 0 {
			return 2, k
		}
		if k := s.phrase(i, fews); k > 0 && s.ranges {
			s.vague = true
			return 3, k
		}
	}
	if v, n := s.number(i); n > 0 {
		if s.low(i+n) == "and" && s.low(i+n+1) == "half" && lengthUnits[s.low(i+n+2)].scale > 0 { // 2 and half hours
			return v + 0.5, n + 2
		}
		return v, n
	}
	if w := s.low(i); w == "a" || w == "an" {
		return 1, 1
	}
	return 0, 0
}

// mostUnits bounds what is counted, so that no calendar overflows.
const mostUnits = 10000

// units reads a whole count of days, weeks, months or years.
func (s *scan) units(i int) (step [3]int, n int) {
	for {
		j := i + n
		if n > 0 && (s.low(j) == "and" || s.symbolAt(j, ",")) {
			j++
		}
		v, k := s.amount(j)
		u, ok := dateUnits[strings.TrimSuffix(s.low(j+k), "'s")]
		if k == 0 || !ok || v != float64(int(v)) || v > mostUnits || v < -mostUnits {
			return step, n
		}
		for at := range step {
			step[at] += u[at] * int(v)
		}
		if n = j + k + 1 - i; n > 20 {
			return step, n // nobody says so many
		}
	}
}

func move(t time.Time, step [3]int, sign int) time.Time {
	return t.AddDate(sign*step[0], sign*step[1], sign*step[2])
}

var (
	agoWords   = []string{"ago", "back", "earlier"}
	laterWords = []string{"from now", "from today", "later", "hence", "time"}
)

var theDay = []string{"the day", "day"}

// offsetDate reads "in 3 days", "3 days ago", "a week from now", "2 weeks from friday",
// "two days before christmas".
func (s *scan) offsetDate(i int) (days, int) {
	if n := s.phrase(i, theDay); n > 0 { // the day after christmas
		if d, k := s.counted(i+n, dateUnits["day"]); k > 0 {
			return d, n + k
		}
		return days{}, 0
	}
	n, ahead := 0, false
	if s.low(i) == "in" || s.low(i) == "within" && s.asked != "duration" && !s.ranges {
		n, ahead = 1, true
	}
	step, k := s.units(i + n)
	if k == 0 {
		return days{}, 0
	}
	n += k
	if s.phrase(i+n, halfMore) > 0 && (ahead || s.is(i+n+3, halfTails)) {
		if k != 2 || step[0] == 0 {
			return days{unreal: true}, n + 3 + max(s.phrase(i+n+3, agoWords), s.phrase(i+n+3, laterWords)) // half a week is in no calendar
		}
		step[1] += 6
		n += 3
	}
	if tail := s.phrase(i+n, agoWords); tail > 0 && !ahead {
		if w := s.low(i + n); w == "earlier" && !s.ranges {
			return days{}, 0
		}
		return oneDay(move(s.clock.today(), step, -1)), n + tail
	}
	if tail := s.phrase(i+n, laterWords); tail > 0 && s.low(i+n) != "time" {
		if s.low(i+n+tail) == "than" {
			return days{}, 0 // a day later than planned: nobody said when that was
		}
		return oneDay(move(s.clock.today(), step, 1)), n + tail
	}
	if d, k := s.counted(i+n, step); k > 0 && (!ahead || s.low(i+n) == "from") {
		if s.low(i-1) == "for" && s.low(i+n) == "from" && s.figured(i+n+1, i+n+k) {
			return days{}, 0 // "for two weeks from july 1st" begins on that day; "for a week from friday" may be either
		}
		return d, n + k
	}
	if !ahead {
		return days{}, 0
	}
	return oneDay(move(s.clock.today(), step, 1)), n
}

// halfMore behind a count of units is half a unit more: five years and a half from now.
var (
	halfMore  = []string{"and a half"}
	halfTails = words("ago back earlier from later hence")
)

// figured reports whether figures or an ordinal stand among the tokens [from, to).
func (s *scan) figured(from, to int) bool {
	for i := from; i < to; i++ {
		if _, n := s.ordinal(i); n > 0 || s.tokens[i].class == digits {
			return true
		}
	}
	return false
}

// counted reads what days are counted from: "from tomorrow", "before christmas".
func (s *scan) counted(i int, step [3]int) (days, int) {
	sign := 1
	switch s.low(i) {
	case "from", "after", "following":
	case "before", "prior":
		sign = -1
	default:
		return days{}, 0
	}
	n := 1
	if s.low(i+1) == "to" {
		n = 2
	}
	base := s.date(i + n)
	if base == nil || len(base.readings) == 0 {
		return days{}, 0
	}
	from := base.readings[len(base.readings)-1].start
	return oneDay(move(from, step, sign)), n + base.to - (i + n)
}
