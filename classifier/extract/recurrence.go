package extract

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A recurrence's value is the rule of RFC 5545 without its name: FREQ=WEEKLY;BYDAY=MO,
// with BYHOUR and BYMINUTE where a time was said. What no such rule tells ("every
// morning", "twice a week") has no value.

// adverbs are recurrences in one word, by their rule.
var adverbs = map[string]string{
	"hourly": "FREQ=HOURLY", "daily": "FREQ=DAILY", "nightly": "", "weekly": "FREQ=WEEKLY", "biweekly": "FREQ=WEEKLY;INTERVAL=2",
	"fortnightly": "FREQ=WEEKLY;INTERVAL=2", "monthly": "FREQ=MONTHLY", "bimonthly": "FREQ=MONTHLY;INTERVAL=2", "quarterly": "FREQ=MONTHLY;INTERVAL=3",
	"semiannual": "FREQ=MONTHLY;INTERVAL=6", "semiannually": "FREQ=MONTHLY;INTERVAL=6", "biannual": "FREQ=MONTHLY;INTERVAL=6", "biannually": "FREQ=MONTHLY;INTERVAL=6",
	"semi-annual": "FREQ=MONTHLY;INTERVAL=6", "semi-annually": "FREQ=MONTHLY;INTERVAL=6", "bi-weekly": "FREQ=WEEKLY;INTERVAL=2", "bi-monthly": "FREQ=MONTHLY;INTERVAL=2",
	"bi-annual": "FREQ=MONTHLY;INTERVAL=6", "bi-annually": "FREQ=MONTHLY;INTERVAL=6",
	"yearly": "FREQ=YEARLY", "annual": "FREQ=YEARLY", "annually": "FREQ=YEARLY", "biennial": "FREQ=YEARLY;INTERVAL=2", "biennially": "FREQ=YEARLY;INTERVAL=2",
	"weekends": "FREQ=WEEKLY;BYDAY=SA,SU", "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
}

// rounds are the units that "every" counts.
var rounds = map[string]roundOf{
	"second": {"SECONDLY", 1, ""}, "minute": {"MINUTELY", 1, ""}, "hour": {"HOURLY", 1, ""}, "day": {"DAILY", 1, ""}, "week": {"WEEKLY", 1, ""},
	"fortnight": {"WEEKLY", 2, ""}, "month": {"MONTHLY", 1, ""}, "quarter": {"MONTHLY", 3, ""}, "year": {"YEARLY", 1, ""}, "decade": {"YEARLY", 10, ""},
	"weekend": {"WEEKLY", 1, ";BYDAY=SA,SU"}, "weekday": {"WEEKLY", 1, ";BYDAY=MO,TU,WE,TH,FR"}, "workday": {"WEEKLY", 1, ";BYDAY=MO,TU,WE,TH,FR"},
}

type roundOf struct {
	freq  string
	times int
	tail  string
}

var dayCodes = [7]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// rule is a recurrence as it is read.
type rule struct {
	text string // FREQ and what follows; "" for no value
	to   int    // token behind it
	part string // am or pm, or "day" for a part of the day that is neither: a rule only with a time
}

// recurrence reads "daily", "every other friday", "each monday at 4pm", "thursdays",
// "once a week", "9am every day".
func (s *scan) recurrence(i int) *found {
	r := s.ruleAt(i)
	if r.to == 0 {
		t := s.clockTime(i)
		if t == nil {
			return nil
		}
		j := t.to
		if s.low(j) == "on" {
			j++
		}
		if r = s.ruleAt(j); r.to == 0 {
			return nil
		}
		return ruleFound(t.from, r.to, s.timed(r, t))
	}
	if s.glued(i) && !s.openBefore(i) || s.glued(r.to) && !s.closeAfter(r.to) {
		return nil
	}
	if on := s.low(r.to); on == "on" && !strings.Contains(r.text, "BYDAY") && strings.HasPrefix(r.text, "FREQ=WEEKLY") {
		if codes, k := s.weekdayList(r.to+1, true); k > 0 { // weekly on mondays
			r.text, r.to = r.text+";BYDAY="+codes, r.to+1+k
		}
	}
	for _, skip := range [...]int{0, 1} {
		if skip == 1 && s.low(r.to) != "," && s.low(r.to) != "in" {
			continue
		}
		if p := s.daypart(r.to + skip); p != nil && r.part == "" {
			r.to, r.part = p.to, cmp.Or(p.half, "day")
		}
		if t := s.clockTime(r.to + skip); t != nil {
			return ruleFound(i, t.to, s.timed(r, t))
		}
		if r.part != "" {
			break
		}
	}
	if r.part != "" {
		r.text = "" // "every morning" is no hour
	}
	return ruleFound(i, r.to, r.text)
}

