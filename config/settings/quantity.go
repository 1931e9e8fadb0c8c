package settings

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes.
type Size int64

// sizeUnits are sorted from the largest, so that String finds the one that fits.
var sizeUnits = []struct {
	name  string
	bytes int64
}{
	{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1},
}

// parseSize parses a size such as 64KiB, 10MB or 4096.
func parseSize(s string) (Size, error) {
	digits, factor := strings.TrimSpace(s), int64(1)
	for _, u := range sizeUnits {
		if before, ok := strings.CutSuffix(digits, u.name); ok {
			digits, factor = strings.TrimSpace(before), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/factor {
		return 0, fmt.Errorf("%q is no size; write 64KiB, 10MB or a number of bytes", s)
	}
	return Size(n * factor), nil
}

// String returns the size in the largest binary unit that divides it.
func (s Size) String() string {
	for _, u := range sizeUnits[:3] {
		if s > 0 && int64(s)%u.bytes == 0 {
			return strconv.FormatInt(int64(s)/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}

// Rate is a number of events per second; 0 is no limit.
type Rate float64

// parseRate parses a rate such as 20/s, 600/m or 1000/h; 0 is no limit.
func parseRate(s string) (Rate, error) {
	count, unit, ok := strings.Cut(strings.TrimSpace(s), "/")
	seconds, known := map[string]float64{"s": 1, "m": 60, "h": 3600}[unit]
	n, err := strconv.ParseFloat(count, 64)
	switch {
	case err == nil && n == 0:
		return 0, nil
	case err != nil || !ok || !known || !(n > 0) || math.IsInf(n, 0):
		return 0, fmt.Errorf("%q is no rate; write 20/s, 600/m or 0 for no limit", s)
	}
	return Rate(n / seconds), nil
}

// String returns the rate in a unit that makes it a whole number, if there is one.
func (r Rate) String() string {
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"s", 1}, {"m", 60}, {"h", 3600}} {
		if n := math.Round(float64(r) * u.seconds); n > 0 && math.Abs(float64(r)*u.seconds-n) < 1e-9 {
			return strconv.FormatFloat(n, 'f', -1, 64) + "/" + u.name
		}
	}
	return strconv.FormatFloat(float64(r), 'g', -1, 64) + "/s"
}
