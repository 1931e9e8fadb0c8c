package config

import "testing"

// TestRangeDefaults holds what a default of a range of time may look like.
func TestRangeDefaults(t *testing.T) {
	for _, tc := range []struct {
		kind  string
		value any
		ok    bool
	}{
		{"daterange", "2026-11-08/2026-11-10", true},
		{"daterange", "2026-11-08/..", true},
		{"daterange", "../..", false},
		{"daterange", "2026-11-08", false},
		{"daterange", "2026-11-31/2026-12-01", false},
		{"daterange", 3.0, false},
		{"timerange", "T08:00/T12:00", true},
		{"timerange", "T20:00:00/T23:59:59", true},
		{"timerange", "08:00/12:00", false},
		{"datetimerange", "2026-11-08T08:00:00/2026-11-08T12:00:00", true},
		{"datetimerange", "2026-11-08/2026-11-10", false},
		{"recurrence", "FREQ=WEEKLY;BYDAY=MO", true},
		{"recurrence", "weekly", false},
		{"recurrence", true, false},
	} {
		why := typeMisfit(&Type{Name: tc.kind, Builtin: tc.kind}, tc.value)
		if (why == "") != tc.ok {
			t.Errorf("typeMisfit(%s, %v) = %q, want ok %t", tc.kind, tc.value, why, tc.ok)
		}
	}
}