func ruleFound(from, to int, text string) *found {
	f := &found{kind: "recurrence", from: from, to: to, confidence: 0.9}
	if text != "" {
		f.value = text
	}
	return f
}

// timed adds a time of day to a rule.
func (s *scan) timed(r rule, t *found) string {
	v, ok := t.value.(timeOfDay)
	if !ok || r.text == "" {
		return ""
	}
	if v.doubt && (r.part == "am" || r.part == "pm") {
		v = v.half(r.part)
	}
	v = v.settle()
	return fmt.Sprintf("%s;BYHOUR=%d;BYMINUTE=%d", r.text, v.hour, v.minute)
}

// ruleAt reads a recurrence without its time.
func (s *scan) ruleAt(i int) rule {
	w := s.low(i)
	if w == "" {
		return rule{}
	}
	if s.digits(i-1, 1, 9) != "" || units[s.low(i-1)] > 0 {
		return rule{} // "two fridays ago"
	}
	if w == "nightly" {
		return rule{text: "FREQ=DAILY", to: i + 1, part: "pm"}
	}
	if _, ok := adverbs[w]; ok && (s.low(i-1) == "twice" || s.low(i-1) == "times") {
		return rule{to: i + 1}
	}
	if text, ok := adverbs[w]; ok {
		return rule{text: text, to: i + 1}
	}
	if s.symbolAt(i+1, "-") && (w == "bi" || w == "semi") {
		if text, ok := adverbs[w+"-"+s.low(i+2)]; ok {
			return rule{text: text, to: i + 3}
		}
	}
	switch w {
	case "every", "each":
		return s.every(i)
	case "all":
		if s.low(i+1) == "weekends" {
			return rule{text: adverbs["weekends"], to: i + 2}
		}
	case "once", "twice":
		return s.timesA(i, i+1)
	}
	if codes, k := s.weekdayList(i, false); k > 0 {
		return rule{text: "FREQ=WEEKLY;BYDAY=" + codes, to: i + k}
	}
	if r := s.monthlyRule(i); r.to > 0 {
		return r
	}
	if _, k := s.amount(i); k > 0 && s.low(i+k) == "times" {
		return s.timesA(i, i+k+1)
	}
	return rule{}
}

// timesA reads "once a week"; more often than once has no rule.
func (s *scan) timesA(i, at int) rule {
	if w := s.low(at); w != "a" && w != "per" && w != "each" && w != "every" && w != "an" {
		return rule{}
	}
	u, ok := rounds[s.low(at+1)]
	if !ok {
		return rule{}
	}
	if s.low(i) == "once" {
		return rule{text: u.rule(1), to: at + 2}
	}
	return rule{text: "", to: at + 2}
}

func (u roundOf) rule(n int) string {
	text := "FREQ=" + u.freq
	if k := n * u.times; k > 1 {
		text += ";INTERVAL=" + strconv.Itoa(k)
	}
	return text + u.tail
}

