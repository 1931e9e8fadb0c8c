// Package measure has what the measurements of the lab share: shares, and the timing of calls.
package measure

import (
	"slices"
	"time"
)

// Now is the clock of every message: relative dates must not make figures change by day.
var Now = time.Date(2024, time.March, 4, 9, 0, 0, 0, time.UTC)

// Share returns a/b, or 0 where b is 0.
func Share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// leastTimed is the least number of calls for the quantiles; short files are repeated.
const leastTimed = 2000

// Time calls do for each item in turn and returns the median and the 99th percentile in µs.
func Time[T any](items []T, do func(*T)) (p50, p99 float64) {
	if len(items) == 0 {
		return 0, 0
	}
	took := make([]time.Duration, 0, leastTimed+len(items))
	for len(took) < leastTimed {
		for i := range items {
			start := time.Now()
			do(&items[i])
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	at := func(p float64) float64 { return float64(took[int(p*float64(len(took)-1))].Nanoseconds()) / 1e3 }
	return at(0.5), at(0.99)
}
