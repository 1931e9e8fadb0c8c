package perturb

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/slotway/slotway/classifier/eval/entities"
	"github.com/slotway/slotway/config/pattern"
)

// values reads the list of values of an expected time.
func values(e *entities.Expected) []map[string]any {
	list, _ := e.Resolution["values"].([]any)
	var out []map[string]any
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

var (
	dayTimex     = pattern.Must(`^(XXXX|\d{4})-(\d\d)-(\d\d)$`)
	weekdayTimex = pattern.Must(`^XXXX-WXX-(\d)$`)
	lengthTimex  = pattern.Must(`^PT?[\d.]+[YMWDHS]$`)
)

// monthValue tells the values of a day or a month whose month is another one.
func monthValue(c *entities.Case, e *entities.Expected, was, is int) (map[string]any, bool) {
	vs := values(e)
	if e.Type != "datetimeV2.date" || len(vs) == 0 {
		return nil, false
	}
	m := dayTimex.FindStringSubmatch(fmt.Sprint(vs[0]["timex"]))
	if m == nil || m[2] != fmt.Sprintf("%02d", was+1) {
		return nil, false
	}
	day, _ := strconv.Atoi(m[3])
	month := time.Month(is + 1)
	if day > 28 || strings.Contains(strings.ToLower(c.Input), "day") {
		return nil, false
	}
	if m[1] != "XXXX" {
		year, _ := strconv.Atoi(m[1])
		return listed(time.Date(year, month, day, 0, 0, 0, 0, time.UTC)), true
	}
	next := time.Date(c.Now.Year(), month, day, 0, 0, 0, 0, time.UTC)
	if next.Before(c.Now) {
		next = next.AddDate(1, 0, 0)
	}
	return listed(next.AddDate(-1, 0, 0), next), true
}

// weekdayValue tells the two days around now that a bare weekday may be.
func weekdayValue(c *entities.Case, e *entities.Expected, _, is int) (map[string]any, bool) {
	vs := values(e)
	if e.Type != "datetimeV2.date" || len(vs) != 2 || !weekdayTimex.MatchString(fmt.Sprint(vs[0]["timex"])) {
		return nil, false
	}
	today := c.Now.Truncate(24 * time.Hour)
	next := today.AddDate(0, 0, (is+1-int(today.Weekday())+7)%7)
	return listed(next.AddDate(0, 0, -7), next), true
}

func listed(days ...time.Time) map[string]any {
	var list []any
	for _, d := range days {
		list = append(list, map[string]any{"value": d.Format(time.DateOnly)})
	}
	return map[string]any{"values": list}
}

// unitValue tells the length of a duration in another unit.
func unitValue(class []string) valueRule {
	return func(_ *entities.Case, e *entities.Expected, was, is int) (map[string]any, bool) {
		vs := values(e)
		if e.Type != "datetimeV2.duration" || len(vs) != 1 || !lengthTimex.MatchString(fmt.Sprint(vs[0]["timex"])) {
			return nil, false
		}
		v, err := strconv.ParseFloat(fmt.Sprint(vs[0]["value"]), 64)
		if err != nil {
			return nil, false
		}
		v = v / secondsIn[class[was]] * secondsIn[class[is]]
		return map[string]any{"values": []any{map[string]any{"value": strconv.FormatFloat(v, 'f', -1, 64)}}}, true
	}
}
