package source

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads a duration such as 90s, 1h30m or 30d (days of 24 hours), not below zero.
func ParseDuration(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseFloat(days, 64)
		if err == nil && n >= 0 && n <= 36500 {
			return time.Duration(n * 24 * float64(time.Hour)), nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is no duration; write 90s, 10m, 1h30m or 30d", s)
}
