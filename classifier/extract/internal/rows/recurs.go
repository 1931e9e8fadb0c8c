package rows

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
)

// A recurrence's value is the rule of RFC 5545 without its name: FREQ=WEEKLY;BYDAY=MO, with BYHOUR
// and BYMINUTE where a time was said. What no such rule tells ("every morning", "twice a week") has
// no value.

// rounds are the units that "every" counts.
var rounds = map[string]round{
	"second": {"SECONDLY", 1, ""}, "minute": {"MINUTELY", 1, ""}, "hour": {"HOURLY", 1, ""}, "day": {"DAILY", 1, ""}, "week": {"WEEKLY", 1, ""},
	"fortnight": {"WEEKLY", 2, ""}, "month": {"MONTHLY", 1, ""}, "quarter": {"MONTHLY", 3, ""}, "year": {"YEARLY", 1, ""}, "decade": {"YEARLY", 10, ""},
	"weekend": {"WEEKLY", 1, ";BYDAY=SA,SU"}, "weekday": {"WEEKLY", 1, ";BYDAY=MO,TU,WE,TH,FR"},
}

type round struct {
	freq  string
	times int
	tail  string
}

// rule is the rule of every nth round.
func (r round) rule(n int) string {
	text := "FREQ=" + r.freq
	if k := n * r.times; k > 1 {
		text += ";INTERVAL=" + strconv.Itoa(k)
	}
	return text + r.tail
}

// dayCodes are the days of the week in RFC 5545.
var dayCodes = [7]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// buildCodes lists weekdays by their codes: mondays and fridays.
func buildCodes(_ reader, m *match) (meaning, bool) {
	var list []string
	for k := range m.parts {
		switch p := &m.parts[k]; p.name {
		case "weekday", "weekday_plural":
			list = append(list, dayCodes[weekdayOf(p)])
		case "mondays", "named_days":
			for code := range strings.SplitSeq(p.word, ",") {
				if !slices.Contains(list, code) {
					list = append(list, code)
				}
			}
		}
	}
	return meaning{word: strings.Join(list, ",")}, true
}

// buildRule makes a recurrence without its time. A rule in word, and in half the part of the day
// that was said with it: such a rule wants a time.
func buildRule(s reader, m *match) (meaning, bool) {
	if s.Digits(m.from-1, 1, 9) != "" {
		return meaning{}, false // 2 fridays
	}
	out, nth := meaning{}, 1
	for k := range m.parts {
		switch p := &m.parts[k]; p.name {
		case "adverb":
			out.word = p.word
		case "count", "number", "every_nth", "ordinal":
			nth = int(p.num)
		case "round_unit", "date_unit", "clock_unit":
			r, ok := rounds[strings.TrimSuffix(p.word, "s")]
			if !ok || nth < 1 || nth >= 1000 {
				return meaning{}, false
			}
			out.word = r.rule(nth)
		case "weekday":
			out.word = round{"WEEKLY", 1, ";BYDAY=" + dayCodes[weekdayOf(p)]}.rule(nth)
		case "mondays", "named_days":
			if out.word == "" {
				out.word = round{"WEEKLY", 1, ""}.rule(nth)
			}
			if strings.Contains(out.word, "BYDAY") || !strings.HasPrefix(out.word, "FREQ=WEEKLY") {
				return meaning{}, false
			}
			out.word += ";BYDAY=" + p.word
		case "month":
			out.word = fmt.Sprintf("FREQ=YEARLY;BYMONTH=%.0f", p.num)
		case "day":
			day := p.day.Picked()
			if p.day.Unreal || p.day.Cycle != calendar.Yearly {
				return meaning{}, false
			}
			if p.day.Moves {
				out.word = ""
				continue
			}
			out.word = fmt.Sprintf("FREQ=YEARLY;BYMONTH=%d;BYMONTHDAY=%d", day.Month(), day.Day())
		}
	}
	for _, arg := range m.args {
		switch {
		case strings.HasPrefix(arg, "FREQ="):
			out.word = arg
		case arg == "none":
			out.word = ""
		default:
			out.half = arg
		}
	}
	return out, true
}

// buildMonthlyRule is "the 5th of each month", "the first monday of every month".
func buildMonthlyRule(_ reader, m *match) (meaning, bool) {
	nth := -1
	if p := m.part("ordinal"); p != nil {
		nth = int(p.num)
	}
	w := m.part("weekday")
	if nth > 31 || w != nil && nth > 5 {
		return meaning{}, false
	}
	if w != nil {
		return meaning{word: fmt.Sprintf("FREQ=MONTHLY;BYDAY=%d%s", nth, dayCodes[weekdayOf(w)])}, true
	}
	return meaning{word: fmt.Sprintf("FREQ=MONTHLY;BYMONTHDAY=%d", nth)}, true
}

// buildRecurrence is a rule with the time that was said with it.
func buildRecurrence(s reader, m *match) (meaning, bool) {
	rule, clock := m.part("rule"), m.part("clock", "at")
	if rule == nil {
		made, ok := buildRule(s, m)
		if !ok {
			return meaning{}, false
		}
		rule = &made
	}
	text, half := rule.word, rule.half
	if p := m.part("part"); p != nil {
		if half != "" {
			return meaning{}, false
		}
		if half = p.word; half == "" {
			half = "day"
		}
	}
	switch {
	case clock == nil && half != "":
		text = "" // "every morning" is no hour
	case clock != nil && text != "":
		t := clock.clock
		if t.Doubt && (half == "am" || half == "pm") {
			t = t.Half(half)
		}
		t = t.Settle()
		text += fmt.Sprintf(";BYHOUR=%d;BYMINUTE=%d", t.Hour, t.Minute)
	}
	f := m.find("recurrence", nil, 0.9)
	if text != "" {
		f.find.Value = text
	}
	return f, true
}

// readBehindYear reads the year behind a month: "2018", "of 2018", "'18".
func (s reader) readBehindYear(i int) (meaning, int) {
	y, n := s.YearAfter(i)
	return meaning{num: float64(y)}, n
}

// readSpelledYear reads "nineteen ninety six".
func (s reader) readSpelledYear(i int) (meaning, int) {
	y, n := s.SpelledYear(i)
	return meaning{num: float64(y)}, n
}

// readDayNumber reads 21, 21st or twenty-first, a day of a month.
func (s reader) readDayNumber(i int) (meaning, int) {
	day, n, ordinal := s.DayNumber(i)
	if day < 1 || day > 31 {
		return meaning{}, 0
	}
	word := ""
	if ordinal {
		word = "ordinal"
	}
	return meaning{num: float64(day), word: word}, n
}
