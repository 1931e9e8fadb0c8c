package entities

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/slotway/slotway/classifier/extract"
	"github.com/slotway/slotway/config/pattern"
)

// gotTime lists every value that the words allow, and the one that a param takes.
func gotTime(e *extract.Entity) ([]string, string) {
	if e.Value == nil { // a season, feb 30: what is listed is all there is
		return e.Resolution, strings.Join(e.Resolution, " ")
	}
	return e.Resolution, timeText(e.Kind, e.Value)
}

// unresolved marks a time in the cases that has no place in a calendar.
const unresolved = "not resolved"

// timeText rewrites "T15:04" as "15:04:00", "2006-01-02T15:04:05" with a space, a duration
// as its seconds, and the two ends of an interval each by itself.
func timeText(kind string, value any) string {
	text := fmt.Sprint(value)
	switch kind {
	case "recurrence": // ours is a rule, which the cases do not spell out
		return unresolved
	case "duration":
		if s, ok := seconds(text); ok {
			return strconv.FormatFloat(s, 'f', -1, 64)
		}
		return text
	}
	ends := strings.Split(text, "/")
	for i, end := range ends {
		ends[i] = clockText(end)
	}
	return strings.Join(ends, "/")
}

func clockText(text string) string {
	day, clock, ok := strings.Cut(text, "T")
	if !ok && strings.Count(text, ":") > 0 {
		day, clock, ok = "", text, true
	}
	if !ok {
		return text
	}
	if strings.Count(clock, ":") == 1 {
		clock += ":00"
	}
	return strings.TrimSpace(day + " " + clock)
}

var isoDuration = pattern.Must(`^P(?:([\d.]+)Y)?(?:([\d.]+)M)?(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$`)

// secondsOf are the seconds of a year (365 days), month (30), week, day, hour, minute and
// second, as the cases count them.
var secondsOf = [...]float64{365 * 86400, 30 * 86400, 7 * 86400, 86400, 3600, 60, 1}

// seconds is the length of an ISO 8601 duration.
func seconds(text string) (float64, bool) {
	m := isoDuration.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	total := 0.0
	for i, unit := range secondsOf {
		if v, err := strconv.ParseFloat(m[i+1], 64); err == nil {
			total += v * unit
		}
	}
	return total, true
}