// every reads what follows "every" or "each".
func (s *scan) every(i int) rule {
	j, n := i+1, 1
	switch {
	case s.low(j) == "single":
		j++
	case s.low(j) == "other", s.low(j) == "second" && rounds[s.low(j+1)].freq != "" || s.low(j) == "alternate":
		j, n = j+1, 2
	default:
		if v, k := s.ordinal(j); k > 0 && rounds[s.low(j+k)].freq != "" && v < 1000 {
			j, n = j+k, int(v)
		} else if v, k := s.number(j); k > 0 && v >= 1 && v < 1000 && v == float64(int(v)) {
			if u, ok := rounds[strings.TrimSuffix(s.low(j+k), "s")]; ok {
				return rule{text: u.rule(int(v)), to: j + k + 1}
			}
		}
	}
	if u, ok := rounds[s.low(j)]; ok {
		return rule{text: u.rule(n), to: j + 1}
	}
	if codes, k := s.weekdayList(j, true); k > 0 {
		return rule{text: roundOf{"WEEKLY", 1, ";BYDAY=" + codes}.rule(n), to: j + k}
	}
	if p, k := s.dayPartAt(j); k > 0 && !p.alone && !p.meal {
		return rule{text: "FREQ=DAILY", to: j + k, part: cmp.Or(p.half, "day")}
	}
	if m := months[s.low(j)]; m > 0 && n == 1 && s.digits(j+1, 1, 2) == "" {
		if _, k := s.ordinal(j + 1); k == 0 {
			return rule{text: "FREQ=YEARLY;BYMONTH=" + strconv.Itoa(int(m)), to: j + 1}
		}
	}
	if seasons[s.low(j)] {
		return rule{to: j + 1}
	}
	if u := s.yearlyRule(j); u.to > 0 && n == 1 {
		return u
	}
	return rule{}
}

// monthlyRule reads "the 5th of each month", "first monday of every month", "last day of
// every month".
func (s *scan) monthlyRule(i int) rule {
	n := 0
	if s.low(i) == "the" {
		n = 1
	}
	nth, k := s.nth(i + n)
	if k == 0 || nth > 31 {
		return rule{}
	}
	n += k
	text := "FREQ=MONTHLY;BYMONTHDAY=" + strconv.Itoa(nth)
	if d, ok := weekdays[s.low(i+n)]; ok && nth <= 5 {
		n++
		text = "FREQ=MONTHLY;BYDAY=" + strconv.Itoa(nth) + dayCodes[d]
	} else if s.low(i+n) == "day" {
		n++
	} else if nth < 0 {
		return rule{}
	}
	if s.low(i+n) != "of" && s.low(i+n) != "in" || s.low(i+n+1) != "each" && s.low(i+n+1) != "every" || s.low(i+n+2) != "month" {
		return rule{}
	}
	return rule{text: text, to: i + n + 3}
}

// yearlyRule reads "every may 5", "each christmas".
func (s *scan) yearlyRule(i int) rule {
	d := s.date(i)
	if d == nil || len(d.readings) == 0 {
		return rule{}
	}
	if h, _ := s.feast(i); h != nil && (h.nth != 0 || h.month == 0) {
		return rule{text: "", to: d.to}
	}
	day, ok := d.value.(time.Time)
	if !ok || d.cycle != yearly {
		return rule{}
	}
	return rule{text: fmt.Sprintf("FREQ=YEARLY;BYMONTH=%d;BYMONTHDAY=%d", day.Month(), day.Day()), to: d.to}
}

// weekdayList reads "mondays", "mondays and fridays"; after "every" the names may be
// singular.
func (s *scan) weekdayList(i int, every bool) (codes string, n int) {
	var list []string
	for {
		at := i + n
		if n > 0 {
			for s.symbolAt(at, ",&") || s.low(at) == "and" {
				at++
			}
			if at == i+n || at > i+n+2 {
				break
			}
		}
		w := s.low(at)
		d, ok := weekdays[w]
		if !ok || !every {
			name, plural := strings.CutSuffix(w, "s")
			if e, known := weekdays[name]; plural && known && len(name) > 4 {
				d, ok = e, true
			} else if !every {
				ok = false
			}
		}
		if !ok {
			break
		}
		if code := dayCodes[d]; !slices.Contains(list, code) {
			list = append(list, code)
		}
		n = at + 1 - i
	}
	return strings.Join(list, ","), n
}
