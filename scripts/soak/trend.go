package main

import (
	"fmt"
	"slices"
)

// series is one figure over time, after the warm-up.
type series struct {
	minutes []float64
	values  []float64
}

func (s *series) add(minute, value float64) {
	s.minutes, s.values = append(s.minutes, minute), append(s.values, value)
}

// slope is the median of the slopes between any two samples, per minute: a third of the
// samples may be wild and do not turn it (Theil 1950, Sen 1968).
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

// ends are the medians of the first and the last fifth.
func (s *series) ends() (first, last float64) {
	n := max(1, len(s.values)/5)
	if len(s.values) == 0 {
		return 0, 0
	}
	return median(s.values[:n]), median(s.values[len(s.values)-n:])
}

// span is how many minutes the samples cover.
func (s *series) span() float64 {
	if len(s.minutes) == 0 {
		return 0
	}
	return s.minutes[len(s.minutes)-1] - s.minutes[0]
}

// tolerance is what a series may grow by while it is watched: a share of its level, or an
// amount where that is more.
type tolerance struct {
	name   string
	share  float64
	amount float64
	unit   string
}

// tolerances are by series. A leak of 100 bytes a turn is 9 MB in five minutes of 300 turns
// a second; a goroutine or a descriptor lost with every hundredth request is some hundreds.
var tolerances = []tolerance{
	{"rss", 0.05, 8, "MB"},
	{"heap", 0.05, 4, "MB"},
	{"goroutines", 0.05, 16, "goroutines"},
	{"fds", 0.05, 16, "descriptors"},
	{"wal", 0.05, 16, "MB"},
	{"jobs", 0.05, 64, "jobs"},
}

// grows says what is wrong with a series; "" when it is level.
func (t tolerance) grows(s *series) string {
	by, most := s.slope()*s.span(), max(t.amount, t.share*median(s.values))
	if by <= most {
		return ""
	}
	return fmt.Sprintf("%s grew by %.1f %s in %.1f minutes; %.1f is tolerated", t.name, by, t.unit, s.span(), most)
}

// median leaves its argument as it is; 0 of nothing.
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
