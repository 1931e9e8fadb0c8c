package when

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/classifier/extract/internal/find"
	"github.com/slotway/slotway/classifier/extract/internal/numbers"
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

// Rounds are the units that "every" counts.
var Rounds = map[string]roundOf{
	"second": {"SECONDLY", 1, ""}, "minute": {"MINUTELY", 1, ""}, "hour": {"HOURLY", 1, ""}, "day": {"DAILY", 1, ""}, "week": {"WEEKLY", 1, ""},
	"fortnight": {"WEEKLY", 2, ""}, "month": {"MONTHLY", 1, ""}, "quarter": {"MONTHLY", 3, ""}, "year": {"YEARLY", 1, ""}, "decade": {"YEARLY", 10, ""},
	"weekend": {"WEEKLY", 1, ";BYDAY=SA,SU"}, "weekday": {"WEEKLY", 1, ";BYDAY=MO,TU,WE,TH,FR"}, "workday": {"WEEKLY", 1, ";BYDAY=MO,TU,WE,TH,FR"},
}

type roundOf struct {
	Freq  string
	Times int
	tail  string
}

// DayCodes are the days of the week in RFC 5545.
var DayCodes = [7]string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// rule is a recurrence as it is read.
type rule struct {
	text string // FREQ and what follows; "" for no value
	to   int    // token behind it
	part string // am or pm, or "day" for a part of the day that is neither: a rule only with a time
}

