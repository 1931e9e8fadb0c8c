package phrase

import (
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/config/naming"
)

// everyWords are the words for recurrences. Only English has them.
type everyWords struct {
	every, other, on string
	freq             map[string][2]string
	weekdays         map[string]string
	sets             map[string]string // of weekdays, by their codes
}

var englishEvery = &everyWords{
	every: "every ", other: "other ", on: " on ",
	freq: map[string][2]string{
		"HOURLY": {"hour", "hours"}, "DAILY": {"day", "days"}, "WEEKLY": {"week", "weeks"}, "MONTHLY": {"month", "months"}, "YEARLY": {"year", "years"},
	},
	weekdays: map[string]string{
		"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday",
	},
	sets: map[string]string{"MO,TU,WE,TH,FR": "weekday", "SA,SU": "weekend"},
}

// recurrence turns FREQ=WEEKLY;BYDAY=MO;BYHOUR=8 into "every Monday at 8:00 am". It returns a rule
// with any other part unchanged.
func (w *Language) recurrence(s string) string {
	rule, rest := map[string]string{}, 0
	for part := range strings.SplitSeq(s, ";") {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return ""
		}
		rule[key] = value
	}
	if w.every == nil {
		return ""
	}
	said := w.every.period(rule)
	for _, key := range []string{"FREQ", "INTERVAL", "BYDAY", "BYHOUR", "BYMINUTE"} {
		if _, ok := rule[key]; ok {
			rest++
		}
	}
	if said == "" || rest != len(rule) {
		return ""
	}
	if rule["BYHOUR"] == "" {
		return said
	}
	at, err := time.Parse("15:4", rule["BYHOUR"]+":"+orZero(rule["BYMINUTE"]))
	if err != nil {
		return ""
	}
	return said + w.at + w.clock(at)
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// period returns "every Monday", "every other week on Monday and Friday", "every 3 days".
func (e *everyWords) period(rule map[string]string) string {
	unit, ok := e.freq[rule["FREQ"]]
	days := e.days(rule["BYDAY"])
	n := 1
	if text := rule["INTERVAL"]; text != "" {
		i, err := strconv.Atoi(text)
		if err != nil || i < 1 {
			return ""
		}
		n = i
	}
	switch {
	case !ok || rule["BYDAY"] != "" && (days == "" || rule["FREQ"] != "WEEKLY"):
		return ""
	case days != "" && n == 1:
		return e.every + days
	}
	out := e.every + unit[0]
	if n == 2 {
		out = e.every + e.other + unit[0]
	} else if n > 2 {
		out = e.every + strconv.Itoa(n) + " " + unit[1]
	}
	if days != "" {
		out += e.on + days
	}
	return out
}

func (e *everyWords) days(codes string) string {
	if set := e.sets[codes]; set != "" {
		return set
	}
	var names []string
	for code := range strings.SplitSeq(codes, ",") {
		name := e.weekdays[code]
		if name == "" {
			return ""
		}
		names = append(names, name)
	}
	return naming.JoinAnd(names)
}
