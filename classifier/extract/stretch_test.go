package extract

import (
	"testing"

	"github.com/slotway/slotway/classifier"
)

// TestPeriodsForDays: a period in answer to a question for a day is no day; the reader gets its
// interval; days are taken as before, and what nobody asked for is not told.
func TestPeriodsForDays(t *testing.T) {
	x := New(trip(), nil)
	for _, tc := range []struct{ asked, text, want string }{
		{"depart", "next week", "[period 2026-11-23/2026-11-29]"},
		{"depart", "some time next week", "[period 2026-11-23/2026-11-29]"},
		{"depart", "in january", "[period 2027-01-01/2027-01-31]"},
		{"depart", "probably early december", "[period 2026-12-01/2026-12-15]"},
		{"depart", "next month please", "[period 2026-12-01/2026-12-31]"},
		{"depart", "this weekend", "[period 2026-11-21/2026-11-22]"},
		{"depart", "within the next 3 days", "[period 2026-11-18/2026-11-20]"},
		{"depart", "the first week of december", "[modifier <nil>]"},
		{"depart", "in summer", "[period <nil>]"},
		{"depart", "whenever suits you", "[period <nil>]"},
		{"depart", "any day really", "[period <nil>]"},
		{"depart", "soon", "[period <nil>]"},
		{"pickup_at", "next week", "[period 2026-11-23/2026-11-29]"},

		{"depart", "friday next week", "2026-11-27"},
		{"depart", "in two weeks", "2026-12-02"},
		{"depart", "5 january", "2027-01-05"},
		{"depart", "whenever I try it breaks", ""},
		{"depart", "I may need 3 seats", ""},
		{"depart", "for 2 weeks", ""},
		{"depart", "in the morning", ""},
		{"pickup_at", "tomorrow", "[half 2026-11-19]"},
		{"seats", "next week", ""},
		{"", "I want to leave next week", ""},
	} {
		in := classifier.Input{Text: tc.text, Now: now}
		if tc.asked != "" {
			in.Asked = &classifier.Asked{Param: tc.asked}
		}
		param := tc.asked
		if param == "" || param == "seats" {
			param = "depart"
		}
		if got := told(x, &in, param); got != tc.want {
			t.Errorf("%q asked for %q: %q, want %q", tc.text, tc.asked, got, tc.want)
		}
	}
}
