package main

import (
	"fmt"
	"slices"
)

// series holds one figure over time, after the warm-up.
type series struct {
	minutes []float64
	values  []float64
}

func (s *series) add(minute, value float64) {
	s.minutes, s.values = append(s.minutes, minute), append(s.values, value)
}

// slope returns the median of the slopes between any two samples, per minute. It stands even if
// a quarter of the samples are outliers (Theil 1950, Sen 1968).
func (s *series) slope() float64 {
	var all []float64
	for i := range s.values {
		for k := i + 1; k < len(s.values); k++ {
			if apart := s.minutes[k] - s.minutes[i]; apart > 0 {
				all = append(all, (s.values[k]-s.values[i])/apart)
			}
		}
	}
	return median(all)
}

// ends returns the medians of the first and the last fifth of the values.
func (s *series) ends() (first, last float64) {
	n := max(1, len(s.values)/5)
	if len(s.values) == 0 {
		return 0, 0
	}
	return median(s.values[:n]), median(s.values[len(s.values)-n:])
}

// span returns the minutes between the first and the last sample.
func (s *series) span() float64 {
	if len(s.minutes) == 0 {
		return 0
	}
	return s.minutes[len(s.minutes)-1] - s.minutes[0]
}

// tolerance bounds the growth of a series by a share of its median or by an amount, whichever is
// more.
type tolerance struct {
	name   string
	share  float64
	amount float64
	unit   string
}

// tolerances covers each series. At 300 turns a second a leak of 100 bytes a turn adds up to 9 MB
// in five minutes, and one goroutine or descriptor lost in a hundred turns to 900.
var tolerances = []tolerance{
	{"rss", 0.05, 8, "MB"},
	{"heap", 0.05, 4, "MB"},
	{"goroutines", 0.05, 16, "goroutines"},
	{"fds", 0.05, 16, "descriptors"},
	{"wal", 0.05, 16, "MB"},
	{"jobs", 0.05, 64, "jobs"},
}

// grows describes the growth of a series, or returns "" if it is within the tolerance.
func (t tolerance) grows(s *series) string {
	by, most := s.slope()*s.span(), max(t.amount, t.share*median(s.values))
	if by <= most {
		return ""
	}
	return fmt.Sprintf("%s grew by %.1f %s in %.1f minutes; %.1f is tolerated", t.name, by, t.unit, s.span(), most)
}

// median returns 0 for no values. It does not sort its argument.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}