// recurrence reads "daily", "every other friday", "each monday at 4pm", "thursdays",
// "once a week", "9am every day".
func recurrence(s *Reader, i int) *find.Find {
	r := ruleAt(s, i)
	if r.to == 0 {
		t := s.ClockTime(i)
		if t == nil {
			return nil
		}
		j := t.To
		j += s.Skip(j, "on")
		if r = ruleAt(s, j); r.to == 0 {
			return nil
		}
		return ruleFound(t.From, r.to, timed(s, r, t))
	}
	if s.Inside(i, r.to) {
		return nil
	}
	if on := s.Low(r.to); on == "on" && !strings.Contains(r.text, "BYDAY") && strings.HasPrefix(r.text, "FREQ=WEEKLY") {
		if codes, k := weekdayList(s, r.to+1, true); k > 0 { // weekly on mondays
			r.text, r.to = r.text+";BYDAY="+codes, r.to+1+k
		}
	}
	for _, skip := range [...]int{0, 1} {
		if skip == 1 && !s.Says(r.to, ",", "in") {
			continue
		}
		if p := daypart(s, r.to+skip); p != nil && r.part == "" {
			r.to, r.part = p.To, cmp.Or(p.Half, "day")
		}
		if t := s.ClockTime(r.to + skip); t != nil {
			return ruleFound(i, t.To, timed(s, r, t))
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

func ruleFound(from, to int, text string) *find.Find {
	f := &find.Find{Kind: "recurrence", From: from, To: to, Confidence: 0.9}
	if text != "" {
		f.Value = text
	}
	return f
}

// timed adds a time of day to a rule.
func timed(s *Reader, r rule, t *find.Find) string {
	v, ok := t.Value.(calendar.TimeOfDay)
	if !ok || r.text == "" {
		return ""
	}
	if v.Doubt && (r.part == "am" || r.part == "pm") {
		v = v.Half(r.part)
	}
	v = v.Settle()
	return fmt.Sprintf("%s;BYHOUR=%d;BYMINUTE=%d", r.text, v.Hour, v.Minute)
}

// ruleAt reads a recurrence without its time.
func ruleAt(s *Reader, i int) rule {
	w := s.Low(i)
	if w == "" {
		return rule{}
	}
	if s.Digits(i-1, 1, 9) != "" || numbers.Units[s.Low(i-1)] > 0 {
		return rule{} // "two fridays ago"
	}
	if w == "nightly" {
		return rule{text: "FREQ=DAILY", to: i + 1, part: "pm"}
	}
	if _, ok := adverbs[w]; ok && s.Says(i-1, "twice", "times") {
		return rule{to: i + 1}
	}
	if text, ok := adverbs[w]; ok {
		return rule{text: text, to: i + 1}
	}
	if s.SymbolAt(i+1, "-") && (w == "bi" || w == "semi") {
		if text, ok := adverbs[w+"-"+s.Low(i+2)]; ok {
			return rule{text: text, to: i + 3}
		}
	}
	switch w {
	case "every", "each":
		return every(s, i)
	case "all":
		if s.Low(i+1) == "weekends" {
			return rule{text: adverbs["weekends"], to: i + 2}
		}
	case "once", "twice":
		return timesA(s, i, i+1)
	}
	if codes, k := weekdayList(s, i, false); k > 0 {
		return rule{text: "FREQ=WEEKLY;BYDAY=" + codes, to: i + k}
	}
	if r := monthlyRule(s, i); r.to > 0 {
		return r
	}
	if _, k := amount(s, i); k > 0 && s.Low(i+k) == "times" {
		return timesA(s, i, i+k+1)
	}
	return rule{}
}

// timesA reads "once a week"; more often than once has no rule.
func timesA(s *Reader, i, at int) rule {
	if w := s.Low(at); w != "a" && w != "per" && w != "each" && w != "every" && w != "an" {
		return rule{}
	}
	u, ok := Rounds[s.Low(at+1)]
	if !ok {
		return rule{}
	}
	if s.Low(i) == "once" {
		return rule{text: u.rule(1), to: at + 2}
	}
	return rule{text: "", to: at + 2}
}

func (u roundOf) rule(n int) string {
	text := "FREQ=" + u.Freq
	if k := n * u.Times; k > 1 {
		text += ";INTERVAL=" + strconv.Itoa(k)
	}
	return text + u.tail
}

// every reads what follows "every" or "each".
func every(s *Reader, i int) rule {
	n, k := everyNth(s, i+1)
	j := i + 1 + k
	if v, m := numbers.Read(s.Message, j); k == 0 && m > 0 && v >= 1 && v < 1000 && v == float64(int(v)) {
		if u, ok := Rounds[strings.TrimSuffix(s.Low(j+m), "s")]; ok {
			return rule{text: u.rule(int(v)), to: j + m + 1}
		}
	}
	if u, ok := Rounds[s.Low(j)]; ok {
		return rule{text: u.rule(n), to: j + 1}
	}
	if codes, k := weekdayList(s, j, true); k > 0 {
		return rule{text: roundOf{"WEEKLY", 1, ";BYDAY=" + codes}.rule(n), to: j + k}
	}
	if p, k := dayPartAt(s, j); k > 0 && !p.alone && !p.meal {
		return rule{text: "FREQ=DAILY", to: j + k, part: cmp.Or(p.half, "day")}
	}
	switch m := calendar.Months[s.Low(j)]; {
	case m > 0 && n == 1 && s.Digits(j+1, 1, 2) == "" && !ordinalAt(s, j+1):
		return rule{text: "FREQ=YEARLY;BYMONTH=" + strconv.Itoa(int(m)), to: j + 1}
	case seasons[s.Low(j)]:
		return rule{to: j + 1}
	case n == 1:
		return yearlyRule(s, j)
	}
	return rule{}
}

// everyNth reads what skips rounds behind "every": "other", "third".
func everyNth(s *Reader, i int) (nth, n int) {
	if s.Low(i) == "single" {
		return 1, 1
	}
	if s.Says(i, "other", "alternate") || s.Low(i) == "second" && Rounds[s.Low(i+1)].Freq != "" {
		return 2, 1
	}
	if v, k := numbers.Ordinal(s.Message, i); k > 0 && Rounds[s.Low(i+k)].Freq != "" && v < 1000 {
		return int(v), k
	}
	return 1, 0
}

func ordinalAt(s *Reader, i int) bool {
	_, n := numbers.Ordinal(s.Message, i)
	return n > 0
}

// monthlyRule reads "the 5th of each month", "first monday of every month", "last day of
// every month".
func monthlyRule(s *Reader, i int) rule {
	n := s.Skip(i, "the")
	nth, k := nth(s, i+n)
	if k == 0 || nth > 31 {
		return rule{}
	}
	n += k
	text := "FREQ=MONTHLY;BYMONTHDAY=" + strconv.Itoa(nth)
	if d, ok := calendar.Weekdays[s.Low(i+n)]; ok && nth <= 5 {
		n++
		text = "FREQ=MONTHLY;BYDAY=" + strconv.Itoa(nth) + DayCodes[d]
	} else if s.Low(i+n) == "day" {
		n++
	} else if nth < 0 {
		return rule{}
	}
	if !s.Says(i+n, "of", "in") || !s.Says(i+n+1, "each", "every") || s.Low(i+n+2) != "month" {
		return rule{}
	}
	return rule{text: text, to: i + n + 3}
}

// yearlyRule reads "every may 5", "each christmas".
func yearlyRule(s *Reader, i int) rule {
	d := s.Date(i)
	if d == nil || len(d.Readings) == 0 {
		return rule{}
	}
	if h, _ := feast(s, i); h != nil && (h.Nth != 0 || h.Month == 0) {
		return rule{text: "", to: d.To}
	}
	day, ok := d.Value.(time.Time)
	if !ok || d.Cycle != calendar.Yearly {
		return rule{}
	}
	return rule{text: fmt.Sprintf("FREQ=YEARLY;BYMONTH=%d;BYMONTHDAY=%d", day.Month(), day.Day()), to: d.To}
}

// weekdayList reads "mondays", "mondays and fridays"; after "every" the names may be
// singular.
func weekdayList(s *Reader, i int, every bool) (codes string, n int) {
	var list []string
	for {
		at := i + n
		if n > 0 {
			for s.SymbolAt(at, ",&") || s.Low(at) == "and" {
				at++
			}
			if at == i+n || at > i+n+2 {
				break
			}
		}
		w := s.Low(at)
		d, ok := calendar.Weekdays[w]
		if !ok || !every {
			name, plural := strings.CutSuffix(w, "s")
			if e, known := calendar.Weekdays[name]; plural && known && len(name) > 4 {
				d, ok = e, true
			} else if !every {
				ok = false
			}
		}
		if !ok {
			break
		}
		if code := DayCodes[d]; !slices.Contains(list, code) {
			list = append(list, code)
		}
		n = at + 1 - i
	}
	return strings.Join(list, ","), n
}
